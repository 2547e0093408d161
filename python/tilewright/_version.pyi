# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
#
# Of `_version.py`, which the build writes from the file VERSION.

__version__: str
