# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether the ELF files keep what the platform tag promises."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...elf.elf_file import ElfFile
from ...elf.graph import ElfGraph
from ...inspection.facts import WheelFacts
from ...platforms.errors import UnknownPlatformError
from ...platforms.faults import forbidden_symbols, new_versions
from ...platforms.policy import PlatformPolicy, known_policies, nearest_policy
from ..check import Problem, Severity, check
from ..errors import SettingsError
from ..settings import Settings
from .wording import some

_TAG = re.compile(
    r"(?P<libc>manylinux|musllinux|linux)(?:_\d+_\d+|1|2010|2014)?_(?P<architecture>\w+)"
)
#: Tags of systems whose loader takes no ELF file.
_NO_ELF = re.compile(r"macosx_.*|win32|win_.*|ios_.*")
#: A wheel with files that only another system loads chooses at run time.
_OTHER_SYSTEMS = (".dll", ".dylib", ".exe", ".pyd")
#: The C libraries of systems that are maintained in 2027. A tag for the oldest is old enough.
_SYSTEMS = {
    "RHEL 8": (2, 28),
    "RHEL 9": (2, 34),
    "Ubuntu 22.04": (2, 35),
    "Debian 12": (2, 36),
    "RHEL 10 and Ubuntu 24.04": (2, 39),
}
_GLIBC, _MUSL = re.compile(r"libc\.so\.6(\.1)?"), re.compile(r"libc\.musl-\w+\.so\.1|libc\.so")


def promised_policy(wheel: WheelFacts, settings: Settings) -> PlatformPolicy | None:
    """The platform that a wheel is held to: the one declared, else the oldest one of its tags.

    Raises:
        SettingsError: the declared one has no policy.
    """
    tags = wheel.name.platform_tag.split(".")
    if settings.policy:
        try:
            policies = [
                nearest_policy(f"{settings.policy}_{architecture}")
                for architecture in sorted(_architectures(wheel))
            ]
        except UnknownPlatformError as error:
            raise SettingsError(
                f"there is no platform `{settings.policy}`", hint="write it like `manylinux_2_27`"
            ) from error
    else:
        policies = [nearest_policy(tag) for tag in tags if tag.startswith("manylinux")]
    known = [policy for policy in policies if policy]
    return min(known, key=lambda policy: policy.glibc, default=None)


def _architectures(wheel: WheelFacts) -> set[str]:
    matches = (_TAG.fullmatch(tag) for tag in wheel.name.platform_tag.split("."))
    return {match["architecture"] for match in matches if match}


