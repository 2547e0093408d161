# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What libtorch offers to libraries of other packages, and since when."""
