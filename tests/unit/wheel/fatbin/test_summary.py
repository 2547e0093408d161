# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the GPU code of a file asks of machines."""

import json

import pytest

from tests.unit.wheel.audit.tiny_code import device_code, image
from tests.unit.wheel.audit.tiny_facts import elf_file
from tools.wheel.fatbin.summary import (
    library_majors,
    minimum_drivers,
    render_cuda_json,
    summarize,
    summarize_all,
)


@pytest.mark.parametrize(
    ("library", "major"),
    [
        ("libcudart.so.12", 12),
        ("libcublasLt.so.13", 13),
        ("libnvJitLink.so.12", 12),
        ("libcufft.so.11", 12),
        ("libcufft.so.12", 13),
        # Of both, of neither, and of no version.
        ("libcusparse.so.12", None),
        ("libcurand.so.10", None),
        ("libcuda.so.1", None),
        ("libcudart.so", None),
        ("libmycudart.so.12", None),
    ],
)
def test_library_belongs_to_the_major_it_came_with(library: str, major: int | None) -> None:
    found = library_majors(elf_file("a.so", needed=(library,)))
    assert found.get(library) == major


def test_file_is_summed_up_by_gpu() -> None:
    code = device_code(
        ["sm_90a", "sm_80", "compute_90"],
        ["sm_80", image("compute_90", compression="lz4")],
        [image("sm_80", relocatable=True)],
    )
    summary = summarize("a.so", elf_file("a.so", needed=("libcudart.so.12",)), code)
    assert summary.as_json() == {
        "path": "a.so",
        "cuda_majors": [12],
        "machine_code": ["sm_80", "sm_90a"],
        "ptx": ["compute_90"],
        "compression": ["lz4", "none"],
        "sizes": {"compute_90": 200, "sm_80": 200, "sm_90a": 100},
        "relocatable_size": 100,
        "minimum_driver": "525.60.13",
        "minimum_driver_for_ptx": "550.54.14",
    }


def test_file_of_ptx_alone_needs_the_driver_that_compiles_it() -> None:
    summary = summarize("a.so", None, device_code(["compute_80"]))
    assert (str(summary.driver), str(summary.ptx_driver)) == ("550.54.14", "550.54.14")


def test_file_that_tells_no_toolkit_has_no_driver() -> None:
    summary = summarize("a.so", elf_file("a.so"), device_code(["sm_80"]))
    assert (summary.majors, summary.driver, summary.ptx_driver) == ((), None, None)


def test_statement_has_the_newest_driver_of_each_major_and_every_file() -> None:
    code = {
        "b.so": device_code([image("sm_80", version=(1, 8))]),
        "a.so": device_code([image("sm_80", compression="zstd"), "compute_80"]),
        "c.so": device_code(["sm_80", "compute_80"]),
    }
    summaries = summarize_all({}, code)
    assert [summary.path for summary in summaries] == ["a.so", "b.so", "c.so"]
    assert {major: str(driver) for major, driver in minimum_drivers(summaries).items()} == {
        12: "550.54.14",
        13: "580.65.06",
    }
    stated = json.loads(render_cuda_json(summaries))
    assert stated["minimum_driver"] == {"12": "550.54.14", "13": "580.65.06"}
    assert [file["path"] for file in stated["files"]] == ["a.so", "b.so", "c.so"]
    assert render_cuda_json(summaries) == render_cuda_json(summaries)
