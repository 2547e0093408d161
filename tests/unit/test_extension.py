# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is said when a part of the installation is missing, and where libcudart is looked for."""

from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Callable

import pytest

import tilewright
from tests.support.child import run_python
from tests.support.installation import NOTHING_RAISED, Installation
from tilewright._internal.extension import cuda_search_path, extension_file

EXTENSION = os.path.basename(extension_file())
OTHER = "_C.cpython-27-x86_64-linux-gnu.so"

CALL = "import numpy; tilewright.silu_and_mul(numpy.ones((2, 8), numpy.float32))"


@pytest.fixture
def installation(tmp_path: pathlib.Path) -> Installation:
    return Installation(tmp_path)


def test_extension_missing_module_is_named_with_its_place_and_the_cure(
    installation: Installation,
) -> None:
    path = installation.package / EXTENSION
    path.unlink()
    kind, message = installation.error_of(CALL)
    assert kind == "LibraryNotFoundError"
    assert f"the extension module `{path.name}` is missing" in message
    assert f"looked for: {path}" in message
    assert "hint: reinstall" in message
    assert f"tilewright=={tilewright.__version__}" in message


def test_extension_built_for_another_python_is_named(installation: Installation) -> None:
    path = installation.package / EXTENSION
    path.rename(path.with_name(OTHER))
    kind, message = installation.error_of(CALL)
    assert kind == "LibraryNotFoundError"
    assert (
        f"`{path.name}` is missing; `_C.cpython-27-x86_64-linux-gnu.so` is for another" in message
    )


def test_extension_missing_host_library_is_named_with_its_place_and_the_cure(
    installation: Installation,
) -> None:
    path = installation.libraries / "libtilewright.so"
    path.unlink()
    kind, message = installation.error_of(CALL)
    assert kind == "LibraryNotFoundError"
    assert "the library `libtilewright.so` is missing" in message
    assert f"looked for: {path}" in message
    assert "hint: reinstall" in message


def test_extension_damaged_host_library_gives_the_loaders_reason(
    installation: Installation,
) -> None:
    path = installation.libraries / "libtilewright.so"
    path.write_bytes(b"not a library")
    kind, message = installation.error_of(CALL)
    assert kind == "LibraryNotFoundError"
    assert "cannot be loaded" in message
    assert str(path) in message
    assert "hint: reinstall" in message


@pytest.mark.parametrize("missing", ["_C", "lib/libtilewright.so"])
def test_extension_missing_part_leaves_import_and_doctor_working(
    installation: Installation, missing: str
) -> None:
    path = installation.package / (EXTENSION if missing == "_C" else missing)
    path.unlink()
    assert installation.run("-c", "import tilewright").returncode == 0
    doctor = installation.run("-m", "tilewright", "doctor")
    assert doctor.returncode == 1
    assert doctor.stderr == ""
    assert f"`{path.name}` is missing" in doctor.stdout
    assert "fix: reinstall" in doctor.stdout


@pytest.mark.parametrize("name", ["libtilewright_cuda12.so", "libtilewright_tvm.so"])
def test_extension_missing_optional_library_is_a_problem_for_the_doctor_only(
    installation: Installation, name: str
) -> None:
    (installation.libraries / name).unlink()
    assert installation.error_of(CALL) == NOTHING_RAISED
    doctor = installation.run("-m", "tilewright", "doctor")
    assert doctor.returncode == 1
    assert doctor.stdout.count(f"`{name}` is missing") == 1


@pytest.mark.parametrize(
    "damage", [pathlib.Path.unlink, lambda path: path.write_bytes(b"no library")]
)
def test_extension_unusable_tvm_library_is_named_with_its_place_and_the_cure(
    installation: Installation, damage: Callable[[pathlib.Path], object]
) -> None:
    path = installation.libraries / "libtilewright_tvm.so"
    damage(path)
    kind, message = installation.error_of("tilewright.tvm.get_global_function('x')")
    assert kind == "LibraryNotFoundError"
    assert "`libtilewright_tvm.so`, could not be opened; tried:" in message
    assert f"{path}: " in message
    assert "hint: this installation is incomplete, reinstall it: `pip install" in message


def test_extension_missing_tvm_ffi_library_is_named_with_its_place_and_the_cure(
    installation: Installation,
) -> None:
    path = installation.libraries / "libtilewright_ffi.so"
    path.unlink()
    kind, message = installation.error_of("tilewright.tvm.ffi_library_path()")
    assert kind == "LibraryNotFoundError"
    assert str(path) in message
    assert "hint: reinstall" in message


def test_extension_in_an_archive_is_told_to_be_unpacked(
    installation: Installation, tmp_path: pathlib.Path
) -> None:
    shutil.rmtree(installation.libraries)
    archive = shutil.make_archive(str(tmp_path / "tw"), "zip", installation.site, "tilewright")
    code = (
        f"import sys; sys.path.insert(0, {archive!r})\n"
        "from tilewright.errors import LibraryNotFoundError\n"
        "from tilewright._internal.extension import extension\n"
        "try: extension()\n"
        "except LibraryNotFoundError as error: print(error)"
    )
    child = run_python("-c", code)
    assert "the package is in an archive" in child.stdout, child.stderr
    assert f"looked for: {archive}/tilewright/_C" in child.stdout
    assert "hint: unpack the archive" in child.stdout
    doctor = run_python("-m", "tilewright", "doctor", first=[archive])
    assert doctor.returncode == 1, doctor.stderr
    assert "problems: 1\n  1. tilewright: the package is in an archive" in doctor.stdout
    assert "libraries\n" not in doctor.stdout


@pytest.mark.parametrize(
    ("name", "size", "problem"),
    [
        ("libtilewright_ffi.so", 0, "is empty"),
        ("libtilewright_cuda12.so", 20, "is truncated: 20 bytes"),
        ("libtilewright_cuda13.so", 4096, "is truncated: 4096 of "),
    ],
)
def test_extension_truncated_library_is_a_problem_for_the_doctor(
    installation: Installation, name: str, size: int, problem: str
) -> None:
    os.truncate(installation.libraries / name, size)
    doctor = installation.run("-m", "tilewright", "doctor")
    assert doctor.returncode == 1, doctor.stderr
    assert f"`{name}` {problem}" in doctor.stdout


def test_extension_library_of_other_bytes_is_a_problem_for_the_doctor(
    installation: Installation,
) -> None:
    (installation.libraries / "libtilewright_cuda12.so").write_bytes(b"<html>")
    doctor = installation.run("-m", "tilewright", "doctor")
    assert "`libtilewright_cuda12.so` is no shared library" in doctor.stdout


def test_cuda_search_path_is_real_directories_of_packages(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standard = os.path.dirname(os.__file__)
    current = tmp_path / "current"
    current.mkdir()
    monkeypatch.chdir(current)
    packages = str(tmp_path)
    path = ["", str(current), "/no/such/folder", packages, standard, f"{standard}/lib-dynload"]
    assert cuda_search_path([*path, f"{packages}/", "..", None, 0, b"/"]) == [packages]


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
    assert ascii(str(folder))[1:-1] in child.stdout
