// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/testing/test_case.h"

#include <cstdio>
#include <exception>
#include <vector>

namespace tilewright {
namespace testing {
namespace {

struct Test {
  const char* name;
  void (*body)();
};

std::vector<Test>& Tests() {
  static std::vector<Test> tests;
  return tests;
}

const char* running = "";
int failures = 0;

}  // namespace

bool AddTest(const char* name, void (*body)()) {
  Tests().push_back({name, body});
  return true;
}

void Fail(const char* file, int line, const std::string& what) {
  ++failures;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, running, what.c_str());
}

int RunAll() {
  int failed = 0;
  for (const Test& test : Tests()) {
    running = test.name;
    const int before = failures;
    try {
      test.body();
    } catch (const std::exception& error) {
      Fail(__FILE__, __LINE__, Concat("threw \"", error.what(), "\""));
    }
    if (failures != before) ++failed;
  }
  const int count = static_cast<int>(Tests().size());
  std::printf("%d passed, %d failed\n", count - failed, failed);
  return failed == 0 && count > 0 ? 0 : 1;
}

}  // namespace testing
}  // namespace tilewright

int main() { return tilewright::testing::RunAll(); }
