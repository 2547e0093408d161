// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_JSON_WRITER_H_
#define TILEWRIGHT_RUNTIME_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

// Writes one JSON document, commas and escapes included. The caller balances Begin and End, and
// names every member of an object with Key.
class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }

  void Key(std::string_view key);
  void String(std::string_view value);  // bytes that are not UTF-8 become U+FFFD
  void Int(int64_t value);
  void Bool(bool value);
  void Null();

  // `value`, or null when it is empty.
  void StringOrNull(std::string_view value) { value.empty() ? Null() : String(value); }
  // `value`, or null when it is 0.
  void IntOrNull(int64_t value) { value == 0 ? Null() : Int(value); }

  std::string Take() { return std::move(text_); }

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Quote(std::string_view value);
  void Separate();

  std::string text_;
  bool first_ = true;  // nothing written yet at this level
};

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_JSON_WRITER_H_
