# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned releases of libstdc++'s headers, and of the libraries to link against."""

LIBSTDCXX_DEBS = {
    "libstdc++-12-dev=12.4.0-5": ["138164a7edf9076ea298a05af1891e89b231bd34e4bd172b9063d45307f2ce06"],
}

LIBSTDCXX_LIBRARY_DEBS = {
    "libgcc-s1=14.2.0-19": ["3c71917b490d1a17aed43196a2787a256ecf060526cdb20216a74bedc061b150"],
    "libstdc++6=14.2.0-19": ["ab1fa05837aa7a92aae748fd07a18a35f7d18bb4a71c4724fe2bbf0e32089de0"],
}