@check(
    "platform-symbols",
    exit_code=80,
    behaviours=(18, 19),
    hint="build against a C library no newer than the platform's, or tag the wheel for the "
    "platform that it needs",
)
def symbols(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every file does with the symbols and instructions that its platform tag promises."""
    policy = promised_policy(wheel, settings)
    if policy is None:
        return
    graph = ElfGraph(wheel.elf_files)
    enough = _enough(wheel, policy.architecture, graph)
    hint = (
        f"its files do with `{enough.base}`: tag it so, or build on an older one" if enough else ""
    )
    for path, elf in sorted(wheel.elf_files.items()):
        for fault in _faults(elf, policy, graph):
            yield Problem(path, fault, chain=_chain(graph, path), hint=hint)
        if elf.isa:
            yield Problem(
                path,
                f"it asks for a processor of level {elf.isa}, and the loader refuses it on others; "
                f"`{policy.base}_{policy.architecture}` promises the first level",
                hint="compile for the baseline of the architecture, and choose faster code at run "
                "time",
            )


def _enough(wheel: WheelFacts, architecture: str, graph: ElfGraph) -> PlatformPolicy | None:
    """The oldest platform whose symbols all files do with."""
    for policy in known_policies(architecture):
        if not any(next(_faults(elf, policy, graph), "") for elf in wheel.elf_files.values()):
            return policy
    return None


def _chain(graph: ElfGraph, path: str) -> tuple[str, ...]:
    chain = graph.chain(path)
    return chain if len(chain) > 1 else ()


def _faults(elf: ElfFile, policy: PlatformPolicy, graph: ElfGraph) -> Iterator[str]:
    """What a file asks of the platform's libraries that they do not have."""
    for new in new_versions(elf, policy, graph.find):
        why = f" for {some(new.symbols)}" if new.symbols else ""
        others = len(new.versions) - 1
        rest = f" and {others} more version{'s' if others > 1 else ''}" if others else ""
        yield (
            f"it needs {new.versions[0]} of `{new.library}`{why}{rest}, newer than `{policy.base}`"
        )
    for forbidden in forbidden_symbols(elf, policy, graph.find):
        yield (
            f"it uses {some(forbidden.symbols)} of `{forbidden.library}`, which not all of "
            f"`{policy.base}` has"
        )


@check(
    "platform-machine",
    exit_code=82,
    behaviours=(18,),
    hint="build each file for the machine and C library of the wheel's tag, and leave others out",
)
def machine(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The code is for the architecture and the C library of the platform tag."""
    if wheel.name.is_pure:
        yield from _code_for_any_platform(wheel)
        return
    architectures = _architectures(wheel)
    libcs = {
        match["libc"] for tag in wheel.name.platform_tag.split(".") if (match := _TAG.match(tag))
    }
    graph = ElfGraph(wheel.elf_files)
    tags = wheel.name.platform_tag
    if all(map(_NO_ELF.fullmatch, tags.split("."))):
        for path in graph.modules:
            yield Problem(path, f"it is for Linux or another system with ELF; the tag is `{tags}`")
    if not architectures:
        return
    strange = {
        path: fault
        for path, elf in sorted(wheel.elf_files.items())
        if (fault := _strangeness(elf, architectures, libcs))
    }
    # Files that no import reaches may be data: firmware, or programs for other machines.
    for path, fault in strange.items():
        if path in graph.imported or len(strange) == len(wheel.elf_files):
            yield Problem(path, f"{fault}; the tag is `{tags}`")


def _strangeness(elf: ElfFile, architectures: set[str], libcs: set[str]) -> str:
    if elf.architecture not in architectures:
        return f"it is for {elf.architecture}"
    other = _MUSL if libcs == {"manylinux"} else _GLIBC if libcs == {"musllinux"} else None
    found = next((name for name in elf.needed if other and other.fullmatch(name)), "")
    return f"it needs `{found}`, another C library" if found else ""


def _code_for_any_platform(wheel: WheelFacts) -> Iterator[Problem]:
    machines = {elf.architecture for elf in wheel.elf_files.values()}
    if len(machines) > 1 or any(path.endswith(_OTHER_SYSTEMS) for path in wheel.paths):
        return
    for path, elf in sorted(wheel.elf_files.items()):
        yield Problem(
            path,
            f"it is for {elf.architecture}; the tag `any` brings it to every machine",
            hint="give the wheel a platform tag: `Root-Is-Purelib: false`, and repair it",
        )


@check(
    "platform-floor",
    exit_code=89,
    behaviours=(18,),
    severity=Severity.NOTE,
    hint="repair it for the older platform",
)
def floor(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The tag keeps the wheel from no system in wide use whose libraries would do."""
    policy = promised_policy(wheel, Settings())
    if policy is None or not wheel.elf_files:
        return
    enough = _enough(wheel, policy.architecture, ElfGraph(wheel.elf_files))
    kept_out = [
        name for name, glibc in _SYSTEMS.items() if enough and enough.glibc <= glibc < policy.glibc
    ]
    if enough and kept_out:
        yield Problem(
            "",
            f"its tag `{policy.base}` keeps it from {', '.join(kept_out)}; its files do with "
            f"`{enough.base}`",
        )


CHECKS = (symbols, machine, floor)
