// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/cuda_runtime_search.h"

#include <string>
#include <vector>

#include "csrc/runtime/loading/cuda_driver.h"
#include "csrc/testing/test_case.h"

using tilewright::Attempt;
using tilewright::DirectoryOf;
using tilewright::kCudaMajors;
using tilewright::OwnDirectories;

namespace {

std::string OwnRuntime() {
  return DirectoryOf(DirectoryOf(OwnDirectories()[0])) + "/nvidia/cu13/lib/libcudart.so.13";
}

}  // namespace

TW_TEST(directory_is_what_is_before_the_last_slash) {
  TW_EXPECT_EQ(DirectoryOf("/a/b/c.so"), "/a/b");
  TW_EXPECT_EQ(DirectoryOf("/a"), "/");
  TW_EXPECT_EQ(DirectoryOf("/"), "/");
  TW_EXPECT_EQ(DirectoryOf("c.so"), ".");
}

TW_TEST(probe_search_path_given_comes_after_own_folder_and_before_the_system) {
  const std::vector<Attempt> attempts =
      tilewright::ProbeCudaRuntime(kCudaMajors[0], {"/nowhere/a", "/nowhere/b", "/nowhere/a"});
  int a = -1, b = -1, system = -1, count_a = 0;
  for (int i = 0; i < static_cast<int>(attempts.size()); ++i) {
    const std::string& path = attempts[i].path;
    if (path == "/nowhere/a/nvidia/cu13/lib/libcudart.so.13") {
      a = i;
      ++count_a;
      TW_EXPECT_EQ(attempts[i].result, "not found");
    }
    if (path == "/nowhere/b/nvidia/cu13/lib/libcudart.so.13") b = i;
    if (path == "libcudart.so.13") system = i;
  }
  TW_EXPECT_EQ(count_a, 1);
  TW_EXPECT_EQ(a > 0, true);
  TW_EXPECT_EQ(b, a + 1);
  TW_EXPECT_EQ(system, b + 1);
  TW_EXPECT_EQ(attempts[0].path, OwnRuntime());
}

TW_TEST(probe_search_path_with_own_directory_has_it_once) {
  const std::string packages = DirectoryOf(DirectoryOf(OwnDirectories()[0]));
  int count = 0;
  for (const Attempt& attempt : tilewright::ProbeCudaRuntime(kCudaMajors[0], {packages})) {
    if (attempt.path == OwnRuntime()) ++count;
  }
  TW_EXPECT_EQ(count, 1);
}

TW_TEST(loaded_runtimes_process_without_cuda_are_none) {
  TW_EXPECT_EQ(tilewright::LoadedCudaRuntimes().size(), 0u);
}

TW_TEST(version_text_is_major_and_minor) {
  TW_EXPECT_EQ(tilewright::CudaVersionText(13000), "13.0");
  TW_EXPECT_EQ(tilewright::CudaVersionText(12040), "12.4");
}
