// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilewright/c_api.h"

#include "csrc/runtime/error.h"
#include "csrc/runtime/version.h"

extern "C" {

const char* tw_last_error(void) { return tilewright::LastError(); }

const char* tw_version(void) { return TILEWRIGHT_VERSION; }

}  // extern "C"
