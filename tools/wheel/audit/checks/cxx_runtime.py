# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runtimes of languages that are linked into a file and seen outside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...elf.elf_file import Binding
from ...inspection.facts import WheelFacts
from ..check import Problem, Severity, check
from ..settings import Settings
from .wording import some

#: Defined once by a runtime, never by what a compiler makes of a header.
_RUNTIMES = {
    "the C++ runtime": re.compile(
        r"__cxa_(throw|rethrow|begin_catch|end_catch|allocate_exception|get_globals)"
        r"|__gxx_personality_v0|__dynamic_cast|_ZSt(9terminate|10unexpected)v|_ZSt4(cout|cerr)"
        r"|_ZNSt8ios_base4InitC[12]Ev|_ZNSt3__1(4cout|4cerr)E"
    ),
    "the unwinder": re.compile(r"_Unwind_(RaiseException|Resume|Backtrace|GetIP)"),
    "the OpenMP runtime": re.compile(r"GOMP_parallel|__kmpc_fork_call|omp_get_thread_num"),
}
#: The runtimes themselves, also under the names that repair gives to copies.
_LIBRARY = re.compile(
    r"lib(stdc\+\+|c\+\+|c\+\+abi|supc\+\+|cxxrt|gcc_s|unwind|gomp|omp|iomp5|nvomp)[-.].*"
)


@check(
    "cxx-runtime-exported",
    exit_code=81,
    behaviours=(16,),
    severity=Severity.WARNING,
    hint="link with `-Wl,--exclude-libs,ALL`, or with a version script that names what to export",
)
def exported(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No file offers its own copy of a runtime to others, which mix it up with the system's."""
    for path, elf in sorted(wheel.elf_files.items()):
        if elf.executable or _LIBRARY.match(elf.soname or path.rpartition("/")[2]):
            continue
        strong = [symbol.name for symbol in elf.exports if symbol.binding is not Binding.WEAK]
        for runtime, pattern in _RUNTIMES.items():
            found = sorted(name for name in strong if pattern.fullmatch(name))
            if found:
                yield Problem(path, f"it has a copy of {runtime} and exports {some(found)} of it")


CHECKS = (exported,)
