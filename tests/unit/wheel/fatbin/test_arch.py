# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which code runs on which GPU."""

import pytest

from tools.wheel.fatbin.arch import GpuArch, parse_arch
from tools.wheel.fatbin.image import DeviceCode, DeviceImage, Kind


def image(name: str, **changes: object) -> DeviceImage:
    arch = parse_arch(name)
    assert arch is not None
    kind = Kind.PTX if name.startswith("compute") else Kind.MACHINE_CODE
    values: dict[str, object] = {"version": (1, 7), "size": 1, "unpacked_size": 1}
    values |= {"compression": "none", "group": 0, **changes}
    return DeviceImage(kind, arch, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "gpu", "runs"),
    [
        ("sm_80", "sm_80", True),
        ("sm_80", "sm_86", True),
        ("sm_86", "sm_80", False),
        ("sm_80", "sm_90", False),
        ("sm_90a", "sm_90", True),
        ("sm_100a", "sm_103", False),
        ("sm_100", "sm_103", True),
        ("sm_100f", "sm_103", True),
        ("sm_103f", "sm_100", False),
        ("sm_100f", "sm_110", False),
        ("sm_120f", "sm_121", True),
        ("sm_100", "sm_120", False),
        ("compute_80", "sm_90", True),
        ("compute_90", "sm_80", False),
        ("compute_90a", "sm_100", False),
        ("compute_90a", "sm_90", True),
        ("compute_100f", "sm_103", True),
    ],
)
def test_code_runs_on_a_gpu_as_the_guide_says(code: str, gpu: str, runs: bool) -> None:
    arch = parse_arch(gpu)
    assert arch is not None
    assert image(code).serves(arch) is runs


def test_names_of_gpus_are_read_and_others_refused() -> None:
    assert (
        parse_arch("sm_90a") == parse_arch("compute_90a") == parse_arch("90a") == GpuArch(90, "a")
    )
    assert parse_arch("sm_9") is parse_arch("sm_90b") is parse_arch("gfx942") is None


def test_group_linked_falls_back_on_unlinked_ptx() -> None:
    linked = image("sm_80")
    code = DeviceCode((linked, image("compute_80", group=1, relocatable=True)))
    (group,) = code.groups
    assert group.serves(GpuArch(120))
    assert not DeviceCode((linked,)).groups[0].serves(GpuArch(120))


def test_groups_of_unlinked_code_alone_stand_alone() -> None:
    code = DeviceCode(
        (
            image("compute_80", relocatable=True),
            image("sm_80", group=1, relocatable=True),
        )
    )
    assert [group.serves(GpuArch(90)) for group in code.groups] == [True, False]
