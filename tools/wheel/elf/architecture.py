# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Architectures of ELF files, and the memory pages that they may be loaded with."""

from __future__ import annotations

#: Architecture suffix of platform tags by ELF machine, width and byte order.
ARCHITECTURES = {
    (62, True, "<"): "x86_64",
    (183, True, "<"): "aarch64",
    (3, False, "<"): "i686",
    (40, False, "<"): "armv7l",
    (21, True, "<"): "ppc64le",
    (243, True, "<"): "riscv64",
    (22, True, ">"): "s390x",
    (258, True, "<"): "loongarch64",
}

_PAGE = 0x1000
_LARGE_PAGES = {"aarch64": 0x10000, "ppc64le": 0x10000, "loongarch64": 0x4000}


def largest_page(architecture: str) -> int:
    """Bytes of the largest page of the kernels that the architecture's platform tags promise.

    Args:
        architecture: as platform tags spell it.
    """
    return _LARGE_PAGES.get(architecture, _PAGE)
