# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned releases of clang-format and clang-tidy."""

CLANG_FORMAT_PACKAGES = {
    "clang-format==18.1.8": ["2de122b8aa78ba49e326f974131caab2c79f4ae877c227cd4e3e5d82a98d21e5"],
}

CLANG_TIDY_PACKAGES = {
    "clang-tidy==18.1.8": ["c725a95c316d15df12f5bf7c1abfdf3cb9e4f3b9a9afb4cb6bb1e9df4e669493"],
}
