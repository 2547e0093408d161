# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Repairs a wheel for one declared platform.

`inspection` reads the wheel, `plan` decides how each needed library is met, `apply` lets auditwheel
patch, tags the result and writes it canonically, `verify` holds it against the plan.
"""
