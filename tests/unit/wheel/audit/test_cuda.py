# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks of CUDA majors and drivers: the failing side and the passing side of each."""

from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.unit.wheel.audit.tiny_code import device_code, image
from tests.unit.wheel.audit.tiny_facts import elf_file, metadata, wheel_facts
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import cuda as checks
from tools.wheel.audit.errors import SettingsError
from tools.wheel.audit.settings import Settings
from tools.wheel.fatbin.image import DeviceCode
from tools.wheel.fatbin.summary import render_cuda_json, summarize_all
from tools.wheel.inspection.facts import WheelFacts

PATH = "pkg/_C.so"
CUDA_JSON = "pkg-1.0.dist-info/cuda.json"
MADE_BY_12 = device_code(["sm_80", "compute_80"])
MADE_BY_13 = device_code([image("sm_80", version=(1, 8))])
ZSTD_12 = device_code([image("sm_80", compression="zstd"), "compute_80"])


def name(distribution: str, version: str = "1.0") -> str:
    return f"{distribution}-{version}-cp312-cp312-manylinux_2_27_x86_64.whl"


def wheel(
    *needed: str,
    code: DeviceCode | None = None,
    requires: tuple[str, ...] = (),
    **changes: Any,
) -> WheelFacts:
    return wheel_facts(
        [elf_file(PATH, needed=needed)],
        device_code={PATH: code} if code else {},
        metadata=metadata(requires_dist=tuple(map(Requirement, requires))),
        **changes,
    )


def find(check: Check, facts: WheelFacts, **settings: Any) -> list[Problem]:
    return list(check.find(facts, Settings(**settings)))


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        (
            wheel("libcudart.so.12", "libcublas.so.13"),
            Problem(
                PATH,
                "it mixes CUDA 12 (needs `libcudart.so.12`) and CUDA 13 (needs `libcublas.so.13`)",
            ),
        ),
        (
            wheel("libcudart.so.12", code=MADE_BY_13),
            Problem(
                PATH, "it mixes CUDA 12 (needs `libcudart.so.12`) and CUDA 13 (by its GPU code)"
            ),
        ),
        (
            wheel("libcublas.so.13", name=name("pkg_cu121")),
            Problem(
                "",
                f"it is for CUDA 12 by its name, but `{PATH}` is for CUDA 13 (needs "
                "`libcublas.so.13`)",
            ),
        ),
        (
            wheel(code=MADE_BY_13, name=name("pkg", "1.0+cu126")),
            Problem(
                "",
                f"it is for CUDA 12 by its version, but `{PATH}` is for CUDA 13 (by its GPU code)",
            ),
        ),
        (
            wheel("libcudart.so.13", requires=("nvidia-cuda-runtime-cu12>=12.4",)),
            Problem(
                "",
                "it is for CUDA 12 by requirement `nvidia-cuda-runtime-cu12`, but "
                f"`{PATH}` is for CUDA 13 (needs `libcudart.so.13`)",
            ),
        ),
        (
            wheel("libcudart.so.12", requires=("nvidia-cuda-runtime",)),
            Problem(
                "",
                "it is for CUDA 13 by requirement `nvidia-cuda-runtime`, but "
                f"`{PATH}` is for CUDA 12 (needs `libcudart.so.12`)",
            ),
        ),
        (
            wheel("libcudart.so.12", requires=("nvidia-nvjpeg>=13",)),
            Problem(
                "",
                "it is for CUDA 13 by requirement `nvidia-nvjpeg`, but "
                f"`{PATH}` is for CUDA 12 (needs `libcudart.so.12`)",
            ),
        ),
        (
            wheel("libcudart.so.12", requires=("cuda-toolkit[cudart]==13.0.2",)),
            Problem(
                "",
                "it is for CUDA 13 by requirement `cuda-toolkit[cudart]==13.0.2`, but "
                f"`{PATH}` is for CUDA 12 (needs `libcudart.so.12`)",
            ),
        ),
        (
            wheel(requires=("nvidia-nccl-cu12",), name=name("pkg", "1.0+cu130")),
            Problem(
                "",
                "it asks for CUDA 13 (by its version) and CUDA 12 (by requirement "
                "`nvidia-nccl-cu12`)",
            ),
        ),
    ],
)
def test_majors_that_disagree_are_named_with_their_reasons(
    facts: WheelFacts, problem: Problem
) -> None:
    assert find(checks.major, facts) == [problem]


@pytest.mark.parametrize(
    "facts",
    [
        wheel("libcudart.so.12", "libcusparse.so.12", "libcufft.so.11", name=name("pkg_cu126")),
        wheel("libcudart.so.13", "libcusparse.so.12", "libcufft.so.12", name=name("pkg_cu13")),
        wheel("libcudart.so.13", requires=("cuda-toolkit[cublas]==13.*", "nvidia-nccl-cu13")),
        wheel("libcudart.so.12", requires=("cuda-toolkit>=11",)),
        # A static library made by an older toolkit.
        wheel("libcudart.so.13", code=MADE_BY_12, requires=("nvidia-cuda-runtime>=13",)),
        # Several majors, with the libraries in extras.
        wheel(
            "libcudart.so.12",
            requires=(
                'nvidia-cuda-runtime-cu12; extra == "cuda12"',
                'nvidia-cuda-runtime; extra == "cuda13"',
            ),
        ),
        wheel("libcudart.so.12", requires=("nvidia-ml-py", "nvidia-cutlass-dsl")),
        wheel("libc.so.6", requires=("nvidia-cuda-nvcc-cu12",), name=name("nvidia_tool_cu12")),
        # Names that only look like it.
        wheel("libcudart.so.13", name=name("cu2quant")),
        wheel("libcudart.so.13", name=name("focus12")),
    ],
)
def test_majors_that_agree_pass(facts: WheelFacts) -> None:
    assert find(checks.major, facts) == []


