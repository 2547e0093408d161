# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What one call of `serve nginx` or `serve buildgrid` was asked for, and how values are read."""

from __future__ import annotations

import re
from typing import NamedTuple

from tools.cache import errors
from tools.cache.door import Address

SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMGT])B?", re.IGNORECASE)
SIZE_UNITS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
LARGEST_SIZE = 10**18
"""Less than what nginx and file systems count."""

AGE = re.compile(r"([0-9]{1,9})([smhdw])")
AGE_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


class Options(NamedTuple):
    """Options of a server.

    Attributes:
        root: absolute folder of the cache.
        listen: where clients connect.
        name: by what name they do; None is found out.
        tls: certificate chain and key, absolute paths; None without, or for a self-signed one.
        self_signed: make a certificate.
        writers: absolute path of the password file of those who write.
        readers: the same of those who only read; None lets everybody read.
        max_size: bytes of entries.
        max_age: seconds after which an unused entry goes.
        max_entry: bytes of the largest entry; 0 is no bound.
    """

    root: str
    listen: Address
    name: str | None
    tls: tuple[str, str] | None
    self_signed: bool
    writers: str
    readers: str | None
    max_size: int
    max_age: float
    max_entry: int


def parse_size(option: str, text: str) -> int:
    """Bytes that a text such as `50G` means; the units are powers of 1000, and only 0 has none.

    Raises:
        OptionError: it means none.
    """
    if text == "0":
        return 0
    match = SIZE.fullmatch(text)
    if match is None:
        raise errors.OptionError(
            f"`{option}` is `{text}`, which is no size", "give a number and K, M, G or T: 50G"
        )
    size = int(float(match.group(1)) * SIZE_UNITS[match.group(2).upper()])
    if size > LARGEST_SIZE:
        raise errors.OptionError(
            f"`{option}` is `{text}`, which is larger than any disk", "give at most 1000000T"
        )
    return size


def parse_age(option: str, text: str) -> float:
    """Seconds that a text such as `30d` means.

    Raises:
        OptionError: it means none.
    """
    match = AGE.fullmatch(text)
    if match is None:
        raise errors.OptionError(
            f"`{option}` is `{text}`, which is no time",
            "give a whole number and s, m, h, d or w: 30d",
        )
    return float(int(match.group(1)) * AGE_UNITS[match.group(2)])
