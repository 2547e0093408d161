// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/installation.h"

#include <string>
#include <thread>
#include <vector>

#include "csrc/testing/test_case.h"
#include "tilewright/c_api.h"

using tilewright::ReinstallCommand;

namespace {

constexpr const char* kWithoutRelease = "`pip install --force-reinstall --no-deps tilewright`";
constexpr const char* kOfRelease =
    "`pip install --force-reinstall --no-deps tilewright==1!2.3rc1+a_b-c`";

void ExpectRefused(const char* release, const std::string& message) {
  TW_EXPECT_EQ(int{tw_set_release(release)}, int{TW_INVALID_ARGUMENT});
  TW_EXPECT_EQ(std::string(tw_last_error()), message);
}

std::string NoVersion(const std::string& shown) {
  return "tw_set_release: `release` is no version: `" + shown +
         "`\nhint: pass one such as `1.2.3`, of letters, digits and `.+!-_`, of at most 128 "
         "characters";
}

}  // namespace

// One test, as the release is the process's.
TW_TEST(installation_reinstall_command_names_the_release_once_it_is_told) {
  TW_EXPECT_EQ(ReinstallCommand(), kWithoutRelease);
  ExpectRefused(nullptr, "tw_set_release: `release` is null");
  ExpectRefused("", NoVersion(""));
  ExpectRefused("1.0; rm -rf /", NoVersion("1.0; rm -rf /"));
  ExpectRefused("1.0\n", NoVersion("1.0\n"));
  ExpectRefused(std::string(129, '1').c_str(), NoVersion(std::string(128, '1')));
  TW_EXPECT_EQ(ReinstallCommand(), kWithoutRelease);

  TW_EXPECT_EQ(int{tw_set_release(std::string(128, '1').c_str())}, int{TW_OK});
  std::string release = "1!2.3rc1+a_b-c";
  TW_EXPECT_EQ(int{tw_set_release(release.c_str())}, int{TW_OK});
  release.assign(release.size(), 'x');
  TW_EXPECT_EQ(ReinstallCommand(), kOfRelease);
  ExpectRefused("1.0 ", NoVersion("1.0 "));
  TW_EXPECT_EQ(ReinstallCommand(), kOfRelease);
}

TW_TEST(installation_release_told_and_read_by_several_threads_is_one_of_those_told) {
  TW_EXPECT_EQ(int{tw_set_release("1.0")}, int{TW_OK});
  std::vector<std::thread> threads;
  std::vector<int> strange(4);
  for (size_t i = 0; i < strange.size(); ++i) {
    threads.emplace_back([i, &strange] {
      for (int round = 0; round < 1000; ++round) {
        tw_set_release(round % 2 == 0 ? "1.0" : "2.0");
        const std::string command = ReinstallCommand();
        const std::string release = command.substr(command.size() - 4);
        strange[i] += release != "1.0`" && release != "2.0`";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int count : strange) TW_EXPECT_EQ(count, 0);
}
