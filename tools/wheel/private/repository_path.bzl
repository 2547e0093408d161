# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a file lies in its repository, whichever that is."""

def repository_path(file):
    """Returns a file's path below the root of its repository, generated files like sources.

    Args:
      file: File.
    """
    if file.short_path.startswith("../"):
        return file.short_path.split("/", 2)[2]
    return file.short_path
