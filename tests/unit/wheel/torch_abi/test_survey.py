# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import hashlib
import json
import pathlib

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.torch_abi.survey import survey


def _torch(folder: pathlib.Path, version: str, *functions: str) -> pathlib.Path:
    name = f"torch-{version}-cp312-cp312-manylinux_2_28_x86_64.whl"
    library = TinyElf(defines=("_ZN3c105ErrorC1Ev", *functions)).build()
    files = {
        "torch/lib/libtorch_cpu.so": library,
        "torch/lib/readme.txt": b"torch_of_text",
        "torch/bin/tool": TinyElf(defines=("torch_of_a_tool",)).build(),
    }
    return write_tiny_wheel(folder, name, files)


def test_survey_lists_what_each_release_added_after_the_oldest(tmp_path: pathlib.Path) -> None:
    wheels = [
        _torch(tmp_path, "2.10.0", "aoti_torch_a", "torch_b", "torch_c", "torch_a"),
        _torch(tmp_path, "2.8.1", "aoti_torch_a"),
        _torch(tmp_path, "2.9.0", "aoti_torch_a", "torch_b"),
    ]
    table = json.loads(survey(wheels))
    assert table["added"] == {"2.9": ["torch_b"], "2.10": ["torch_a", "torch_c"]}
    assert list(table["wheels"]) == [wheels[1].name, wheels[2].name, wheels[0].name]
    assert table["wheels"][wheels[0].name] == hashlib.sha256(wheels[0].read_bytes()).hexdigest()
