# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which symbol of an ELF file covers a byte."""

from __future__ import annotations

from tools.wheel.elf.elf_file import Section
from tools.wheel.elf.image import Image, Strings

#: Tables of symbols, the fuller one first, and where their names are.
_TABLES = ((".symtab", ".strtab"), (".dynsym", ".dynstr"))


def symbol_at(image: Image, section: Section, offset: int) -> str:
    """The symbol that covers a byte of a section, as `name+0x4`; "" where none does."""
    by_name = {other.name: other for other in image.sections}
    for table, strings in _TABLES:
        if table in by_name and strings in by_name:
            found = _find(image, by_name[table], by_name[strings], section, offset)
            if found:
                return found
    return ""


def _find(image: Image, table: Section, strings: Section, section: Section, offset: int) -> str:
    layout = image.layout("LBBHQQ", "LLLBBH")
    data = image.read(table.offset, table.size // layout.size * layout.size)
    # Sections of GPU code and of object files all have address 0: the index tells them apart.
    index, address = image.sections.index(section), section.address + offset
    for fields in layout.iter_unpack(data):
        if image.wide:
            name, _, _, place, value, size = fields
        else:
            name, value, size, _, _, place = fields
        if place == index and value <= address < value + size:
            found = Strings(image.read(strings.offset, strings.size)).text(name)
            return f"{found}+{address - value:#x}"
    return ""
