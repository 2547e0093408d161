# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which symbol of an ELF file covers a byte."""

from __future__ import annotations

import struct

from tools.wheel.elf.elf_file import Section
from tools.wheel.elf.image import Image, Strings

#: Tables of symbols, the fuller one first, and where their names are.
_TABLES = ((".symtab", ".strtab"), (".dynsym", ".dynstr"))


def symbol_at(image: Image, section: Section, offset: int) -> str:
    """The symbol that covers a byte of a section, as `name+0x4`; "" where none with a name does.

    In a table of symbols it is the one whose entry the byte is of, as `name`.
    """
    try:
        return _symbol_at(image, section, offset)
    except (ValueError, struct.error):
        return ""  # the tables are damaged; where the section differs is known without them


def _symbol_at(image: Image, section: Section, offset: int) -> str:
    by_name = {other.name: other for other in image.sections}
    for table, strings in _TABLES:
        if table in by_name and strings in by_name:
            names = Strings(image.read(by_name[strings].offset, by_name[strings].size))
            if section == by_name[table]:
                return _entry(image, section, names, offset)
            found = _find(image, by_name[table], names, section, offset)
            if found:
                return found
    return ""


def _layout(image: Image) -> struct.Struct:
    return image.layout("LBBHQQ", "LLLBBH")


def _entry(image: Image, table: Section, names: Strings, offset: int) -> str:
    layout = _layout(image)
    start = offset // layout.size * layout.size
    entry = image.read(table.offset + start, layout.size)
    return names.text(layout.unpack(entry)[0])


def _find(image: Image, table: Section, names: Strings, section: Section, offset: int) -> str:
    layout = _layout(image)
    data = image.read(table.offset, table.size // layout.size * layout.size)
    # Sections of GPU code and of object files all have address 0: the index tells them apart.
    index, address = image.sections.index(section), section.address + offset
    for fields in layout.iter_unpack(data):
        if image.wide:
            name, _, _, place, value, size = fields
        else:
            name, value, size, _, _, place = fields
        if place == index and value <= address < value + size:
            return f"{names.text(name)}+{address - value:#x}"
    return ""
