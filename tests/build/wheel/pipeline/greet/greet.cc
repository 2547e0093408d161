// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

// A library to put into a wheel.
extern "C" int greet_count() { return 1; }
