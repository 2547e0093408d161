# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""RECORD: one row of path, hash and size for every file of a wheel."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .errors import RecordError

#: Most rows of a RECORD; the biggest wheels have 20,000. Bounds the memory in use.
MAX_ROWS = 400_000

#: Hash functions that the specification admits.
ALGORITHMS = ("sha256", "sha384", "sha512")

#: Signature files that the specification keeps out of RECORD's hashes; they sign RECORD itself.
SIGNATURES = ("RECORD.jws", "RECORD.p7s")


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One row; `hash` and `size` are empty for RECORD itself."""

    path: str
    hash: str
    size: str


def encode_hash(digest: bytes, algorithm: str = "sha256") -> str:
    """A digest in RECORD's notation: URL-safe base64 without padding."""
    encoded = base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")
    return f"{algorithm}={encoded}"


def render_record(rows: Iterable[RecordRow]) -> str:
    """RECORD's text for these rows, in the order given."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow((row.path, row.hash, row.size))
    return stream.getvalue()


def parse_record(text: str, *, where: str) -> dict[str, RecordRow]:
    """RECORD's rows by path.

    Args:
        text: content of RECORD.
        where: what to call the file in an error.

    Raises:
        RecordError: the text is no CSV, a row has not three columns, a path occurs twice, or there
            are more than `MAX_ROWS`.
    """
    rows: dict[str, RecordRow] = {}
    for number, columns in enumerate(_csv_rows(text, where), start=1):
        if not columns:
            continue
        if len(rows) == MAX_ROWS:
            raise RecordError(
                f"`{where}` has more than {MAX_ROWS} rows", hint="split the wheel into several"
            )
        if len(columns) != 3:
            raise RecordError(
                f"`{where}` line {number} has {len(columns)} columns, expected 3",
                hint="rebuild the wheel; RECORD rows are `path,hash,size`",
            )
        row = RecordRow(*columns)
        if row.path in rows:
            raise RecordError(
                f"`{where}` lists `{row.path}` twice",
                hint="rebuild the wheel; each file has one row",
            )
        rows[row.path] = row
    return rows


def _csv_rows(text: str, where: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text))
    except csv.Error as error:
        raise RecordError(
            f"`{where}` cannot be read: {error}",
            hint="rebuild the wheel; RECORD rows are `path,hash,size`",
        ) from error
