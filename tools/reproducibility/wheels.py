# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Compares two wheels: the archive, each file's place in it, each file's content."""

from __future__ import annotations

import hashlib
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.wheel.archive.errors import BadArchiveError, ToolError
from tools.wheel.archive.reader import MAX_RECORD, WheelReader, open_wheel
from tools.wheel.archive.record import parse_record
from tools.wheel.archive.zipfile_format import DEFLATED, STORED
from tools.wheel.elf.image import MAGIC

from .difference import Difference, Findings, compare_bytes, first_difference, sides, sizes
from .elf import compare_elf
from .text import compare_text, decoded

_METHODS = {STORED: "stored", DEFLATED: "deflated"}

#: Fields of a file's entry, and how to show them. Others follow from the content.
_FIELDS: tuple[tuple[str, Callable[[zipfile.ZipInfo], object]], ...] = (
    ("time", lambda info: "{}-{:02}-{:02} {:02}:{:02}:{:02}".format(*info.date_time)),
    ("mode", lambda info: stat.filemode(info.external_attr >> 16)),
    ("attributes", lambda info: f"{info.external_attr & 0xFFFF:#x}, {info.internal_attr:#x}"),
    ("compression", lambda info: _METHODS[info.compress_type]),
    ("flags", lambda info: f"{info.flag_bits:#x}"),
    ("system", lambda info: f"{info.create_system}, {info.create_version}, {info.extract_version}"),
    ("extra fields", lambda info: info.extra.hex() or "none"),
    ("comment", lambda info: info.comment or "none"),
)


@dataclass(frozen=True)
class Comparison:
    """Two wheels and what differs between them."""

    wheels: tuple[Path, Path]
    #: sha256 of each.
    digests: tuple[str, str]
    #: Empty where the digests are the same, and only there.
    differences: tuple[Difference, ...]
    #: Files whose content differs, RECORD last; both are in the folder of the comparison.
    contents: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the wheels have the same bytes."""
        return self.digests[0] == self.digests[1]


def extracted(folder: Path, path: str) -> tuple[Path, Path]:
    """Where a comparison leaves the two versions of a file whose content differs."""
    return folder / "first" / path, folder / "second" / path


def compare_wheels(first: Path, second: Path, folder: Path) -> Comparison:
    """Compare two wheels.

    Args:
        first: one wheel.
        second: the other.
        folder: empty folder for the files that differ.

    Raises:
        ToolError: one of them is no wheel.
    """
    with open_wheel(first) as one, open_wheel(second) as other:
        digests = _sha256(first), _sha256(second)
        if digests[0] == digests[1]:
            return Comparison((first, second), digests, (), ())
        peers = set(other.paths)
        paths = [path for path in one.paths if path in peers]
        differing = {path for path in paths if _hash(one, path) != _hash(other, path)}
        contents = sorted((path for path in paths if path in differing), key=_is_record)
        found = list(_archive(one, other))
        found += _entries(first, second, paths)
        same = [path for path in paths if path not in differing]
        found += _packing((first, one), (second, other), same)
        for path in contents:
            places = extracted(folder, path)
            one.extract(path, places[0])
            other.extract(path, places[1])
            parts = _content(*(place.read_bytes() for place in places))
            found += [Difference(path, part, what) for part, what in parts]
        found += _record(one, other, contents)
    order = {path: number for number, path in enumerate(["", *paths, *contents])}
    found.sort(key=lambda difference: order.get(difference.path, 0.5))
    if not found:
        parts = compare_bytes(first.read_bytes(), second.read_bytes())
        found = [Difference("", f"{part}, outside of every file", what) for part, what in parts]
    return Comparison((first, second), digests, tuple(found), tuple(contents))


def _archive(one: WheelReader, other: WheelReader) -> Iterator[Difference]:
    if one.name != other.name:
        yield Difference("", "name", sides(f"`{one.name}`", f"`{other.name}`"))
    ones, others = set(one.paths), set(other.paths)
    for path in one.paths:
        if path not in others:
            yield Difference(path, "file", "only in the first")
    for path in other.paths:
        if path not in ones:
            yield Difference(path, "file", "only in the second")
    both = ones & others
    orders = [[path for path in wheel.paths if path in both] for wheel in (one, other)]
    for number, (path, peer) in enumerate(zip(*orders, strict=True)):
        if path != peer:
            yield Difference("", "order", f"file {number}: {sides(f'`{path}`', f'`{peer}`')}")
            return


def _entries(first: Path, second: Path, paths: list[str]) -> Iterator[Difference]:
    with _zipfile(first) as one, _zipfile(second) as other:
        if one.comment != other.comment:
            yield Difference("", "comment", sides(one.comment, other.comment))
        ones, others = (
            {info.orig_filename: info for info in archive.infolist()} for archive in (one, other)
        )
    for path in paths:
        for name, show in _FIELDS:
            values = show(ones[path]), show(others[path])
            if values[0] != values[1]:
                yield Difference(path, name, sides(*values))


def _zipfile(path: Path) -> zipfile.ZipFile:
    """The archive as the standard library reads it, which takes less than `open_wheel` does."""
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise BadArchiveError(
            f"cannot read `{path}`: {error}",
            hint="fetch the wheel again, or rebuild it with another tool",
        ) from error


def _packing(
    first: tuple[Path, WheelReader], second: tuple[Path, WheelReader], paths: list[str]
) -> Iterator[Difference]:
    """Files of the same content whose compressed bytes differ."""
    with first[0].open("rb") as one, second[0].open("rb") as other:
        for path in paths:
            entries = first[1].entry(path), second[1].entry(path)
            data = []
            for stream, entry in zip((one, other), entries, strict=True):
                stream.seek(entry.offset)
                data.append(stream.read(entry.compressed_size))
            if entries[0].method == entries[1].method and data[0] != data[1]:
                what = (
                    f"the same content in {sizes(*data)}, from byte "
                    f"{first_difference(*data):#x}: another compressor or level"
                )
                yield Difference(path, "compression", what)


def _content(one: bytes, other: bytes) -> Findings:
    if one.startswith(MAGIC) and other.startswith(MAGIC):
        return compare_elf(one, other)
    texts = decoded(one), decoded(other)
    if texts[0] is not None and texts[1] is not None:
        return compare_text(texts[0], texts[1])
    return compare_bytes(one, other)


def _record(one: WheelReader, other: WheelReader, contents: list[str]) -> Iterator[Difference]:
    """Whether RECORD differs only because files do."""
    record = f"{one.dist_info}/RECORD"
    if record not in contents:
        return
    try:
        rows, others = (
            parse_record(reader.read_text(record, MAX_RECORD), where=record)
            for reader in (one, other)
        )
    except ToolError:
        return  # malformed, and its lines are compared already
    differing = {path for path in {*rows, *others} if rows.get(path) != others.get(path)}
    if differing and differing <= {*contents, *(set(one.paths) ^ set(other.paths))}:
        yield Difference(record, "cause", "rows of the files above alone; it follows from them")


def _is_record(path: str) -> bool:
    return path.endswith(".dist-info/RECORD")


def _hash(wheel: WheelReader, path: str) -> bytes:
    digest = hashlib.sha256()
    for chunk in wheel.chunks(path):
        digest.update(chunk)
    return digest.digest()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
