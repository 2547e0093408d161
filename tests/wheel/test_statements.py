# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the wheel says of itself: the driver that it needs, and what is in it and not ours."""

import json
from typing import Any

from tests.wheel.built_wheel import BuiltWheel


def statement(wheel: BuiltWheel, path: str) -> dict[str, Any]:
    return dict(json.loads(wheel.members[f"{wheel.dist_info}/{path}"]))


def test_driver_needed_is_the_oldest_of_each_cuda_major(wheel: BuiltWheel) -> None:
    stated = statement(wheel, "cuda.json")
    assert stated["minimum_driver"] == {"12": "525.60.13", "13": "580.65.06"}


def test_code_for_every_gpu_promised_is_in_both_cuda_libraries(wheel: BuiltWheel) -> None:
    files = statement(wheel, "cuda.json")["files"]
    assert {file["path"]: (file["machine_code"], file["ptx"]) for file in files} == {
        f"tilewright/lib/libtilewright_cuda{major}.so": (["sm_80", "sm_90a"], ["compute_90"])
        for major in (12, 13)
    }


def test_part_from_elsewhere_is_in_the_bill_of_materials_with_its_files(wheel: BuiltWheel) -> None:
    components = statement(wheel, "sboms/tilewright-assemble.cdx.json")["components"]
    assert [component["name"] for component in components] == [
        "apache-tvm-ffi",
        "compiler-rt",
        "compiler_rt",
        "dlpack",
        "libcxx",
        "libcxxabi",
        "libunwind",
        "nvidia-cuda-runtime",
        "nvidia-cuda-runtime-cu12",
        "pybind11",
        "tvm",
        "tvm-ffi",
    ]
    for component in components:
        places = [place["location"] for place in component["evidence"]["occurrences"]]
        assert places == sorted(set(places) & set(wheel.members))
        assert component["externalReferences"][0]["hashes"][0]["alg"] == "SHA-256"


def test_nothing_is_copied_in_and_no_time_is_stated(wheel: BuiltWheel) -> None:
    folder = f"{wheel.dist_info}/sboms/"
    sboms = [path for path in wheel.members if path.startswith(folder)]
    assert sboms == [f"{folder}tilewright-assemble.cdx.json"]
    assert b"timestamp" not in wheel.members[sboms[0]]
