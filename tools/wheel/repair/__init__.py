# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Repairs a wheel for one declared platform.

`inspect` reads the wheel, `plan` decides how each needed library is met, `apply` lets auditwheel
patch and retag and then writes the archive canonically, `verify` holds the result against the plan.
"""
