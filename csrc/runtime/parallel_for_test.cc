// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/wait.h>

#include "csrc/runtime/error.h"
#include "csrc/testing/test_case.h"

using tilewright::ParallelFor;

namespace {

// How often each of `count` items was visited by one ParallelFor: the least and the most.
struct Visits {
  int least;
  int most;
};

Visits CountVisits(int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> visits(count);
  ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) visits[i].fetch_add(1);
  });
  const auto [least, most] = std::minmax_element(
      visits.begin(), visits.end(), [](const auto& a, const auto& b) { return a < b; });
  return {least->load(), most->load()};
}

void ExpectOneVisitEach(int64_t count, int64_t grain) {
  const Visits visits = CountVisits(count, grain);
  TW_EXPECT_EQ(visits.least, 1);
  TW_EXPECT_EQ(visits.most, 1);
}

}  // namespace

TW_TEST(parallel_for_any_count_visits_each_item_once) {
  for (int64_t count : {1, 2, 3, 7, 64, 1000, 100003}) {
    for (int64_t grain : {0, 1, 5, 1000, 1000000}) ExpectOneVisitEach(count, grain);
  }
}

TW_TEST(parallel_for_no_items_calls_nothing) {
  bool called = false;
  ParallelFor(0, 1, [&](int64_t, int64_t) { called = true; });
  TW_EXPECT_EQ(called, false);
}

TW_TEST(parallel_for_grain_given_is_kept_but_for_the_last_range) {
  std::atomic<int> short_ranges{0};
  ParallelFor(1001, 100, [&](int64_t begin, int64_t end) {
    if (end - begin < 100 && end != 1001) short_ranges.fetch_add(1);
  });
  TW_EXPECT_EQ(short_ranges.load(), 0);
}

TW_TEST(parallel_for_nested_runs_inline) {
  std::atomic<int64_t> sum{0};
  ParallelFor(64, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      ParallelFor(100, 1, [&](int64_t b, int64_t e) { sum.fetch_add(e - b); });
    }
  });
  TW_EXPECT_EQ(sum.load(), 6400);
}

TW_TEST(parallel_for_many_callers_all_finish) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        const Visits visits = CountVisits(500, 10);
        if (visits.least != 1 || visits.most != 1) wrong.fetch_add(1);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  TW_EXPECT_EQ(wrong.load(), 0);
}

TW_TEST(parallel_for_after_fork_works_in_the_child) {
  ExpectOneVisitEach(1000, 1);  // the parent's threads exist
  const pid_t child = fork();
  if (child == 0) {
    const Visits visits = CountVisits(1000, 1);
    _exit(visits.least == 1 && visits.most == 1 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  TW_EXPECT_EQ(status, 0);
  ExpectOneVisitEach(1000, 1);
}

TW_TEST(thread_count_variable_other_than_digits_is_refused) {
  for (const char* text : {" 4", "4 ", "+4", "-4", "4.0", "0", "1025", "99999999999"}) {
    const pid_t child = fork();  // reads the variable anew
    if (child == 0) {
      setenv("TILEWRIGHT_NUM_THREADS", text, 1);
      try {
        tilewright::ThreadCount();
      } catch (const tilewright::Error&) {
        _exit(0);
      }
      _exit(1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    TW_EXPECT_EQ(status, 0);
  }
}

TW_TEST(thread_count_variable_set_is_obeyed) { TW_EXPECT_EQ(tilewright::ThreadCount(), 3); }
