# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Repairs a wheel for one declared platform.

The wheel is read into facts, `plan` decides how each needed library is met and which files are
edited, `apply` edits them, tags the result and writes it canonically, `verify` reads it again and
holds it against the plan.
"""
