# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned release of ruff."""

RUFF_PACKAGES = {
    "ruff==0.17.6": ["aa3b08254a732acba246891089a152c47c5733dc36b8ecb76ce8602f8326e5e4"],
}
RUFF_STRIP_PREFIX = "ruff-0.17.6.data/scripts"
