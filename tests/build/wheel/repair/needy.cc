// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

// A library that needs one to copy into the wheel, one excluded by pattern and one excluded by
// family.
extern "C" int copied();
extern "C" int by_pattern();
extern "C" int by_family();

extern "C" int greet_count() { return copied() + by_pattern() + by_family(); }
