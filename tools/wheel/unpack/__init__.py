# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Unpacks a wheel the way an installer lays it out, for imports from the build tree."""
