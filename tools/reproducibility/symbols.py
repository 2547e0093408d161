# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which symbol of an ELF file an address belongs to."""

from __future__ import annotations

from tools.wheel.elf.elf_file import Section
from tools.wheel.elf.image import PROGRAM, SHARED_OBJECT, Image, text

#: Tables of symbols, the fuller one first, and where their names are.
_TABLES = ((".symtab", ".strtab"), (".dynsym", ".dynstr"))


def symbol_at(image: Image, section: Section, offset: int) -> str:
    """The symbol that covers a byte of a section, as `name+0x4`; "" where none is known to."""
    if image.kind not in (PROGRAM, SHARED_OBJECT) or not section.loaded:
        return ""
    address = section.address + offset
    for table, strings in _TABLES:
        found = _find(image, table, strings, address)
        if found:
            return found
    return ""


def _find(image: Image, table_name: str, strings_name: str, address: int) -> str:
    by_name = {section.name: section for section in image.sections}
    table, strings = by_name.get(table_name), by_name.get(strings_name)
    if table is None or strings is None:
        return ""
    layout = image.layout("LBBHQQ", "LLLBBH")
    data = image.read(table.offset, table.size // layout.size * layout.size)
    for fields in layout.iter_unpack(data):
        if image.wide:
            name, _, _, section, value, size = fields
        else:
            name, value, size, _, _, section = fields
        if section and value <= address < value + size:
            found = text(image.read(strings.offset, strings.size), name)
            return f"{found}+{address - value:#x}"
    return ""
