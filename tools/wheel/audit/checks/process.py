# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What there may be only one of in a process, and the versions that packages must agree on."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ...inspection.facts import WheelFacts
from ...providers.families import FAMILIES, original_name
from ...providers.table import default_table
from ..check import Problem, Severity, check
from ..needs import Means, needs
from ..settings import Settings

_TVM_FFI = "apache-tvm-ffi"
_PREFIX = "TVMFFI"


@check(
    "tvm-ffi-copy",
    exit_code=98,
    behaviours=(42,),
    hint="link `libtvm_ffi.so` of the `apache-tvm-ffi` package, and require the package",
)
def tvm_ffi_copy(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Types and functions of tvm-ffi are registered once a process: no wheel has a copy of it."""
    if canonicalize_name(wheel.name.distribution) == _TVM_FFI:
        return
    for path, elf in sorted(wheel.elf_files.items()):
        names = {original_name(path), original_name(elf.soname)}
        defined = sorted(item.name for item in elf.exports if item.name.startswith(_PREFIX))
        if any(FAMILIES["tvm_ffi"].matches(name) for name in names):
            yield Problem(path, f"is a copy of `{original_name(path)}`")
        elif defined:
            what = f"defines `{defined[0]}` and {len(defined) - 1} more symbols of tvm-ffi"
            yield Problem(path, what)


@check(
    "provider-range",
    exit_code=99,
    behaviours=(4, 42),
    hint="give the requirement the bounds that its library needs",
    severity=Severity.WARNING,
)
def provider_range(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """A requirement on a library's package lets in the versions that have the library alone."""
    table = default_table()
    required = table.required(wheel.metadata.requires_dist)
    seen = set()
    for need in needs(wheel, settings):
        requirement = required.get(need.provider)
        if need.means is not Means.REQUIRED or requirement is None or need.library in seen:
            continue
        package = table.packages[need.provider]
        content = package.chosen(requirement.specifier)
        own = content is not None and need.library in content.libraries
        if not (own or need.imported):
            # An import of the package loads it, and code of the wheel chooses what to open then.
            continue
        seen.add(need.library)
        lacking = [
            version
            for version, content in package.allowed(requirement.specifier)
            if need.library not in content.libraries and need.library not in content.needs
        ]
        if lacking:
            what = f"`{requirement}` lets in {lacking[0]}, which does not bring `{need.library}`"
            yield Problem(need.path, what, need.chain)
    if canonicalize_name(wheel.name.distribution) != _TVM_FFI and _uses_tvm_ffi(wheel):
        yield from _tvm_ffi_bounds(required.get(_TVM_FFI))


def _uses_tvm_ffi(wheel: WheelFacts) -> bool:
    return any(
        symbol.name.startswith(_PREFIX)
        for elf in wheel.elf_files.values()
        for symbol in elf.imports
    )


def _tvm_ffi_bounds(requirement: Requirement | None) -> Iterator[Problem]:
    if requirement is None:
        yield Problem("", "imports symbols of tvm-ffi, and does not require `apache-tvm-ffi`")
        return
    operators = {item.operator for item in requirement.specifier}
    if not operators & {">=", ">", "==", "~=", "==="}:
        yield Problem(
            "",
            f"`{requirement}` has no lower bound, and headers of tvm-ffi need the library of "
            "their version or a later one",
            hint="require the version that the wheel was built with, or a later one",
        )
    if not operators & {"<", "<=", "==", "~=", "==="}:
        yield Problem(
            "",
            f"`{requirement}` has no upper bound, and tvm-ffi breaks its C ABI with 0.X",
            hint="exclude the next minor version",
        )


CHECKS = (tvm_ffi_copy, provider_range)
