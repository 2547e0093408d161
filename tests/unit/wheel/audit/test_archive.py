# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from typing import Any

import pytest

from tests.unit.wheel.audit.tiny_facts import entry, wheel_facts
from tools.wheel.archive.directory import ArchiveProblem
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import archive
from tools.wheel.audit.settings import Settings
from tools.wheel.inspection.facts import RecordProblem

MIB = 1 << 20
LOCAL = "pkg-1.0+cu13-cp312-cp312-linux_x86_64.whl"


def _find(check: Check, settings: Settings | None = None, **changes: Any) -> list[Problem]:
    return list(check.find(wheel_facts(**changes), settings or Settings()))


@pytest.mark.parametrize("check", archive.CHECKS)
def test_check_sound_wheel_passes(check: Check) -> None:
    assert _find(check) == []


def test_structure_problem_of_the_archive_is_found() -> None:
    problem = ArchiveProblem("pkg/a.py", "its local header disagrees with the central directory")
    assert _find(archive.structure, archive_problems=(problem,)) == [
        Problem("pkg/a.py", "its local header disagrees with the central directory")
    ]


def test_data_descriptor_is_found() -> None:
    entries = (entry("pkg/a.py", flags=0x808), entry("pkg/b.py", flags=0x800))
    assert _find(archive.data_descriptor, entries=entries) == [
        Problem("pkg/a.py", "its sizes follow its data (general purpose flag 3)")
    ]


def test_record_that_disagrees_is_found() -> None:
    problem = RecordProblem("pkg/a.py", "is not listed in RECORD")
    assert _find(archive.record, record_problems=(problem,)) == [
        Problem("pkg/a.py", "is not listed in RECORD")
    ]


@pytest.mark.parametrize(
    ("size", "name", "max_size", "message"),
    [
        (1024 * MIB, "", 0, ""),
        (1025 * MIB, "", 0, "it has 1.00 GiB, PyPI's cap is 1.00 GiB"),
        (1025 * MIB, LOCAL, 0, ""),
        (2200 * MIB, LOCAL, 0, "it has 2.15 GiB, the limit of a GitHub release is 2.00 GiB"),
        (50 * MIB, "", 50 * MIB, ""),
        (51 * MIB, "", 50 * MIB, "it has 51.0 MiB, the declared limit (`max-size`) is 50.0 MiB"),
    ],
)
def test_size_limit_bigger_wheel_is_found(
    size: int, name: str, max_size: int, message: str
) -> None:
    changes = {"name": name} if name else {}
    found = _find(archive.size_limit, Settings(max_size=max_size), size=size, **changes)
    assert [problem.what for problem in found] == ([message] if message else [])


@pytest.mark.parametrize(
    ("size", "max_size", "message"),
    [
        (89 * MIB, 0, ""),
        (95 * MIB, 0, "it has 95.0 MiB, 5.0 % below PyPI's default limit of 100.0 MiB"),
        (101 * MIB, 0, ""),
        (1000 * MIB, 0, "it has 1000.0 MiB, 2.3 % below PyPI's cap of 1.00 GiB"),
        (95 * MIB, 1000 * MIB, ""),
        (
            48 * MIB,
            50 * MIB,
            "it has 48.0 MiB, 4.0 % below the declared limit (`max-size`) of 50.0 MiB",
        ),
        (51 * MIB, 50 * MIB, ""),
    ],
)
def test_size_headroom_wheel_near_a_limit_is_found(size: int, max_size: int, message: str) -> None:
    found = _find(archive.size_headroom, Settings(max_size=max_size), size=size)
    assert [problem.what for problem in found] == ([message] if message else [])


def test_size_headroom_of_a_local_version_is_that_of_a_release() -> None:
    assert _find(archive.size_headroom, name=LOCAL, size=95 * MIB) == []
    assert _find(archive.size_headroom, name=LOCAL, size=1000 * MIB) == []
    assert _find(archive.size_headroom, name=LOCAL, size=2000 * MIB) == [
        Problem("", "it has 1.95 GiB, 2.3 % below the limit of a GitHub release of 2.00 GiB")
    ]


@pytest.mark.parametrize(
    ("size", "max_size", "count"), [(100 * MIB, 0, 0), (101 * MIB, 0, 1), (101 * MIB, 200 * MIB, 0)]
)
def test_size_raised_limit_is_told(size: int, max_size: int, count: int) -> None:
    found = _find(archive.size_raised_limit, Settings(max_size=max_size), size=size)
    assert [problem.what for problem in found] == [
        "it has 101.0 MiB; above 100.0 MiB PyPI takes it only from projects with a raised limit"
    ] * count
