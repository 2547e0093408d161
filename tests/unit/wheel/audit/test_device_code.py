# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks of GPU code: the failing side and the passing side of each."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.unit.wheel.audit.tiny_code import device_code, image
from tests.unit.wheel.audit.tiny_facts import elf_file, entry, wheel_facts
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import device_code as checks
from tools.wheel.audit.settings import Settings
from tools.wheel.fatbin.image import DeviceCode, DeviceImage
from tools.wheel.inspection.facts import WheelFacts

PATH = "pkg/_C.so"


def wheel(code: DeviceCode, path: str = PATH, **changes: Any) -> WheelFacts:
    return wheel_facts([elf_file(path)], device_code={path: code}, **changes)


def find(check: Check, facts: WheelFacts, *archs: str, **settings: Any) -> list[Problem]:
    return list(check.find(facts, Settings(archs=archs, **settings)))


def test_unreadable_fat_binary_is_passed_on() -> None:
    assert find(checks.unreadable, wheel(device_code(problems=["fat binary 0 ends early"]))) == [
        Problem(PATH, "fat binary 0 ends early")
    ]
    assert find(checks.unreadable, wheel(device_code(["sm_80"]))) == []


def test_code_declared_and_missing_from_a_file_is_named() -> None:
    facts = wheel(device_code(["sm_80", "sm_90"]))
    assert find(checks.missing, facts, "sm_80", "sm_90a", "compute_90") == [
        Problem(PATH, "it has no sm_90a and no compute_90; it has sm_80, sm_90")
    ]


def test_code_declared_and_there_passes() -> None:
    facts = wheel(device_code(["sm_80"], ["sm_90a", "compute_90"]))
    assert find(checks.missing, facts, "sm_80", "sm_90a", "compute_90") == []
    assert find(checks.missing, facts) == []


def test_library_copied_in_is_not_held_to_the_declared_list() -> None:
    copied, own = wheel_files = [elf_file("pkg.libs/libnccl-0a1b2c3d.so.2"), elf_file(PATH)]
    code = {copied.path: device_code(["sm_80"]), own.path: device_code(["sm_90"])}
    assert find(checks.missing, wheel_facts(wheel_files, device_code=code), "sm_90") == []


def test_code_declared_and_no_code_at_all_is_found() -> None:
    lost = Problem("", "no file has GPU code; declared is sm_80, compute_90")
    assert find(checks.missing, wheel_facts([elf_file(PATH)]), "sm_80", "compute_90") == [lost]
    facts = wheel(device_code(["sm_80", "compute_90"]), "pkg.libs/libnccl-0a1b2c3d.so.2")
    assert find(checks.missing, facts, "sm_80", "compute_90") == [lost]
    assert find(checks.missing, wheel_facts([elf_file(PATH)])) == []


def test_gap_names_the_fat_binaries_without_code() -> None:
    facts = wheel(device_code(["sm_80", "compute_80"], ["sm_90a"], ["sm_90"], ["sm_90"], ["sm_90"]))
    assert find(checks.gap, facts, "sm_80") == [
        Problem(
            PATH,
            "4 of 5 fat binaries have no code for sm_80: fat binary 1 (`g1.cu`) has sm_90a; "
            "fat binary 2 (`g2.cu`) has sm_90; fat binary 3 (`g3.cu`) has sm_90; 1 more",
        )
    ]


def test_gap_of_ptx_is_one_though_machine_code_is_there() -> None:
    facts = wheel(device_code(["sm_90", "compute_90"], ["sm_90"]))
    assert find(checks.gap, facts, "sm_90", "compute_90") == [
        Problem(
            PATH,
            "1 of 2 fat binaries have no code for compute_90: fat binary 1 (`g1.cu`) has sm_90",
        )
    ]


