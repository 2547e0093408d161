# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from typing import Any

import pytest

from tests.unit.wheel.audit.tiny_facts import NAME, wheel_facts
from tests.unit.wheel.audit.tiny_facts import metadata as tiny_metadata
from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import metadata
from tools.wheel.audit.settings import Settings
from tools.wheel.inspection.metadata import read_metadata

DIST_INFO = "pkg-1.0.dist-info"


def _find(check: Check, **changes: Any) -> list[Problem]:
    return list(check.find(wheel_facts(**changes), Settings()))


@pytest.mark.parametrize("check", metadata.CHECKS)
def test_check_sound_wheel_passes(check: Check) -> None:
    assert _find(check) == []


@pytest.mark.parametrize(
    ("name", "folder", "metadata_name"),
    [("my_pkg", "my_pkg", "My.Pkg"), ("My_Pkg", "my_pkg", "my-pkg")],
)
def test_name_spelled_another_way_passes(name: str, folder: str, metadata_name: str) -> None:
    found = _find(
        metadata.name,
        name=f"{name}-1.0-py3-none-any.whl",
        dist_info=f"{folder}-1.0.dist-info",
        metadata=tiny_metadata(name=metadata_name),
    )
    assert found == []


def test_name_that_differs_is_found() -> None:
    found = _find(
        metadata.name, dist_info="other-1.0.dist-info", metadata=tiny_metadata(name="third")
    )
    assert found == [
        Problem("other-1.0.dist-info", "names `other`, the file name `pkg`"),
        Problem("other-1.0.dist-info/METADATA", "names `third`, the file name `pkg`"),
    ]


@pytest.mark.parametrize(
    ("file", "folder", "version"),
    [("1.0+cu13", "1.0+cu13", "1.0+cu13"), ("1.0_cu13", "1.0+cu13", "1.0+cu13"), ("1", "1", "1.0")],
)
def test_version_spelled_another_way_passes(file: str, folder: str, version: str) -> None:
    found = _find(
        metadata.version,
        name=f"pkg-{file.replace('_', '+')}-py3-none-any.whl",
        dist_info=f"pkg-{folder}.dist-info",
        metadata=tiny_metadata(version=version),
    )
    assert found == []


def test_version_that_differs_is_found() -> None:
    found = _find(
        metadata.version, dist_info="pkg-1.1.dist-info", metadata=tiny_metadata(version="1.0+cu13")
    )
    assert found == [
        Problem("pkg-1.1.dist-info", "is for 1.1, the file name for 1.0"),
        Problem("pkg-1.1.dist-info/METADATA", "gives version 1.0+cu13, the file name 1.0"),
    ]


def test_tags_that_differ_are_found_both_ways() -> None:
    tags = (*parse_wheel_name(NAME).tags(), "cp311-cp311-linux_x86_64")
    found = _find(metadata.tags, metadata=tiny_metadata(tags=tags[1:]))
    assert found == [
        Problem(
            f"{DIST_INFO}/WHEEL", "lacks tag `cp312-cp312-manylinux_2_27_x86_64` of the file name"
        ),
        Problem(
            f"{DIST_INFO}/WHEEL", "has tag `cp311-cp311-linux_x86_64`, which the file name lacks"
        ),
    ]


def test_fields_that_cannot_be_parsed_are_found() -> None:
    problem = "Requires-Dist `x>>1` cannot be parsed: expected end"
    found = _find(metadata.fields, metadata=tiny_metadata(problems=(problem,)))
    assert found == [Problem(f"{DIST_INFO}/METADATA", problem)]


@pytest.mark.parametrize("requirement", ["banana", ">> 3.10"])
def test_fields_unreadable_range_of_pythons_is_found(requirement: str) -> None:
    text = f"Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\nRequires-Python: {requirement}\n"
    found = _find(metadata.fields, metadata=read_metadata(text, "Wheel-Version: 1.0\n"))
    assert [problem.path for problem in found] == [f"{DIST_INFO}/METADATA"]
    assert found[0].what.startswith(f"Requires-Python `{requirement}` cannot be parsed: Invalid")


@pytest.mark.parametrize(("line", "version"), [("", ""), ("Wheel-Version: 2.0\n", "2.0")])
def test_fields_version_that_no_installer_reads_is_found(line: str, version: str) -> None:
    text = "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\nRequires-Python: >=3.10\n"
    assert _find(metadata.fields, metadata=read_metadata(text, "Wheel-Version: 1.1\n")) == []
    assert _find(metadata.fields, metadata=read_metadata(text, line)) == [
        Problem(
            f"{DIST_INFO}/WHEEL",
            f"has `Wheel-Version` `{version}`; installers take 1.x alone",
            hint="build the wheel again, with a current tool",
        )
    ]


@pytest.mark.parametrize(("version", "count"), [("2.4", 1), ("2.10", 1), ("2.1", 0), ("new", 0)])
def test_fields_absent_licence_file_is_found_where_its_place_is_fixed(
    version: str, count: int
) -> None:
    found = _find(
        metadata.fields,
        paths=(f"{DIST_INFO}/licenses/LICENSE",),
        metadata=tiny_metadata(metadata_version=version, license_files=("LICENSE", "NOTICE")),
    )
    assert (
        found
        == [
            Problem(
                f"{DIST_INFO}/METADATA", "names licence file `NOTICE`, which is not in `licenses`"
            )
        ][:count]
    )
