// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

// A library that another one needs.
extern "C" int FUNCTION() { return 1; }
