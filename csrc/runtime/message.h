// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_MESSAGE_H_
#define TILEWRIGHT_RUNTIME_MESSAGE_H_

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace tilewright {

inline void AppendPiece(std::string& text, std::string_view piece) { text.append(piece); }

template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
void AppendPiece(std::string& text, Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%g", static_cast<double>(number));
    text.append(digits);
  } else {
    text.append(std::to_string(number));
  }
}

// The pieces, strings and numbers, one after another.
template <class... Pieces>
std::string Concat(const Pieces&... pieces) {
  std::string text;
  (AppendPiece(text, pieces), ...);
  return text;
}

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_MESSAGE_H_
