# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The GPU code in a wheel: for which GPUs it is, and what it weighs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...fatbin.arch import GpuArch, parse_arch
from ...fatbin.image import DeviceCode, KernelGroup, Kind
from ...fatbin.summary import summarize_all
from ...inspection.facts import WheelFacts
from ..check import Problem, Severity, check
from ..settings import Settings
from .archive import limit_without_asking

_MIB = 1 << 20
#: Fat binaries named in a message; the others are counted.
_NAMED = 3
#: From how many fat binaries on a few can differ from the others.
_MANY = 3


@check(
    "device-code-unreadable",
    exit_code=100,
    behaviours=(23,),
    severity=Severity.WARNING,
    hint="try `cuobjdump`: where it reads more, the other checks of GPU code are blind",
)
def unreadable(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every fat binary can be read, so that what follows is about all GPU code."""
    for path, code in sorted(wheel.device_code.items()):
        for problem in code.problems:
            yield Problem(path, problem)


@check(
    "device-code-missing",
    exit_code=101,
    behaviours=(23,),
    hint="add the architecture to the build (`-gencode`), or take it off the declared `archs`",
)
def missing(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """There is GPU code, and every file with any has all that the project declares in `archs`."""
    declared = settings.archs
    files = list(_own(wheel))
    if declared and not files:
        yield Problem("", f"no file has GPU code; declared is {', '.join(declared)}")
    for path, code in files:
        absent = [name for name in declared if name not in code.names]
        if absent:
            has = ", ".join(sorted(code.names))
            yield Problem(path, f"it has no {' and no '.join(absent)}; it has {has}")


@check(
    "device-code-gap",
    exit_code=102,
    behaviours=(23,),
    hint="compile these sources for the same architectures as the others; kernels that are for "
    "one GPU by design are a reason to suppress this for the file",
)
def gap(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every kernel has code for all the GPUs that the project declares in `archs`."""
    declared = settings.archs
    for path, code in _own(wheel):
        for name in declared:
            if name not in code.names:
                continue
            without = [group for group in code.groups if not _covers(group, name)]
            if without:
                yield Problem(path, _gap(code, without, name))


@check(
    "device-code-uneven",
    exit_code=103,
    behaviours=(23,),
    severity=Severity.NOTE,
    hint="declare `archs` to have every kernel held to the same list",
)
def uneven(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Where no `archs` are declared: a GPU that nearly all kernels of a file run on, all run on."""
    for path, code in _own(wheel) if not settings.archs else ():
        # Code for the features of one GPU or one family alone is for it by design.
        groups = [
            group
            for group in code.groups
            if any(not item.arch.feature_set for item in group.images)
        ]
        machine_code = {item.arch for item in code.images if item.kind is Kind.MACHINE_CODE}
        lacking: dict[int, list[str]] = {}
        for gpu in sorted({GpuArch(arch.number) for arch in machine_code}):
            without = [group for group in groups if not group.serves(gpu)]
            if len(groups) >= _MANY and len(without) <= max(1, len(groups) // 10):
                for group in without:
                    lacking.setdefault(group.number, []).append(f"sm_{gpu}")
        if lacking:
            named = [
                f"{group} has no code for {', '.join(lacking[group.number])}"
                for group in groups
                if group.number in lacking
            ]
            yield Problem(
                path,
                f"{len(lacking)} of {len(code.groups)} fat binaries lack code for GPUs that the "
                f"others are for: {_first(named)}",
            )


@check(
    "device-code-not-forward",
    exit_code=104,
    behaviours=(23,),
    severity=Severity.NOTE,
    hint="add PTX (`-gencode arch=compute_XY,code=compute_XY`) for GPUs that do not exist yet",
)
def not_forward(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Where no `archs` are declared: there is PTX, which later GPUs run."""
    later = GpuArch(10_000)
    for path, code in _own(wheel) if not settings.archs else ():
        if code.groups and not any(group.serves(later) for group in code.groups):
            newest = max(image.arch.number for image in code.images)
            yield Problem(path, f"no GPU after sm_{newest} runs it: it has no PTX for later ones")


@check(
    "device-code-size",
    exit_code=108,
    behaviours=(26,),
    severity=Severity.NOTE,
    hint="leave out architectures, let nvcc compress (`-Xfatbin=-compress-all`, from CUDA 12.8 on "
    "`--compress-mode=size`), or ask the index for a higher limit",
)
def size(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Where the wheel is over its limit: what each architecture takes, and which to leave out."""
    limit = limit_without_asking(wheel, settings)
    if wheel.size <= limit or not wheel.device_code:
        return
    shares = _shares(wheel)
    excess = wheel.size - limit
    parts = ", ".join(f"{name} {_mib(share)}" for name, share in shares.items())
    what = f"{_mib(wheel.size)}, {_mib(excess)} over {_mib(limit)}; of it about {parts}"
    dropped, saved = [], 0
    for name, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        if saved < excess:
            dropped.append(name)
            saved += share
    if saved >= excess:
        what += f"; would fit without {', '.join(dropped)}"
    else:
        what += "; would not fit without any GPU code either"
    yield Problem("", what)


def _own(wheel: WheelFacts) -> Iterator[tuple[str, DeviceCode]]:
    """Files with GPU code, libraries copied in from elsewhere left out."""
    grafted = f"{wheel.name.distribution}.libs/"
    for path, code in sorted(wheel.device_code.items()):
        if code.images and not path.startswith(grafted):
            yield path, code


def _covers(group: KernelGroup, name: str) -> bool:
    """Whether the kernels of a group run on the GPU of an sm, or have the PTX of a compute name."""
    arch = parse_arch(name)
    assert arch is not None
    if name.startswith("sm_"):
        return group.serves(GpuArch(arch.number))
    images = (*group.images, *group.spare)
    return any(image.name == name or image.kind is Kind.OTHER for image in images)


def _gap(code: DeviceCode, without: Iterable[KernelGroup], gpu: str) -> str:
    without = tuple(without)
    named = [f"{group} has {', '.join(group.names())}" for group in without]
    return (
        f"{len(without)} of {len(code.groups)} fat binaries have no code for {gpu}: {_first(named)}"
    )


def _first(named: Sequence[str]) -> str:
    more = [f"{len(named) - _NAMED} more"] if len(named) > _NAMED else []
    return "; ".join([*named[:_NAMED], *more])


def _shares(wheel: WheelFacts) -> Mapping[str, int]:
    """About how many bytes of the archive each kind of GPU code takes, deflated like its file."""
    entries = {entry.path: entry for entry in wheel.entries}
    shares: dict[str, int] = {}
    for summary in summarize_all(wheel.elf_files, wheel.device_code):
        entry = entries[summary.path]
        ratio = entry.compressed_size / max(entry.size, 1)
        parts = {**summary.sizes, "code to link at run time": summary.relocatable_size}
        for name, count in parts.items():
            if count:
                shares[name] = shares.get(name, 0) + int(count * ratio)
    return dict(sorted(shares.items(), key=lambda item: (len(item[0]), item[0])))


def _mib(count: int) -> str:
    return f"{count / _MIB:.1f} MiB"


CHECKS = (unreadable, missing, gap, uneven, not_forward, size)
