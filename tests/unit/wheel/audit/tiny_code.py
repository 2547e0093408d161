# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""GPU code of files that exist nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tools.wheel.fatbin.arch import parse_arch
from tools.wheel.fatbin.image import DeviceCode, DeviceImage, Kind

__all__ = ["device_code", "image"]


def image(name: str, **changes: Any) -> DeviceImage:
    """An image of 100 bytes as CUDA 12.4 makes it, by its name: sm_90a, compute_90."""
    arch = parse_arch(name)
    assert arch is not None
    kind = Kind.PTX if name.startswith("compute_") else Kind.MACHINE_CODE
    values: dict[str, Any] = {
        "version": (8, 4) if kind is Kind.PTX else (1, 7),
        "size": 100,
        "unpacked_size": 100,
        "compression": "none",
        "group": 0,
    }
    return DeviceImage(kind, arch, **{**values, **changes})


def device_code(*groups: Sequence[str | DeviceImage], problems: Iterable[str] = ()) -> DeviceCode:
    """One fat binary for each group, from `g0.cu`, `g1.cu` and so on."""
    images = []
    for number, group in enumerate(groups):
        for item in group:
            made = image(item) if isinstance(item, str) else item
            images.append(replace(made, group=number, identifier=f"g{number}.cu"))
    return DeviceCode(tuple(images), tuple(problems))
