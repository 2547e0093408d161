# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`if_linux` and `if_windows`: values by operating system."""

def if_linux(if_true, if_false = []):
    """Returns a `select` of `if_true` on Linux and of `if_false` elsewhere.

    Args:
      if_true: value on Linux.
      if_false: value on other systems.
    """
    return select({
        "@platforms//os:linux": if_true,
        "//conditions:default": if_false,
    })

def if_windows(if_true, if_false = []):
    """Returns a `select` of `if_true` on Windows and of `if_false` elsewhere.

    Args:
      if_true: value on Windows.
      if_false: value on other systems.
    """
    return select({
        "@platforms//os:windows": if_true,
        "//conditions:default": if_false,
    })
