// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/json_writer.h"

#include <cstdio>

namespace tilewright {
namespace {

// The length of the well-formed UTF-8 sequence at `text[i]`, 0 if there is none. Overlong forms and
// surrogates are not told apart: paths do not contain them in practice.
size_t SequenceLength(std::string_view text, size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  const size_t length = lead < 0x80         ? 1
                        : (lead >> 5) == 6  ? 2
                        : (lead >> 4) == 14 ? 3
                        : (lead >> 3) == 30 ? 4
                                            : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (size_t j = 1; j < length; ++j) {
    if ((static_cast<unsigned char>(text[i + j]) >> 6) != 2) return 0;
  }
  return length;
}

}  // namespace

void JsonWriter::Separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

void JsonWriter::Open(char bracket) {
  Separate();
  text_ += bracket;
  first_ = true;
}

void JsonWriter::Close(char bracket) {
  text_ += bracket;
  first_ = false;
}

void JsonWriter::Quote(std::string_view value) {
  text_ += '"';
  for (size_t i = 0; i < value.size();) {
    const size_t length = SequenceLength(value, i);
    const char c = value[i];
    if (length == 0) {
      text_ += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      text_ += escape;
    } else {
      text_.append(value.substr(i, length));
    }
    i += length == 0 ? 1 : length;
  }
  text_ += '"';
}

void JsonWriter::Key(std::string_view key) {
  Separate();
  Quote(key);
  text_ += ':';
  first_ = true;
}

void JsonWriter::String(std::string_view value) {
  Separate();
  Quote(value);
}

void JsonWriter::Int(int64_t value) {
  Separate();
  text_ += std::to_string(value);
}

void JsonWriter::Bool(bool value) {
  Separate();
  text_ += value ? "true" : "false";
}

void JsonWriter::Null() {
  Separate();
  text_ += "null";
}

}  // namespace tilewright
