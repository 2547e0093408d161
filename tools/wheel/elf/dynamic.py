# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the dynamic loader reads: the dynamic section, symbols and their versions.

Everything is found as the loader finds it, by address from the dynamic segment. Section headers,
which the loader never reads, tell no more than the number of symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from .elf_file import Binding, Symbol
from .image import Image, Strings

NULL = 0
NEEDED, SONAME, RPATH, RUNPATH = 1, 14, 15, 29
_HASH, STRTAB, _SYMTAB, STRSZ = 4, 5, 6, 10
_GNU_HASH, _VERSYM = 0x6FFFFEF5, 0x6FFFFFF0
_VERDEF, _VERDEFNUM, _VERNEED, _VERNEEDNUM = 0x6FFFFFFC, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF

#: Tags whose values are addresses of tables for the loader, which find them by nothing else.
POINTERS = (_HASH, STRTAB, _SYMTAB, _GNU_HASH, _VERSYM, _VERDEF, _VERNEED)

#: Where a record of needed versions names its library.
_VERNEED_LIBRARY = 4

_TAG_LIMIT = 1 << 12
_SYMBOL_LIMIT = 1 << 20
#: Versions have numbers of 15 bits.
_VERSION_LIMIT = 1 << 15
_HIDDEN = 0x8000
#: The version may be absent at run time.
_WEAK = 2
#: The version is the name of the library itself.
_BASE = 1

_BINDINGS = {binding.value: binding for binding in Binding}


@dataclass(frozen=True)
class Version:
    """A symbol version asked of a library."""

    library: str
    name: str
    #: Whether the loader goes on without it.
    weak: bool


@dataclass(frozen=True)
class Dynamic:
    """The dynamic section."""

    #: Tags and values, in the order of the file.
    entries: tuple[tuple[int, int], ...] = ()
    strings: Strings = field(default_factory=lambda: Strings(b""))
    #: How many entries there is room for, behind the one that ends the section.
    spare: int = 0

    def text(self, tag: int) -> tuple[str, ...]:
        """The strings of a tag."""
        return tuple(self.strings.text(value) for found, value in self.entries if found == tag)

    def value(self, tag: int) -> int | None:
        """The value of a tag that occurs once."""
        return next((value for found, value in self.entries if found == tag), None)


def read_dynamic(image: Image) -> Dynamic:
    """Read the dynamic section; empty for a static program, or for debug information kept apart.

    Raises:
        ValueError: it is damaged.
    """
    segment = image.segment("DYNAMIC")
    apart = any(item.name == ".dynamic" and item.kind == "NOBITS" for item in image.sections)
    if segment is None or segment.file_size == 0 or apart:
        return Dynamic()
    layout = image.layout("qQ", "lL")
    count = segment.file_size // layout.size
    if count > _TAG_LIMIT:
        raise ValueError(f"a dynamic section of {count} entries is none of a real file")
    table = list(layout.iter_unpack(image.read(segment.offset, count * layout.size)))
    used = list(takewhile(lambda entry: entry[0] != NULL, table))
    unused = list(takewhile(lambda entry: entry[0] == NULL, table[len(used) :]))
    if not unused:
        raise ValueError("its dynamic section has no end")
    dynamic = Dynamic(tuple(used), spare=len(unused) - 1)
    address = dynamic.value(STRTAB)
    if address is None:
        return dynamic
    strings = image.read(image.offset(address), dynamic.value(STRSZ) or 0)
    return replace(dynamic, strings=Strings(strings))


def read_needed_versions(image: Image, dynamic: Dynamic) -> dict[int, Version]:
    """The versions asked of libraries, by the index that symbols refer to."""
    versions: dict[int, Version] = {}
    seen = 0
    head, auxiliary = image.layout("HHLLL", "HHLLL"), image.layout("LHHLL", "LHHLL")
    for offset in _chain(image, dynamic, _VERNEED, _VERNEEDNUM, step=3 * 4):
        _, count, library, first, _ = head.unpack(image.read(offset, head.size))
        place = offset + first
        for _ in range(count):
            fields = auxiliary.unpack(image.read(place, auxiliary.size))
            _, flags, index, name, following = fields
            seen += 1
            if seen > _VERSION_LIMIT:
                raise ValueError("it needs more symbol versions than there can be")
            versions[index & ~_HIDDEN] = Version(
                dynamic.strings.text(library), dynamic.strings.text(name), bool(flags & _WEAK)
            )
            if following == 0:
                break
            place += following
    return versions


