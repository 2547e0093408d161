# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.archive.errors import MemberPathError
from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.assemble.errors import ForeignExtensionError, NativeInPureError, RequestError
from tools.wheel.assemble.plan import AssemblyPlan, plan_assembly
from tools.wheel.assemble.request import InputFile, MetadataFields, Request

PURE = "pkg-1.0-py3-none-any.whl"
NATIVE = "pkg-1.0-cp312-cp312-linux_x86_64.whl"


def _plan(name: str, files: dict[str, Path], **rest: tuple[InputFile, ...]) -> AssemblyPlan:
    return plan_assembly(
        Request(
            distribution="pkg",
            name=parse_wheel_name(name),
            metadata=MetadataFields(),
            files=tuple(InputFile(str(source), path) for path, source in files.items()),
            **rest,  # type: ignore[arg-type]
        )
    )


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_text("A = 1\n")
    return path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "lib.so"
    path.write_bytes(TinyElf().build())
    return path


def test_plan_assembly_adds_metadata_and_licences(module: Path) -> None:
    licence = InputFile(str(module), "third_party/x/LICENSE")
    plan = _plan(PURE, {"pkg/a.py": module}, license_files=(licence,))
    assert [member.path for member in plan.members] == [
        "pkg/a.py",
        "pkg-1.0.dist-info/METADATA",
        "pkg-1.0.dist-info/WHEEL",
        "pkg-1.0.dist-info/licenses/third_party/x/LICENSE",
    ]
    metadata = plan.members[1].source
    assert isinstance(metadata, bytes)
    assert b"License-File: third_party/x/LICENSE\n" in metadata


def test_plan_assembly_folder_is_taken_with_everything_below(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    (folder / "sub").mkdir(parents=True)
    (folder / "b.py").write_text("")
    (folder / "sub/a.py").write_text("")
    plan = _plan(PURE, {"pkg/gen": folder})
    paths = [member.path for member in plan.members if member.path.startswith("pkg/")]
    assert paths == ["pkg/gen/b.py", "pkg/gen/sub/a.py"]


def test_plan_assembly_elf_in_pure_wheel_is_refused(library: Path) -> None:
    with pytest.raises(NativeInPureError, match=r"`pkg/data\.bin` is an ELF file") as caught:
        _plan(PURE, {"pkg/data.bin": library})
    assert "set `platform`, such as `linux_x86_64`" in caught.value.hint


def test_plan_assembly_extension_of_other_python_is_refused(library: Path) -> None:
    path = "pkg/_C.cpython-311-x86_64-linux-gnu.so"
    with pytest.raises(ForeignExtensionError, match=r"built for cp311.*tagged `cp312`"):
        _plan(NATIVE, {path: library})


def test_plan_assembly_extension_of_same_python_is_taken(library: Path) -> None:
    path = "pkg/_C.cpython-312-x86_64-linux-gnu.so"
    assert path in {member.path for member in _plan(NATIVE, {path: library}).members}


def test_plan_assembly_file_over_generated_metadata_is_refused(module: Path) -> None:
    with pytest.raises(MemberPathError, match=r"two files for `pkg-1\.0\.dist-info/METADATA`"):
        _plan(PURE, {"pkg-1.0.dist-info/METADATA": module})


@pytest.mark.parametrize("path", ["RECORD", "RECORD/a"])
def test_plan_assembly_file_in_the_way_of_record_is_refused(module: Path, path: str) -> None:
    with pytest.raises(MemberPathError, match=r"`pkg-1\.0\.dist-info/RECORD`"):
        _plan(PURE, {f"pkg-1.0.dist-info/{path}": module})


def test_plan_assembly_absent_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="does not exist"):
        _plan(PURE, {"pkg/a.py": tmp_path / "absent"})
