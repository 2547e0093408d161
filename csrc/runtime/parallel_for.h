// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_PARALLEL_FOR_H_
#define TILEWRIGHT_RUNTIME_PARALLEL_FOR_H_

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tilewright {

// Borrows a callable `void(int64_t begin, int64_t end)`.
class RangeFunction {
 public:
  template <class Callable>
  RangeFunction(const Callable& callable)  // NOLINT(google-explicit-constructor): a view
      : context_(&callable), call_([](const void* context, int64_t begin, int64_t end) {
          (*static_cast<const Callable*>(context))(begin, end);
        }) {}

  void operator()(int64_t begin, int64_t end) const { call_(context_, begin, end); }

 private:
  const void* context_;
  void (*call_)(const void*, int64_t, int64_t);
};

// Calls `body` on disjoint ranges that cover [0, count), each of at least `grain` items but the
// last, on the calling thread and the threads of a pool; returns when all are done. `body` must not
// throw. Runs on the calling thread alone when there is little to do, when called from inside
// another ParallelFor, and when another thread holds the pool. A forked child makes its own pool.
// Throws Error (TW_INVALID_ARGUMENT) when TILEWRIGHT_NUM_THREADS, read at the first call, is not a
// whole number from 1 to 1024.
void ParallelFor(int64_t count, int64_t grain, RangeFunction body);

// How many threads take part: TILEWRIGHT_NUM_THREADS, or the processors this process may use (at
// most 64).
int ThreadCount();

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_PARALLEL_FOR_H_
