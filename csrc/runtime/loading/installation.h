// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_INSTALLATION_H_
#define TILEWRIGHT_RUNTIME_LOADING_INSTALLATION_H_

#include <string>

#include "csrc/runtime/message.h"
#include "tilewright/c_api.h"

namespace tilewright {

// The command that mends an installation, for hints.
inline std::string ReinstallCommand() {
  return Concat("`pip install --force-reinstall --no-deps tilewright==", tw_version(), "`");
}

// What came of opening a library of ours that has not interface number `wanted`.
inline std::string OtherVersion(int wanted) {
  return Concat("opened, but it belongs to another version of tilewright (wanted interface ",
                wanted, "); was tilewright upgraded while this process ran?");
}

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_INSTALLATION_H_
