// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// A minimum of a test framework. A test file holds TW_TEST(subject_condition_result) { ... }
// blocks; linked with //csrc/testing:test_case, it is a program that runs them all, prints each
// failed expectation with its values, and exits with 1 if there was any, or if there was no test.

#ifndef TILEWRIGHT_TESTING_TEST_CASE_H_
#define TILEWRIGHT_TESTING_TEST_CASE_H_

#include <string>

#include "csrc/runtime/error.h"
#include "csrc/runtime/message.h"

namespace tilewright {
namespace testing {

// Registers a test; returns an ignored value.
bool AddTest(const char* name, void (*body)());

// Records a failure of the running test.
void Fail(const char* file, int line, const std::string& what);

template <class Actual, class Expected>
void ExpectEqual(const Actual& actual, const Expected& expected, const char* text, const char* file,
                 int line) {
  if (actual == expected) return;
  Fail(file, line, Concat(text, " is ", actual, ", expected ", expected));
}

// `body` must throw Error with `status` and a message that contains `part`.
template <class Body>
void ExpectError(Body&& body, TwStatus status, const std::string& part, const char* file,
                 int line) {
  try {
    body();
    Fail(file, line, Concat("nothing was thrown, expected \"", part, "\""));
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.status() != status || message.find(part) == std::string::npos) {
      Fail(file, line,
           Concat("status ", static_cast<int>(error.status()), " \"", message,
                  "\", expected status ", static_cast<int>(status), " \"...", part, "...\""));
    }
  }
}

}  // namespace testing
}  // namespace tilewright

#define TW_TEST(name)                                                                            \
  static void name();                                                                            \
  [[maybe_unused]] static const bool name##_added = ::tilewright::testing::AddTest(#name, name); \
  static void name()

#define TW_EXPECT_EQ(actual, expected) \
  ::tilewright::testing::ExpectEqual((actual), (expected), #actual, __FILE__, __LINE__)

#define TW_EXPECT_ERROR(expression, status, part)                                             \
  ::tilewright::testing::ExpectError([&] { (void)(expression); }, (status), (part), __FILE__, \
                                     __LINE__)

#endif  // TILEWRIGHT_TESTING_TEST_CASE_H_
