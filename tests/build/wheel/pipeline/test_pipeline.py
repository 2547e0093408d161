# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The rules with real actions, from sources to a wheel and back."""

import importlib
import importlib.metadata
import os
import re
from pathlib import Path

from tests.support.tiny_wheel import read_members

PURE = Path(os.environ["PURE_WHEEL"])
REPAIRED = Path(os.environ["REPAIRED_WHEEL"])
PREFIXED = Path(os.environ["PREFIXED_WHEEL"])


def test_py_wheel_holds_sources_data_and_metadata() -> None:
    dist_info = "greet_pipeline-1.2.3.dist-info"
    members = read_members(PURE)
    assert PURE.name == "greet_pipeline-1.2.3-py3-none-any.whl"
    assert list(members) == [
        "greet/__init__.py",
        "greet/py.typed",
        "greet/words.txt",
        "greet_pipeline-1.2.3.data/data/share/greet/words.txt",
        f"{dist_info}/METADATA",
        f"{dist_info}/WHEEL",
        f"{dist_info}/entry_points.txt",
        f"{dist_info}/extra/words.txt",
        f"{dist_info}/licenses/LICENSE",
        f"{dist_info}/RECORD",
    ]
    assert members[f"{dist_info}/entry_points.txt"] == b"[console_scripts]\ngreet = greet:main\n"


def test_unpacked_wheel_is_what_python_imports() -> None:
    greet = importlib.import_module("greet")
    assert Path(greet.__file__ or "").parts[-3:] == ("unpacked", "greet", "__init__.py")
    assert greet.main() == "hello from a wheel\n"


def test_unpacked_wheel_is_a_distribution() -> None:
    distribution = importlib.metadata.distribution("greet-pipeline")
    assert distribution.version == "1.2.3"
    assert distribution.requires == ["packaging"]
    assert [entry.value for entry in distribution.entry_points] == ["greet:main"]


def test_repaired_wheel_is_tagged_for_the_platform() -> None:
    match = re.fullmatch(
        r"greet-1\.2\.3-(cp3\d+)-(cp3\d+t?)-manylinux_2_27_x86_64\.whl", REPAIRED.name
    )
    assert match
    members = read_members(REPAIRED)
    tag = f"Tag: {match[1]}-{match[2]}-manylinux_2_27_x86_64\n"
    assert tag.encode() in members["greet-1.2.3.dist-info/WHEEL"]
    native = [path for path in members if path.startswith("greet/_native.")]
    assert native == [f"greet/_native.cpython-{match[2].removeprefix('cp')}-x86_64-linux-gnu.so"]
    assert b"greet_count" in members[native[0]]


def test_py_wheel_prefix_is_for_files_that_have_no_place() -> None:
    packages = [path for path in read_members(PREFIXED) if ".dist-info/" not in path]
    assert packages == [
        "outer/greet/__init__.py",
        "outer/greet/py.typed",
        "outer/greet/words.txt",
        "placed/words.txt",
    ]


def test_py_wheel_requirements_come_from_files() -> None:
    metadata = read_members(PREFIXED)["prefixed-1.2.3.dist-info/METADATA"].decode()
    assert "\nRequires-Dist: packaging>=20\n" in metadata
    assert '\nRequires-Dist: packaging>=20 ; extra == "all"\n' in metadata
