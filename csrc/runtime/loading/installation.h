// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_INSTALLATION_H_
#define TILEWRIGHT_RUNTIME_LOADING_INSTALLATION_H_

#include <string>

namespace tilewright {

// The command that mends an installation, for hints. Names the release once tw_set_release told it.
std::string ReinstallCommand();

// What came of opening a library of ours that has not interface number `wanted`.
std::string OtherVersion(int wanted);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_INSTALLATION_H_
