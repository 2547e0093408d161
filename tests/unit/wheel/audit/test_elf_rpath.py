# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.shown import shown
from tests.unit.wheel.audit.tiny_elf_wheel import elf_wheel, found
from tools.wheel.audit.check import Check
from tools.wheel.audit.checks import elf_rpath


@pytest.mark.parametrize("check", elf_rpath.CHECKS, ids=lambda check: check.id)
@pytest.mark.parametrize(
    "runpath",
    ["", "$ORIGIN", "${ORIGIN}/lib:$ORIGIN/../pkg.libs", "$ORIGIN/../nvidia/cu13/lib"],
)
def test_elf_rpath_relative_entries_pass(check: Check, runpath: str) -> None:
    files = {"pkg/x.so": TinyElf(runpath=runpath), "pkg/lib/y.so": TinyElf()}
    paths = ["pkg/__init__.py", "pkg.libs/libz.so"]
    wheel = elf_wheel(files, paths=paths)
    assert found(check, wheel) == []


@pytest.mark.parametrize(
    ("runpath", "what"),
    [
        (
            "$ORIGIN:",
            "DT_RUNPATH has an empty entry: libraries are taken from the current folder",
        ),
        ("build/lib", "DT_RUNPATH entry `build/lib` is relative to the current folder"),
        ("$ORIGINAL", "DT_RUNPATH entry `$ORIGINAL` is relative to the current folder"),
        (
            "/usr/local/cuda/lib64/stubs",
            "DT_RUNPATH entry `/usr/local/cuda/lib64/stubs` has libraries without code, for "
            "linking alone: CUDA calls fail with CUDA_ERROR_STUB_LIBRARY",
        ),
    ],
)
def test_rpath_unsafe_is_found(runpath: str, what: str) -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(runpath=runpath)})
    assert shown(elf_rpath.rpath_unsafe, wheel) == (
        f"  error      elf-rpath-unsafe: `pkg/x.so`: {what}\n"
        "             hint: link with an RPATH whose entries all start with `$ORIGIN`, or with "
        "none; `patchelf --print-rpath` shows it"
    )
    assert found(elf_rpath.rpath_absolute, wheel) == []


def test_rpath_absolute_tells_the_build_machine_from_what_systems_have() -> None:
    entries = "/usr/local/cuda/lib64:/home/bob/build:/__w/1:$ORIGIN:/opt/rocm/lib"
    wheel = elf_wheel({"pkg/x.so": TinyElf(rpath=entries)})
    assert shown(elf_rpath.rpath_absolute, wheel) == (
        "  error      elf-rpath-absolute: `pkg/x.so`: DT_RPATH leads to `/usr/local/cuda/lib64`, "
        "`/opt/rocm/lib`: a library there is taken whatever its version\n"
        "  error      elf-rpath-absolute: `pkg/x.so`: DT_RPATH leads to the build machine: "
        "`/home/bob/build`, `/__w/1`\n"
        "             hint: link with an RPATH whose entries all start with `$ORIGIN`, or with none"
    )


def test_rpath_dangling_is_found_by_the_depth_of_each_file() -> None:
    climbing = TinyElf(runpath="$ORIGIN/../../nvidia/cu13/lib")
    files = {"pkg/x.so": climbing, "pkg/lib/y.so": climbing}
    assert shown(elf_rpath.rpath_dangling, elf_wheel(files)) == (
        "  error      elf-rpath-dangling: `pkg/x.so`: DT_RUNPATH leaves site-packages: "
        "`$ORIGIN/../../nvidia/cu13/lib`, from `pkg`\n"
        "             hint: count from the file's own folder: each `..` is one level, and "
        "site-packages is the last"
    )


def test_rpath_dangling_folder_that_the_wheel_lacks_is_found() -> None:
    files = {"pkg/x.so": TinyElf(runpath="$ORIGIN/lib:$ORIGIN/../pkg.libs:$ORIGIN/../nvidia/lib")}
    wheel = elf_wheel(files, paths=["pkg/__init__.py"])
    assert shown(elf_rpath.rpath_dangling, wheel) == (
        "  error      elf-rpath-dangling: `pkg/x.so`: DT_RUNPATH leads to `pkg/lib`, `pkg.libs`, "
        "which the wheel does not have\n"
        "             hint: link without the entry, or ship the folder"
    )
    wheel = elf_wheel(files, paths=["pkg/__init__.py", "pkg/lib/y.txt", "pkg.libs/z.so"])
    assert found(elf_rpath.rpath_dangling, wheel) == []


def test_rpath_dangling_folder_that_no_package_installs_is_found() -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(runpath="$ORIGIN/../build:$ORIGIN/../nvidia/cu13/lib")})
    assert shown(elf_rpath.rpath_dangling, wheel) == (
        "  error      elf-rpath-dangling: `pkg/x.so`: DT_RUNPATH leads to `build` in "
        "site-packages, which neither the wheel nor a package that it requires installs\n"
        "             hint: link without the entry, or require the package that installs the "
        "folder"
    )


@pytest.mark.parametrize(
    ("folder", "requirement"),
    [
        ("cuquantum/lib", "cuquantum-python-cu12>=24"),
        ("z3/lib", "z3-solver; extra == 'z3'"),
        ("numpy.libs", "NumPy"),
        ("_rocm_sdk_core/lib", "rocm[libraries]"),
        ("torch/lib", "filelock"),
        ("other", "filelock"),
    ],
)
def test_rpath_into_the_folder_of_a_package_passes(folder: str, requirement: str) -> None:
    files = {"pkg/x.so": TinyElf(runpath=f"$ORIGIN/../{folder}"), "other/y.so": TinyElf()}
    wheel = elf_wheel(files, requires=[requirement])
    assert found(elf_rpath.rpath_dangling, wheel) == []


def test_rpath_mixed_is_found_once_for_the_wheel() -> None:
    files = {
        "pkg/a.so": TinyElf(rpath="$ORIGIN"),
        "pkg/b.so": TinyElf(runpath="$ORIGIN"),
        "pkg/c.so": TinyElf(runpath="$ORIGIN"),
    }
    assert found(elf_rpath.rpath_mixed, elf_wheel(files)) == [
        (
            "",
            "`pkg/a.so` has DT_RPATH, `pkg/b.so` and 1 more DT_RUNPATH: the user's LD_LIBRARY_PATH "
            "changes where some of the wheel's libraries come from",
        )
    ]


def test_rpath_mixed_in_one_file_is_found() -> None:
    files = {"pkg/a.so": TinyElf(rpath="$ORIGIN", runpath="$ORIGIN")}
    assert found(elf_rpath.rpath_mixed, elf_wheel(files)) == [
        ("pkg/a.so", "it has DT_RPATH and DT_RUNPATH; the loader ignores DT_RPATH")
    ]
