// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/json_writer.h"

#include "csrc/testing/test_case.h"

using tilewright::JsonWriter;

TW_TEST(json_writer_nested_values_are_separated) {
  JsonWriter json;
  json.BeginObject();
  json.Key("a");
  json.BeginArray();
  json.Int(1);
  json.BeginObject();
  json.EndObject();
  json.Null();
  json.EndArray();
  json.Key("b");
  json.Bool(true);
  json.EndObject();
  TW_EXPECT_EQ(json.Take(), "{\"a\":[1,{},null],\"b\":true}");
}

TW_TEST(json_writer_special_characters_are_escaped) {
  JsonWriter json;
  json.String("a\"b\\c\n\xc3\xa9");
  TW_EXPECT_EQ(json.Take(), "\"a\\\"b\\\\c\\u000a\xc3\xa9\"");
}

TW_TEST(json_writer_invalid_utf8_becomes_the_replacement_character) {
  JsonWriter json;
  json.String("x\xff\xc3");
  TW_EXPECT_EQ(json.Take(), "\"x\\ufffd\\ufffd\"");
}

TW_TEST(json_writer_empty_optional_is_null) {
  JsonWriter json;
  json.BeginArray();
  json.StringOrNull("");
  json.IntOrNull(0);
  json.IntOrNull(7);
  json.EndArray();
  TW_EXPECT_EQ(json.Take(), "[null,null,7]");
}
