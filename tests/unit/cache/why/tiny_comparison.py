# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two tiny logs, compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.unit.cache.why.tiny_log import FORMATS, Spawn
from tools.cache.why.causes import Comparison, compare
from tools.cache.why.log import Pool
from tools.cache.why.reading import read_log


def compared(
    folder: Path, form: str, first: Sequence[Spawn], second: Sequence[Spawn], roots: bool = True
) -> Comparison:
    """What there is to say about two builds, logged in a format."""
    return compared_bytes(folder, FORMATS[form](*first), FORMATS[form](*second), roots)


def compared_bytes(folder: Path, first: bytes, second: bytes, roots: bool = True) -> Comparison:
    """What there is to say about two logs."""
    pool = Pool()
    (folder / "1").write_bytes(first)
    (folder / "2").write_bytes(second)
    logs = read_log(folder / "1", pool), read_log(folder / "2", pool)
    return compare(*logs, pool, roots=roots)
