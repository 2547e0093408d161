# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The operators, one a module."""

from __future__ import annotations

from tilewright.ops.add_rms_norm import add_rms_norm
from tilewright.ops.rms_norm import rms_norm
from tilewright.ops.silu_and_mul import silu_and_mul

__all__ = ["add_rms_norm", "rms_norm", "silu_and_mul"]