def test_majors_declared_are_held_against_the_files() -> None:
    facts = wheel("libcudart.so.13")
    assert find(checks.major, facts, cuda=(13,)) == []
    assert find(checks.major, facts, cuda=(12,)) == [
        Problem("", f"declared for CUDA 12, but `{PATH}` is for CUDA 13 (needs `libcudart.so.13`)"),
        Problem(PATH, "it is for CUDA 13 (needs `libcudart.so.13`); declared is 12"),
    ]


def test_majors_declared_and_no_cuda_at_all_is_found() -> None:
    assert find(checks.major, wheel("libz.so.1"), cuda=(12,)) == [
        Problem("", "declared for CUDA 12, but no file in the wheel is for any CUDA")
    ]


def test_driver_newer_than_declared_is_named_with_its_reason() -> None:
    facts = wheel("libcudart.so.12", code=ZSTD_12)
    assert find(checks.driver, facts, driver="535.54") == [
        Problem(
            PATH,
            "it needs driver 550.54.14 (CUDA 12, compression none and zstd); declared is 535.54",
        )
    ]
    assert find(checks.driver, facts, driver="550.54.14") == []
    assert find(checks.driver, facts) == []


def test_driver_of_one_major_is_enough_for_a_wheel_of_two() -> None:
    files = [
        elf_file("a.so", needed=("libcudart.so.12",)),
        elf_file("b.so", needed=("libcudart.so.13",)),
    ]
    code = {"a.so": device_code(["sm_80"]), "b.so": MADE_BY_13}
    facts = wheel_facts(files, device_code=code)
    assert find(checks.driver, facts, driver="525.60.13") == []
    assert [problem.path for problem in find(checks.driver, facts, driver="470.82.01")] == ["a.so"]


def test_driver_declared_must_be_a_version() -> None:
    with pytest.raises(SettingsError, match="`driver` is `r550`, which is no driver version"):
        find(checks.driver, wheel(), driver="r550")


def test_statement_in_the_wheel_must_be_what_the_files_hold() -> None:
    facts = wheel("libcudart.so.12", code=MADE_BY_12)
    stated = render_cuda_json(summarize_all(facts.elf_files, facts.device_code))
    good = wheel("libcudart.so.12", code=MADE_BY_12, texts={CUDA_JSON: stated})
    assert find(checks.driver, good) == []
    for text in (stated, "{", "[]"):
        stale = wheel("libcudart.so.12", code=ZSTD_12, texts={CUDA_JSON: text})
        (problem,) = find(checks.driver, stale)
        assert (problem.path, problem.what) == (CUDA_JSON, "it does not say what the files hold")


def test_compression_that_needs_a_newer_driver_is_a_warning() -> None:
    facts = wheel("libcudart.so.12", code=ZSTD_12)
    assert find(checks.compression, facts) == [
        Problem(
            PATH,
            "its GPU code is compressed with zstd, which driver 550.54.14 reads; CUDA 12 promises "
            "525.60.13",
        )
    ]
    assert find(checks.compression, facts, driver="550.54.14") == []


@pytest.mark.parametrize(
    "code",
    [
        MADE_BY_12,
        MADE_BY_13,
        device_code([image("sm_80", version=(1, 8), compression="zstd")]),
        # Older drivers have no GPU for it.
        device_code(["sm_80", "compute_80", image("sm_120", version=(1, 8), compression="zstd")]),
        # What is left for a link at run time is not unpacked before.
        device_code(
            ["sm_80"], [image("sm_80", compression="zstd", relocatable=True), "compute_80"]
        ),
    ],
)
def test_compression_that_every_driver_of_the_major_reads_passes(code: DeviceCode) -> None:
    assert find(checks.compression, wheel(code=code)) == []


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("pkg_cu12", "pkg_cu13"),
        ("pkg", "pkg_cuda13"),
        ("pkg_cu128_torch29", "pkg_cu130_torch210"),
    ],
)
def test_paths_shared_by_wheels_of_two_majors_are_named(own: str, other: str) -> None:
    facts = wheel_facts(
        paths=["pkg_ep/__init__.py", "pkg_ep/_C.so", f"{own}-1.0.data/platlib/deep.so"],
        name=name(own),
        beside={name(other): frozenset({"pkg_ep/_C.so", "deep.so", "pkg_cu13/x.py"})},
    )
    assert find(checks.shared_paths, facts) == [
        Problem("deep.so", f"`{name(other)}` installs it as well and 1 more; the later one wins")
    ]


@pytest.mark.parametrize(
    ("own", "other"),
    [("pkg_cu12", "pkg_cu12"), ("pkg_cu12", "other_cu13"), ("pkg", "pkg"), ("pkg", "other")],
)
def test_paths_shared_with_another_wheel_are_left_alone(own: str, other: str) -> None:
    facts = wheel_facts(
        paths=["pkg/_C.so"], name=name(own), beside={name(other): frozenset({"pkg/_C.so"})}
    )
    assert find(checks.shared_paths, facts) == []
