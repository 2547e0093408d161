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
from .wording import chain_to, some

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
            what = f"is a copy of `{original_name(path)}`"
        elif defined:
            what = f"defines {some(defined, most=1)} of tvm-ffi"
        else:
            continue
        yield Problem(path, what, chain_to(wheel, path))


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
    if canonicalize_name(wheel.name.distribution) != _TVM_FFI:
        yield from _tvm_ffi_bounds(wheel, required.get(_TVM_FFI))


def _tvm_ffi_bounds(wheel: WheelFacts, requirement: Requirement | None) -> Iterator[Problem]:
    """What the requirement on tvm-ffi lacks, by the first file that uses it."""
    path, symbol = next(_uses_of_tvm_ffi(wheel), ("", ""))
    if not path:
        return
    use = f"it uses `{symbol}`"
    chain = chain_to(wheel, path)
    if requirement is None:
        yield Problem(
            path,
            f"{use}, and the wheel does not require `{_TVM_FFI}`",
            chain,
            hint=f"require `{_TVM_FFI}` from the version that the wheel was built with up to the "
            "next minor version",
        )
        return
    operators = {item.operator for item in requirement.specifier}
    if not operators & {">=", ">", "==", "~=", "==="}:
        yield Problem(
            path,
            f"{use}, and `{requirement}` has no lower bound: its headers need the library of "
            "their version or a later one",
            chain,
            hint="require the version that the wheel was built with, or a later one",
        )
    if not operators & {"<", "<=", "==", "~=", "==="}:
        yield Problem(
            path,
            f"{use}, and `{requirement}` has no upper bound: its C ABI changes with each 0.X",
            chain,
            hint="exclude the next minor version",
        )


def _uses_of_tvm_ffi(wheel: WheelFacts) -> Iterator[tuple[str, str]]:
    for path, elf in sorted(wheel.elf_files.items()):
        for symbol in elf.imports:
            if symbol.name.startswith(_PREFIX):
                yield path, symbol.name


CHECKS = (tvm_ffi_copy, provider_range)
