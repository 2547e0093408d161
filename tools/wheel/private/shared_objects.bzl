# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Tells shared objects by their names: contents are unknown at analysis time."""

_SUFFIXES = (".so", ".dll", ".dylib", ".pyd")

def is_shared_object(path):
    """Returns whether a path names a shared object, versioned ones (`libx.so.1`) included.

    Args:
      path: str.
    """
    name = path.rpartition("/")[2]
    return name.endswith(_SUFFIXES) or ".so." in name
