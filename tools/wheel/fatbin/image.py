# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""One piece of GPU code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceImage:
    """One entry of a fat binary."""

    #: What it is for: sm_90a for machine code, compute_90 for PTX.
    arch: str
    #: Bytes in the file.
    size: int
    #: Bytes once unpacked; equal to `size` where it is not compressed.
    unpacked_size: int
    #: "none", "lz4" or "zstd".
    compression: str
    #: Number of the fat binary in the file; the entries of one are the alternatives for one source file.
    group: int
