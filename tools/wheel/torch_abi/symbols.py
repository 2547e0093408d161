# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Tells symbols of libtorch apart: its C functions, which stay, and its C++, which changes.

`shims.json` has the C functions that came with each minor release, after the wheels on PyPI that it
names: `bazel run //tools/wheel/torch_abi:update`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

#: C functions that torch keeps from release to release, and calls its stable ABI.
SHIM = re.compile(r"(aoti_torch|torch)_\w+")
#: C++ of libc10, libtorch and libtorch_python. In Itanium mangling: the symbol's own namespace.
_CXX = re.compile(
    r"_Z(?:T[VIST]|GV|GR)?N[KVrRO]*(?:3c10|2at|5torch|6caffe2)\d|(?:_Z\d+)?THP[A-Z]\w+"
)
_NEW_STRING = "NSt7__cxx11"
#: What may stand before a name or an abbreviation in a mangled symbol.
_TOKEN = re.compile(r"S[0-9A-Z]*_|L[a-z]n?\d+E|(?P<length>\d+)|(?P<old>Ss)|.", re.DOTALL)


def is_unstable(symbol: str) -> bool:
    """Whether a symbol is C++ of libtorch, which differs from one minor release to the next."""
    return _CXX.match(symbol) is not None


def names_new_string(symbol: str) -> bool:
    """Whether a mangled symbol has the std::string of _GLIBCXX_USE_CXX11_ABI=1."""
    return _NEW_STRING in symbol


def names_old_string(symbol: str) -> bool:
    """Whether a mangled symbol has the std::string of _GLIBCXX_USE_CXX11_ABI=0, mangled `Ss`."""
    place = 2
    while place < len(symbol):
        token = _TOKEN.match(symbol, place)
        if token is None or token["old"]:
            return token is not None
        place = token.end() + int(token["length"] or 0)
    return False


@cache
def shims() -> Mapping[str, tuple[int, int]]:
    """The first minor release of torch with each C function that the oldest known one lacks."""
    table = json.loads(Path(__file__).with_name("shims.json").read_text(encoding="utf-8"))
    return {
        name: (int(major), int(minor))
        for version, names in table["added"].items()
        for major, minor in [version.split(".")]
        for name in names
    }