@pytest.mark.parametrize(
    "groups",
    [
        [["sm_80"], ["sm_80"]],
        # PTX for an older GPU compiles, machine code of the same major runs.
        [["sm_86"], ["compute_75"]],
        [["sm_86"], ["sm_80"]],
    ],
)
def test_gap_is_none_where_other_code_runs(groups: Sequence[Sequence[str]]) -> None:
    gpu = groups[0][0]
    assert find(checks.gap, wheel(device_code(*groups)), gpu) == []


def test_gap_is_none_where_the_driver_links_ptx() -> None:
    linked: list[str | DeviceImage] = ["sm_80"]
    unlinked = [image("compute_80", relocatable=True), image("sm_90", relocatable=True)]
    assert find(checks.gap, wheel(device_code(linked, unlinked)), "sm_80", "compute_80") == []


def test_uneven_kernels_are_noted_unless_declared() -> None:
    code = device_code(["sm_75", "sm_80"], ["sm_75", "sm_80"], ["sm_80"], ["sm_90a"])
    assert find(checks.uneven, wheel(code)) == [
        Problem(
            PATH,
            "1 of 4 fat binaries lack code for GPUs that the others are for: fat binary 2 "
            "(`g2.cu`) has no code for sm_75",
        )
    ]
    assert find(checks.uneven, wheel(code), "sm_80") == []


def test_kernels_for_few_gpus_by_design_are_not_uneven() -> None:
    code = device_code(["sm_80"], ["sm_90"], ["sm_100"], ["sm_90a"])
    assert find(checks.uneven, wheel(code)) == []


@pytest.mark.parametrize(("images", "newest"), [(["sm_80", "sm_90a"], 90), (["compute_100a"], 100)])
def test_code_without_ptx_for_later_gpus_is_noted(images: list[str], newest: int) -> None:
    assert find(checks.not_forward, wheel(device_code(images))) == [
        Problem(PATH, f"no GPU after sm_{newest} runs it: it has no PTX for later ones")
    ]


def test_code_with_ptx_or_declared_is_not_noted() -> None:
    assert find(checks.not_forward, wheel(device_code(["sm_80"], ["compute_80"]))) == []
    assert find(checks.not_forward, wheel(device_code(["sm_80"])), "sm_80") == []


def test_size_over_the_limit_says_what_to_leave_out() -> None:
    code = device_code(
        [image("sm_80", size=30 << 20), image("sm_90", size=60 << 20)],
        [image("compute_90", size=10 << 20, relocatable=True)],
    )
    file = entry(PATH, size=100 << 20, compressed_size=50 << 20)
    facts = wheel(code, size=60 << 20, entries=(file,))
    assert find(checks.size, facts, max_size=40 << 20) == [
        Problem(
            "",
            "60.0 MiB, 20.0 MiB over 40.0 MiB; of it about sm_80 15.0 MiB, sm_90 30.0 MiB, "
            "code to link at run time 5.0 MiB; would fit without sm_90",
        )
    ]
    (problem,) = find(checks.size, facts, max_size=1 << 20)
    assert problem.what.endswith("; would not fit without any GPU code either")


def test_size_within_the_limit_or_of_other_content_is_fine() -> None:
    assert find(checks.size, wheel(device_code(["sm_80"]))) == []
    assert find(checks.size, wheel_facts(size=200 << 20)) == []


@pytest.mark.parametrize(
    ("version", "size", "limit"),
    [("1.0", 101 << 20, "100.0 MiB"), ("1.0+cu13", 2049 << 20, "2048.0 MiB")],
)
def test_size_limit_is_that_of_the_place_where_the_wheel_goes(
    version: str, size: int, limit: str
) -> None:
    name = f"pkg-{version}-cp312-cp312-manylinux_2_27_x86_64.whl"
    code = device_code(["sm_80"])
    assert find(checks.size, wheel(code, name=name, size=size - (1 << 20))) == []
    (problem,) = find(checks.size, wheel(code, name=name, size=size))
    assert f", 1.0 MiB over {limit}; " in problem.what
