# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned release of libstdc++'s headers."""

LIBSTDCXX_DEBS = {
    "libstdc++-12-dev=12.4.0-5": ["138164a7edf9076ea298a05af1891e89b231bd34e4bd172b9063d45307f2ce06"],
}
