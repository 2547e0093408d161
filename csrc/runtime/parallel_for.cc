// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <system_error>
#include <thread>

#include "csrc/runtime/check.h"

namespace tilewright {
namespace {

constexpr int kMaxDefaultThreads = 64;
constexpr int kMaxThreads = 1024;
constexpr int64_t kChunksPerThread = 4;  // slack for threads that start late or are preempted

int UsableProcessors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

int ConfiguredThreads() {
  const char* text = std::getenv("TILEWRIGHT_NUM_THREADS");
  if (text == nullptr || *text == '\0') return std::min(UsableProcessors(), kMaxDefaultThreads);
  int value = 0;
  const char* const text_end = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, text_end, value);
  TW_CHECK(error == std::errc() && end == text_end && value >= 1 && value <= kMaxThreads,
           TW_INVALID_ARGUMENT, "`TILEWRIGHT_NUM_THREADS` is `", text,
           "`, expected a whole number from 1 to ", kMaxThreads,
           "\nhint: unset it to use every processor that this process may run on");
  return value;
}

// One ParallelFor under way; lives on the caller's stack.
struct Job {
  int64_t count;
  int64_t chunk;
  RangeFunction body;
  std::atomic<int64_t> next{0};

  void Run() {
    for (int64_t begin = next.fetch_add(chunk); begin < count; begin = next.fetch_add(chunk)) {
      body(begin, std::min(begin + chunk, count));
    }
  }
};

thread_local bool inside_job = false;

class Pool {
 public:
  explicit Pool(int threads) : threads_(threads) {}

  int threads() const { return threads_; }

  // False when another thread is using the pool.
  bool TryRun(Job& job) {
    std::unique_lock<std::mutex> turn(turn_, std::try_to_lock);
    if (!turn.owns_lock()) return false;
    StartWorkers();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      job_ = &job;
      ++generation_;
    }
    work_.notify_all();
    job.Run();
    std::unique_lock<std::mutex> lock(mutex_);
    job_ = nullptr;  // a worker that wakes only now finds nothing
    done_.wait(lock, [this] { return busy_ == 0; });
    return true;
  }

 private:
  void StartWorkers() {
    if (started_) return;
    started_ = true;
    StayLoaded();
    // Workers take no signals: those belong to the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      for (int i = 1; i < threads_; ++i) std::thread([this] { Work(); }).detach();
    } catch (const std::system_error&) {
      // The limit on threads is reached: go on with those there are.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  // Workers never end, so the code they run must never be unmapped.
  static void StayLoaded() {
    Dl_info self;
    if (dladdr(reinterpret_cast<void*>(&StayLoaded), &self) != 0) {
      dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
  }

  void Work() {
    inside_job = true;
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      work_.wait(lock, [&] { return job_ != nullptr && generation_ != seen; });
      seen = generation_;
      Job* job = job_;
      ++busy_;
      lock.unlock();
      job->Run();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  const int threads_;
  std::mutex turn_;  // held by the caller whose job this is
  bool started_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable work_;
  std::condition_variable done_;
  Job* job_ = nullptr;
  uint64_t generation_ = 0;
  int busy_ = 0;
};

// Never freed: its threads outlive main(). A forked child forgets it, locks and all, and makes its
// own: none of its threads exist there.
std::atomic<Pool*> current_pool{nullptr};

Pool& GetPool() {
  Pool* pool = current_pool.load(std::memory_order_acquire);
  if (pool != nullptr) return *pool;
  static const bool fork_handler_set = [] {
    pthread_atfork(nullptr, nullptr, [] {
      current_pool.store(nullptr, std::memory_order_release);
      inside_job = false;
    });
    return true;
  }();
  (void)fork_handler_set;
  auto* fresh = new Pool(ConfiguredThreads());
  if (current_pool.compare_exchange_strong(pool, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;  // another thread was first; this one has started no threads
  return *pool;
}

}  // namespace

int ThreadCount() { return GetPool().threads(); }

void ParallelFor(int64_t count, int64_t grain, RangeFunction body) {
  if (count <= 0) return;
  if (inside_job) return body(0, count);
  Pool& pool = GetPool();
  if (count <= grain || pool.threads() == 1) return body(0, count);
  const int64_t slices = pool.threads() * kChunksPerThread;
  Job job{count, std::max<int64_t>({grain, 1, (count + slices - 1) / slices}), body};
  inside_job = true;
  const bool ran = pool.TryRun(job);
  inside_job = false;
  if (!ran) body(0, count);
}

}  // namespace tilewright
