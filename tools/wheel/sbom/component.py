# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of a wheel that come from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

#: How a part is in a wheel, and what that means.
LINKAGES = {
    "static": "its object code is linked into files of the wheel",
    "header-only": "it is compiled into files of the wheel from headers",
    "vendored": "its source or its files are in the wheel as they are",
    "grafted": "its shared library was copied into the wheel when that was repaired",
}


@dataclass(frozen=True)
class Component:
    """One part from elsewhere."""

    name: str
    version: str
    #: Package URL: pkg:pypi/pybind11@3.1.0.
    purl: str
    #: A key of `LINKAGES`.
    linkage: str
    #: SPDX expression; "" where it is unknown.
    license_expression: str = ""
    #: Where its source was taken from, and the sha256 of that archive in hex.
    source_url: str = ""
    source_sha256: str = ""
    #: Paths in the wheel that hold it, sorted.
    files: tuple[str, ...] = ()
    #: sha256 in hex of its file in the wheel, where it is a file of its own.
    sha256: str = ""
    #: sha256 in hex of that file before it was patched.
    original_sha256: str = ""
    #: What was changed, or other remarks.
    notes: str = ""
