# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Edits what the dynamic loader goes by: soname, needed libraries, search path. In place, on disk.

No byte of code, data or device code moves. New strings go with the old ones into a block behind the
end of the file (`block`); all else is overwritten where it is. So time and memory depend on the
size of the loader's tables, not of the file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from .block import Write, append_block, dynamic_table
from .dynamic import (
    NEEDED,
    RPATH,
    RUNPATH,
    SONAME,
    Dynamic,
    read_dynamic,
    read_version_libraries,
)
from .errors import UneditableError
from .image import PROGRAM, SHARED_OBJECT, Image, open_image

_WORD = struct.Struct("<L")


@dataclass(frozen=True)
class ElfEdit:
    """What changes in an ELF file."""

    #: New soname; "" for no change.
    soname: str = ""
    #: New names of needed libraries, by old.
    replaced: Mapping[str, str] = field(default_factory=dict)
    #: The whole search path afterwards, empty for none.
    search_path: tuple[str, ...] = ()
    #: Whether the search path goes into DT_RPATH; otherwise into DT_RUNPATH.
    rpath: bool = True


def edit_elf(stream: IO[bytes], path: str, edit: ElfEdit) -> None:
    """Edit an ELF file. Same file, same edit, same bytes; none where the file is so already.

    Args:
        stream: the file, open for reading and writing, and seekable.
        path: what to call it.
        edit: what changes.

    Raises:
        UneditableError: it is damaged, or of a kind that this does not edit; nothing was written.
    """
    try:
        image = open_image(stream)
        _check_kind(image)
        writes = _plan(image, edit)
    except (ValueError, struct.error) as error:
        raise UneditableError(
            f"`{path}` cannot be edited: {error}",
            hint="link the file so that it needs no edit: with the search path that it shall have, "
            "and without libraries that have to be copied",
        ) from error
    for offset, data in writes:
        stream.seek(offset)
        stream.write(data)


def _check_kind(image: Image) -> None:
    if not image.wide or image.order != "<":
        words = "64" if image.wide else "32"
        order = "little" if image.order == "<" else "big"
        raise ValueError(
            f"it has words of {words} bits, {order} end first; only 64 bits, little end first, "
            "are edited"
        )
    if image.kind not in (PROGRAM, SHARED_OBJECT):
        raise ValueError("it is neither a program nor a shared object")


def _plan(image: Image, edit: ElfEdit) -> list[Write]:
    segment = image.segment("DYNAMIC")
    dynamic = read_dynamic(image)
    if segment is None or not dynamic.strings.data:
        raise ValueError("it has no dynamic section with strings")
    strings = _Strings(dynamic.strings.data)
    entries = list(_entries(dynamic, edit, strings))
    writes = [
        (place, _WORD.pack(strings.offset(edit.replaced[library])))
        for place, library in read_version_libraries(image, dynamic)
        if library in edit.replaced
    ]
    if strings.grown:
        return append_block(image, dynamic, entries, bytes(strings.table), writes)
    if entries != list(dynamic.entries):
        writes.append((segment.offset, dynamic_table(dynamic, entries)))
    return writes


class _Strings:
    """A string table that grows at its end."""

    def __init__(self, table: bytes) -> None:
        if not table.endswith(b"\0"):
            raise ValueError("its dynamic string table has no end")
        self._old = len(table)
        self._added: dict[str, int] = {}
        self.table = bytearray(table)

    @property
    def grown(self) -> bool:
        return len(self.table) > self._old

    def offset(self, string: str) -> int:
        """Where a string is, now or from now on."""
        if string not in self._added:
            self._added[string] = len(self.table)
            self.table += string.encode() + b"\0"
        return self._added[string]


def _entries(dynamic: Dynamic, edit: ElfEdit, strings: _Strings) -> Iterator[tuple[int, int]]:
    """The entries of the dynamic section after an edit, in the order of before."""
    search_path = ":".join(edit.search_path)
    tag_of_path = RPATH if edit.rpath else RUNPATH
    soname = edit.soname
    for tag, value in dynamic.entries:
        if tag == NEEDED:
            library = dynamic.strings.text(value)
            yield tag, strings.offset(edit.replaced[library]) if library in edit.replaced else value
        elif tag == SONAME and soname:
            kept = dynamic.strings.text(value) == soname
            yield tag, value if kept else strings.offset(soname)
            soname = ""
        elif tag in (RPATH, RUNPATH):
            if search_path:
                kept = dynamic.strings.text(value) == search_path
                yield tag_of_path, value if kept else strings.offset(search_path)
                search_path = ""
        else:
            yield tag, value
    if soname:
        yield SONAME, strings.offset(soname)
    if search_path:
        yield tag_of_path, strings.offset(search_path)
