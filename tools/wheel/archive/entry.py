# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""One file as a zip archive stores it."""

from __future__ import annotations

import stat
from dataclasses import dataclass

_ANY_EXECUTE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


@dataclass(frozen=True, slots=True)
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
    #: Type bits of the mode, 0 where the archive has none.
    file_type: int = 0
    crc: int = 0
    #: Where its data starts in the archive, in bytes.
    offset: int = 0

    @property
    def is_folder(self) -> bool:
        """Whether it stands for a folder; wheels need none."""
        return self.path.endswith("/")

    @property
    def executable(self) -> bool:
        """Whether installers make the file executable."""
        return bool(self.mode & _ANY_EXECUTE)
