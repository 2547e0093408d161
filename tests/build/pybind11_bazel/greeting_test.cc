// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/build/pybind11_bazel/greeting.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <pybind11/embed.h>

int main(int argc, char** argv) {
  const char* named = std::getenv("GREETING");
  if (argc != 2 || named == nullptr || argv[1] != std::string(named) || !std::ifstream(named)) {
    std::fprintf(stderr, "`args` and `env` do not name the file in `data`\n");
    return 1;
  }
  const pybind11::scoped_interpreter interpreter;
  const std::string got = tilewright::Greeting(pybind11::str("tile"));
  if (got != "hello, tile") {
    std::fprintf(stderr, "got `%s`\n", got.c_str());
    return 1;
  }
  try {
    tilewright::Greeting(pybind11::str(""));
  } catch (const pybind11::value_error&) {
    return 0;
  }
  std::fprintf(stderr, "no error for an empty name\n");
  return 1;
}
