# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is said when a part of the installation is missing, and where libcudart is looked for."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest

import tilewright
from tests.support.child import run_python
from tilewright._internal.extension import cuda_search_path, extension_file

EXTENSION = os.path.basename(extension_file())
OTHER = "_C.cpython-27-x86_64-linux-gnu.so"

CALL = (
    "import numpy, tilewright\n"
    "try: tilewright.silu_and_mul(numpy.ones((2, 8), numpy.float32))\n"
    "except tilewright.errors.LibraryNotFoundError as error: print(error)"
)


@pytest.fixture
def installation(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the installed package, for a test to damage."""
    copy = tmp_path / "tilewright"
    shutil.copytree(tilewright.__path__[0], copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [copy, *copy.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    return copy


def run_in(installation: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_python(*arguments, first=[str(installation.parent)])


def message_of_call(installation: pathlib.Path) -> str:
    child = run_in(installation, "-c", CALL)
    assert child.returncode == 0, child.stderr
    return child.stdout


def test_extension_missing_module_is_named_with_its_place_and_the_cure(
    installation: pathlib.Path,
) -> None:
    path = installation / EXTENSION
    path.unlink()
    message = message_of_call(installation)
    assert f"the extension module `{path.name}` is missing" in message
    assert f"looked for: {path}" in message
    assert "hint: reinstall" in message
    assert f"tilewright=={tilewright.__version__}" in message


def test_extension_built_for_another_python_is_named(installation: pathlib.Path) -> None:
    path = installation / EXTENSION
    path.rename(path.with_name(OTHER))
    message = message_of_call(installation)
    assert (
        f"`{path.name}` is missing; `_C.cpython-27-x86_64-linux-gnu.so` is for another" in message
    )


def test_extension_missing_host_library_is_named_with_its_place_and_the_cure(
    installation: pathlib.Path,
) -> None:
    path = installation / "lib" / "libtilewright.so"
    path.unlink()
    message = message_of_call(installation)
    assert "the library `libtilewright.so` is missing" in message
    assert f"looked for: {path}" in message
    assert "hint: reinstall" in message


def test_extension_damaged_host_library_gives_the_loaders_reason(
    installation: pathlib.Path,
) -> None:
    path = installation / "lib" / "libtilewright.so"
    path.write_bytes(b"not a library")
    message = message_of_call(installation)
    assert "cannot be loaded" in message
    assert str(path) in message
    assert "hint: reinstall" in message


@pytest.mark.parametrize("missing", ["_C", "lib/libtilewright.so"])
def test_extension_missing_part_leaves_import_and_doctor_working(
    installation: pathlib.Path, missing: str
) -> None:
    path = installation / EXTENSION if missing == "_C" else installation / missing
    path.unlink()
    assert run_in(installation, "-c", "import tilewright").returncode == 0
    doctor = run_in(installation, "-m", "tilewright", "doctor")
    assert doctor.returncode == 1
    assert doctor.stderr == ""
    assert f"`{path.name}` is missing" in doctor.stdout
    assert "fix: reinstall" in doctor.stdout


@pytest.mark.parametrize("name", ["libtilewright_cuda12.so", "libtilewright_tvm.so"])
def test_extension_missing_optional_library_is_a_problem_for_the_doctor_only(
    installation: pathlib.Path, name: str
) -> None:
    (installation / "lib" / name).unlink()
    assert message_of_call(installation) == ""
    doctor = run_in(installation, "-m", "tilewright", "doctor")
    assert doctor.returncode == 1
    assert doctor.stdout.count(f"`{name}` is missing") == 1


def test_cuda_search_path_is_pips_folders_below_real_directories(tmp_path: pathlib.Path) -> None:
    standard = os.path.dirname(os.__file__)
    assert cuda_search_path(
        ["", "/no/such/folder", str(tmp_path), standard, f"{standard}/lib-dynload", str(tmp_path)]
    ) == [f"{tmp_path}/nvidia/cu13/lib", f"{tmp_path}/nvidia/cuda_runtime/lib"]


def test_cuda_search_path_reaches_the_library(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "grüße"
    folder.mkdir()
    code = (
        "import json\n"
        "from tilewright._internal.extension import extension\n"
        "print(ascii(json.loads(extension().cuda_report())['search_path']))"
    )
    child = run_python("-c", code, first=[str(folder)])
    assert child.returncode == 0, child.stderr
    assert ascii(f"{folder}/nvidia/cu13/lib")[1:-1] in child.stdout