def read_version_libraries(image: Image, dynamic: Dynamic) -> Iterator[tuple[int, str]]:
    """The libraries that versions are asked of, each with the place of its name's offset."""
    word = image.layout("L", "L")
    for offset in _chain(image, dynamic, _VERNEED, _VERNEEDNUM, step=3 * 4):
        place = offset + _VERNEED_LIBRARY
        (library,) = word.unpack(image.read(place, word.size))
        yield place, dynamic.strings.text(library)


def read_defined_versions(image: Image, dynamic: Dynamic) -> dict[int, str]:
    """The versions that it offers, by the index that symbols refer to."""
    versions = {}
    head, auxiliary = image.layout("HHHHLLL", "HHHHLLL"), image.layout("LL", "LL")
    for offset in _chain(image, dynamic, _VERDEF, _VERDEFNUM, step=4 * 4):
        _, flags, index, _, _, first, _ = head.unpack(image.read(offset, head.size))
        name, _ = auxiliary.unpack(image.read(offset + first, auxiliary.size))
        if not flags & _BASE:
            versions[index & ~_HIDDEN] = dynamic.strings.text(name)
    return versions


def _chain(image: Image, dynamic: Dynamic, start: int, number: int, *, step: int) -> Iterator[int]:
    """Places of the records of a chain; each holds the distance to the next, `step` bytes in."""
    address, count = dynamic.value(start), dynamic.value(number) or 0
    if address is None:
        return
    if count > _VERSION_LIMIT:
        raise ValueError(f"a chain of {count} symbol versions is none of a real file")
    offset = image.offset(address)
    word = image.layout("L", "L")
    for _ in range(count):
        yield offset
        (distance,) = word.unpack(image.read(offset + step, word.size))
        if distance == 0:
            return
        offset += distance


def read_symbols(
    image: Image, dynamic: Dynamic, needed: Mapping[int, Version], defined: Mapping[int, str]
) -> Iterator[Symbol]:
    """The dynamic symbols but for the null one. Big libraries have hundreds of thousands.

    Raises:
        ValueError: the table is damaged.
    """
    address = dynamic.value(_SYMTAB)
    if address is None:
        return
    layout = image.layout("LBBHQQ", "LLLBBH")
    count = _symbol_count(image, dynamic, address, layout.size)
    if count > _SYMBOL_LIMIT:
        raise ValueError(f"a table of {count} dynamic symbols is none of a real file")
    table = image.read(image.offset(address), count * layout.size)
    indices: tuple[int, ...] = (1,) * count
    versym = dynamic.value(_VERSYM)
    if versym is not None:
        halves = image.layout(f"{count}H", f"{count}H")
        indices = halves.unpack(image.read(image.offset(versym), halves.size))

    for number, (fields, index) in enumerate(zip(layout.iter_unpack(table), indices, strict=True)):
        if number == 0:
            continue
        info, section = (fields[1], fields[3]) if image.wide else (fields[3], fields[5])
        index &= ~_HIDDEN
        asked = needed.get(index)
        yield Symbol(
            name=dynamic.strings.text(fields[0]),
            version=asked.name if asked else defined.get(index, ""),
            library=asked.library if asked else "",
            binding=_BINDINGS.get(info >> 4, Binding.GLOBAL),
            defined=section != 0,
        )


def _symbol_count(image: Image, dynamic: Dynamic, address: int, size: int) -> int:
    """The number of symbols, which only section headers and hash tables tell."""
    for section in image.sections:
        if section.kind == "DYNSYM" and section.address == address:
            return section.size // size
    words = dynamic.value(_HASH)
    if words is not None:
        _, chains = image.layout("LL", "LL").unpack(image.read(image.offset(words), 8))
        return int(chains)
    table = dynamic.value(_GNU_HASH)
    return 0 if table is None else _gnu_symbol_count(image, image.offset(table))


def _gnu_symbol_count(image: Image, offset: int) -> int:
    """The end of the last chain of a DT_GNU_HASH table."""
    head = image.layout("4L", "4L")
    buckets, first, filter_words, _ = head.unpack(image.read(offset, head.size))
    buckets_offset = offset + head.size + filter_words * (8 if image.wide else 4)
    numbers = image.layout(f"{buckets}L", f"{buckets}L")
    last = max(numbers.unpack(image.read(buckets_offset, numbers.size)), default=0)
    if last < first:
        return int(first)
    chain = buckets_offset + numbers.size + (last - first) * 4
    word = image.layout("L", "L")
    for number in range(last, _SYMBOL_LIMIT):
        (value,) = word.unpack(image.read(chain, word.size))
        if value & 1:
            return int(number) + 1
        chain += word.size
    raise ValueError("the last chain of its symbol hash table has no end")
