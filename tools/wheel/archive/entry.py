# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""One file as a zip archive stores it."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One file of an archive, by its entry in the central directory."""

    path: str
    size: int
    compressed_size: int
    #: 0 for stored, 8 for deflated.
    method: int
    #: General purpose flags of the zip format.
    flags: int
    #: Permission bits, 0 where the archive has none.
    mode: int

    @classmethod
    def of(cls, info: zipfile.ZipInfo) -> Entry:
        """The entry that the standard library read."""
        return cls(
            path=info.filename,
            size=info.file_size,
            compressed_size=info.compress_size,
            method=info.compress_type,
            flags=info.flag_bits,
            mode=info.external_attr >> 16 & 0o7777,
        )
