# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.reader import open_wheel
from tools.wheel.providers.errors import RegistryError
from tools.wheel.providers.registry import list_versions, read_content
from tools.wheel.providers.table import Content

NAME = "nvidia_cusolver-12.0-py3-none-manylinux_2_17_x86_64.whl"


def content_of(folder: Path, files: dict[str, bytes], name: str = NAME) -> Content:
    with open_wheel(write_tiny_wheel(folder, name, files)) as wheel:
        return read_content(wheel, {"nvidia-cublas"})


def test_content_has_libraries_by_soname_and_what_they_need_of_others(tmp_path: Path) -> None:
    lib = "nvidia/cu13/lib"
    solver = TinyElf(
        soname="libcusolver.so.12",
        needed=("libcublas.so.13", "libcusolverMg.so.12", "libc.so.6"),
    )
    files = {
        f"{lib}/libcusolver.so.12": solver.build(),
        f"{lib}/libcusolverMg.so.12": TinyElf().build(),
    }
    assert content_of(tmp_path, files) == Content(
        libraries={
            "libcusolver.so.12": f"{lib}/libcusolver.so.12",
            "libcusolverMg.so.12": f"{lib}/libcusolverMg.so.12",
        },
        needs=("libcublas.so.13",),
    )


def test_content_leaves_out_what_nobody_links(tmp_path: Path) -> None:
    files = {
        "nvidia/cu13/lib/stubs/libcuda.so": TinyElf(soname="libcuda.so.1").build(),
        "nvidia/_core.so": TinyElf(defines=("PyInit__core",)).build(),
        "nvidia/cu13/lib/libcudart.so": b"INPUT(libcudart.so.13)",
        "nvidia/cu13/lib/libcudart_static.a": b"!<arch>\n",
    }
    assert content_of(tmp_path, files) == Content()


def test_content_of_a_package_of_packages_has_its_extras(tmp_path: Path) -> None:
    metadata = (
        "Metadata-Version: 2.1\nName: cuda-toolkit\nVersion: 13.0\n"
        "Provides-Extra: cublas\nProvides-Extra: other\n"
        "Requires-Dist: nvidia-cublas==13.*; sys_platform == 'linux' and extra == 'cublas'\n"
        "Requires-Dist: nvidia-cublas==13.*; sys_platform == 'win32' and extra == 'other'\n"
        "Requires-Dist: unknown; extra == 'other'\n"
    )
    files = {"cuda_toolkit-13.0.dist-info/METADATA": metadata.encode()}
    content = content_of(tmp_path, files, "cuda_toolkit-13.0-py3-none-any.whl")
    assert content == Content(extras={"cublas": ("nvidia-cublas",)}, purelib=True)


def _pip(monkeypatch: pytest.MonkeyPatch, output: str, code: int = 0) -> None:
    def run(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], code, output, "ERROR: no such package")

    monkeypatch.setattr(subprocess, "run", run)


def test_versions_are_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    _pip(monkeypatch, "pkg (9.10)\nAvailable versions: 9.10, 9.9.1, 8.0\n  INSTALLED: 9.9.1\n")
    assert list_versions("pkg") == ("8.0", "9.9.1", "9.10")


@pytest.mark.parametrize(("output", "code"), [("", 1), ("pkg (1.0)\n", 0)])
def test_versions_that_cannot_be_had_are_an_error(
    output: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pip(monkeypatch, output, code)
    with pytest.raises(RegistryError, match="`pkg`|no such package"):
        list_versions("pkg")
