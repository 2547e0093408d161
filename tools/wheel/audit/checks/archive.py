# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The archive as package indexes see it. What no tool may touch is refused before any check."""

from __future__ import annotations

from collections.abc import Iterator

from ...archive.directory import DATA_DESCRIPTOR
from ...inspection.facts import WheelFacts
from ..check import Problem, Severity, check
from ..settings import Settings

_MIB, _GIB = 1 << 20, 1 << 30

#: PyPI's limit for a file, unless a project asks for more, and what it never exceeds.
#: https://github.com/pypi/warehouse/blob/main/warehouse/constants.py
PYPI_DEFAULT, PYPI_CAP = 100 * _MIB, _GIB

#: GitHub's limit for a file of a release, where wheels with a local version usually lie.
GITHUB_CAP = 2 * _GIB

#: The part of a limit that should stay free: wheels grow from release to release.
_HEADROOM = 0.1


@check(
    "archive-structure",
    exit_code=60,
    behaviours=(31,),
    hint="write the archive with another tool; package indexes refuse it",
)
def structure(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Local headers and central directory agree, and every byte belongs to a file."""
    for problem in wheel.archive_problems:
        yield Problem(problem.path, problem.what)


@check(
    "archive-data-descriptor",
    exit_code=61,
    behaviours=(31,),
    hint="write the archive to a file, not to a pipe; PyPI refuses data descriptors",
)
def data_descriptor(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every local header holds the sizes of its file."""
    for entry in wheel.entries:
        if entry.flags & DATA_DESCRIPTOR:
            yield Problem(entry.path, "its sizes follow its data (general purpose flag 3)")


@check(
    "record-agreement",
    exit_code=62,
    behaviours=(32,),
    hint="write RECORD last: a file was changed, added or removed after it was made",
)
def record(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """RECORD lists every file of the wheel with its hash and size, and nothing else."""
    for problem in wheel.record_problems:
        yield Problem(problem.path, problem.what)


@check(
    "size-limit",
    exit_code=67,
    behaviours=(34,),
    hint="build for fewer GPU architectures, or leave libraries to the packages that provide them",
)
def size_limit(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The wheel is no bigger than the declared size, or than what its index takes at most."""
    limit, name = _hard_limit(wheel, settings)
    if wheel.size > limit:
        yield Problem("", f"it has {_size(wheel.size)}, {name} is {_size(limit)}")


@check(
    "size-headroom",
    exit_code=68,
    behaviours=(34,),
    severity=Severity.WARNING,
    hint="make room before the next release, or ask the index for a higher limit",
)
def size_headroom(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The wheel stays a tenth below the next limit."""
    limits = [_hard_limit(wheel, settings)]
    if not settings.max_size and not _is_local(wheel):
        limits.insert(0, (PYPI_DEFAULT, "PyPI's default limit"))
    for limit, name in limits:
        if limit * (1 - _HEADROOM) < wheel.size <= limit:
            free = 100 * (limit - wheel.size) / limit
            yield Problem(
                "", f"it has {_size(wheel.size)}, {free:.1f} % below {name} of {_size(limit)}"
            )


@check(
    "size-raised-limit",
    exit_code=69,
    behaviours=(34,),
    severity=Severity.NOTE,
    hint="ask PyPI for a higher limit before the upload",
)
def size_raised_limit(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """PyPI takes the wheel from any project."""
    if PYPI_DEFAULT < wheel.size <= PYPI_CAP and not settings.max_size and not _is_local(wheel):
        yield Problem(
            "",
            f"it has {_size(wheel.size)}; above {_size(PYPI_DEFAULT)} PyPI takes it only from "
            "projects with a raised limit",
        )


def limit_without_asking(wheel: WheelFacts, settings: Settings) -> int:
    """The bytes that the declared limit, or the index, leaves to any project."""
    limit, _ = _hard_limit(wheel, settings)
    return limit if settings.max_size or _is_local(wheel) else PYPI_DEFAULT


def _hard_limit(wheel: WheelFacts, settings: Settings) -> tuple[int, str]:
    if settings.max_size:
        return settings.max_size, "the declared limit (`max-size`)"
    if _is_local(wheel):
        return GITHUB_CAP, "the limit of a GitHub release"
    return PYPI_CAP, "PyPI's cap"


def _is_local(wheel: WheelFacts) -> bool:
    """Whether its version is a local one, which PyPI does not take."""
    return "+" in wheel.name.version


def _size(count: int) -> str:
    return f"{count / _GIB:.2f} GiB" if count >= _GIB else f"{count / _MIB:.1f} MiB"


CHECKS = (structure, data_descriptor, record, size_limit, size_headroom, size_raised_limit)
