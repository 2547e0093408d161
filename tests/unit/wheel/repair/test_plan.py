# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.errors import ToolError
from tools.wheel.elf.errors import BadElfError
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.errors import (
    ForbiddenFileError,
    NewSymbolError,
    NotAllowedError,
    NotNativeError,
    UnresolvedLibraryError,
    UnusedExcludeError,
)
from tools.wheel.repair.plan import Options, RepairPlan, plan_repair
from tools.wheel.repair.resolve import Outcome

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
PLATFORM = "manylinux_2_27_x86_64"
EXTENSION = "pkg/_C.cpython-312-x86_64-linux-gnu.so"

CUDA_OUTSIDE = Options(PLATFORM, ("cuda",))


def _plan(folder: Path, files: dict[str, TinyElf], options: Options = CUDA_OUTSIDE) -> RepairPlan:
    content = {path: elf.build() for path, elf in files.items()}
    return plan_repair(read_wheel(write_tiny_wheel(folder, NAME, content)), options)


def test_plan_repair_says_how_each_need_is_met(tmp_path: Path) -> None:
    plan = _plan(
        tmp_path,
        {
            EXTENSION: TinyElf(needed=("libpkg.so", "libc.so.6"), runpath="$ORIGIN/lib"),
            "pkg/lib/libpkg.so": TinyElf(soname="libpkg.so"),
            "pkg/lib/libpkg_cuda.so": TinyElf(
                needed=("libcudart.so.13", "libcuda.so.1"), runpath="$ORIGIN/../../nvidia/cu13/lib"
            ),
        },
    )
    assert str(plan.output_name) == "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
    assert [(item.library, item.outcome, item.source) for item in plan.dependencies] == [
        ("libc.so.6", Outcome.PLATFORM, "manylinux_2_27"),
        ("libcuda.so.1", Outcome.EXCLUDED, "driver"),
        ("libcudart.so.13", Outcome.EXCLUDED, "cuda"),
        ("libpkg.so", Outcome.BUNDLED, "pkg/lib/libpkg.so"),
    ]
    assert plan.dependencies[0].needed_by == (EXTENSION, "pkg/lib/libpkg.so")


def test_plan_repair_pattern_excludes_single_libraries(tmp_path: Path) -> None:
    options = Options(PLATFORM, patterns=("libfoo.so.*",))
    plan = _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert plan.dependencies[0].outcome is Outcome.EXCLUDED
    assert plan.dependencies[0].source == "libfoo.so.*"


def test_plan_repair_library_in_named_folder_is_grafted(tmp_path: Path) -> None:
    (tmp_path / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("libfoo.so.*",))
    plan = _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert plan.grafted == {"libfoo.so.3": tmp_path / "libfoo.so.3"}


def test_plan_repair_needs_of_a_grafted_library_are_planned_too(tmp_path: Path) -> None:
    foo = TinyElf(soname="libfoo.so.3", needed=("libbar.so.1", "libcudart.so.13", "libc.so.6"))
    (tmp_path / "libfoo.so.3").write_bytes(foo.build())
    (tmp_path / "libbar.so.1").write_bytes(TinyElf(soname="libbar.so.1").build())
    options = Options(PLATFORM, ("cuda",), library_folders=(tmp_path,), allow_grafted=("*",))
    plan = _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert set(plan.grafted) == {"libfoo.so.3", "libbar.so.1"}
    found = {item.library: (item.outcome, item.needed_by) for item in plan.dependencies}
    assert found["libcudart.so.13"] == (Outcome.EXCLUDED, ("pkg.libs/libfoo.so.3",))


@pytest.mark.parametrize(
    ("library", "error", "message"),
    [
        (TinyElf(needed=("libgone.so",)).build(), UnresolvedLibraryError, "needs `libgone.so`"),
        (TinyElf(machine=183).build(), BadElfError, "/libfoo.so.3` is for aarch64"),
        (b"INPUT(libfoo.so.3.1)", BadElfError, "no readable ELF file"),
    ],
)
def test_plan_repair_library_that_cannot_be_grafted_is_refused(
    tmp_path: Path, library: bytes, error: type[ToolError], message: str
) -> None:
    (tmp_path / "libfoo.so.3").write_bytes(library)
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("libfoo.so.*",))
    with pytest.raises(error, match=message):
        _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)


def test_plan_repair_library_that_cannot_be_copied_is_named_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "libfoo.so.3").write_bytes(b"INPUT(libfoo.so.3.1)")
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("libfoo.so.*",))
    with pytest.raises(BadElfError) as caught:
        _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert f"`{tmp_path}/libfoo.so.3` is no readable ELF file" in str(caught.value)


@pytest.mark.parametrize("folder", ["build/", "/"])
def test_plan_repair_library_needed_by_its_path_is_refused(tmp_path: Path, folder: str) -> None:
    """Neither the file that a search path leads to nor one of the machine is meant."""
    library = f"{tmp_path if folder == '/' else ''}{folder}libfoo.so"
    for place in (tmp_path, tmp_path / "build"):
        place.mkdir(exist_ok=True)
        (place / "libfoo.so").write_bytes(TinyElf().build())
    files = {
        EXTENSION: TinyElf(needed=(library,), runpath="$ORIGIN"),
        "pkg/build/libfoo.so": TinyElf(),
    }
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("*",))
    with pytest.raises(UnresolvedLibraryError) as caught:
        _plan(tmp_path, files, options)
    assert str(caught.value) == (
        f"`{EXTENSION}` needs `{library}`, a path, which the loader looks for in no search path\n"
        f"chain: {EXTENSION} -> {library}\n"
        "hint: link the library with a soname, `-Wl,-soname,libfoo.so`, then the file with the "
        "library"
    )


def test_plan_repair_shows_the_way_to_each_library(tmp_path: Path) -> None:
    files = {
        EXTENSION: TinyElf(needed=("libpkg.so",), runpath="$ORIGIN/lib"),
        "pkg/lib/libpkg.so": TinyElf(needed=("libfoo.so.3",)),
    }
    (tmp_path / "libfoo.so.3").write_bytes(TinyElf(needed=("libcudart.so.13",)).build())
    options = Options(PLATFORM, ("cuda",), (), (tmp_path,), ("libfoo.so.3",))
    chains = {item.library: item.chain for item in _plan(tmp_path, files, options).dependencies}
    assert chains["libcudart.so.13"] == (
        EXTENSION,
        "pkg/lib/libpkg.so",
        "pkg.libs/libfoo.so.3",
        "libcudart.so.13",
    )


def test_plan_repair_library_that_nothing_allows_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("libbar.so.*",))
    with pytest.raises(NotAllowedError) as caught:
        _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert str(caught.value) == (
        f"`libfoo.so.3` would be copied from `{tmp_path}`, which nothing allows\n"
        f"chain: {EXTENSION} -> libfoo.so.3\n"
        "hint: exclude the library, or allow the copy (`libraries`; by hand `--allow-grafted`)"
    )


def test_plan_repair_library_that_is_opened_by_name_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "libnvrtc-builtins.so.13.0").write_bytes(TinyElf().build())
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("*",))
    with pytest.raises(NotAllowedError) as caught:
        _plan(tmp_path, {EXTENSION: TinyElf(needed=("libnvrtc-builtins.so.13.0",))}, options)
    assert str(caught.value) == (
        "`libnvrtc-builtins.so.13.0` is opened by its file name at run time, and a copy is "
        f"renamed\nchain: {EXTENSION} -> libnvrtc-builtins.so.13.0\n"
        "hint: exclude its family, and require the package that provides it"
    )


def test_plan_repair_driver_library_is_not_copied_though_allowed(tmp_path: Path) -> None:
    (tmp_path / "libcuda.so.1").write_bytes(TinyElf(soname="libcuda.so.1").build())
    options = Options(PLATFORM, library_folders=(tmp_path,), allow_grafted=("*",))
    plan = _plan(tmp_path, {EXTENSION: TinyElf(needed=("libcuda.so.1",))}, options)
    assert (plan.grafted, plan.dependencies[0].source) == ({}, "driver")


def test_plan_repair_driver_library_inside_is_refused_whatever_is_excluded(tmp_path: Path) -> None:
    with pytest.raises(ForbiddenFileError) as caught:
        _plan(tmp_path, {EXTENSION: TinyElf(), "pkg/libcuda.so.1": TinyElf()}, Options(PLATFORM))
    assert str(caught.value) == (
        "`pkg/libcuda.so.1` is `libcuda.so.1`, which the NVIDIA driver provides; a wheel must not "
        "carry it\nhint: leave the file out and let the dependency bring it"
    )


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (
            "libfoo.so",
            "`libfoo.so` matches no library that the wheel needs; it needs `libfoo.so.3`",
        ),
        ("libbar.so.*", "`libbar.so.*` matches no library that the wheel needs"),
    ],
)
def test_plan_repair_exclude_that_matches_nothing_is_refused(
    tmp_path: Path, pattern: str, message: str
) -> None:
    options = Options(PLATFORM, patterns=("libfoo.so.3", pattern))
    with pytest.raises(UnusedExcludeError) as caught:
        _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert str(caught.value) == (
        f"exclude pattern {message}\n"
        "hint: correct the pattern or remove it; `--dry-run` lists what is needed"
    )


def test_plan_repair_pattern_that_a_family_covers_too_is_no_error(tmp_path: Path) -> None:
    options = Options(PLATFORM, ("cuda",), ("libcudart.so.*",))
    plan = _plan(tmp_path, {EXTENSION: TinyElf(needed=("libcudart.so.13",))}, options)
    assert plan.dependencies[0].outcome is Outcome.EXCLUDED


def test_plan_repair_unresolved_library_names_chain_and_near_pattern(tmp_path: Path) -> None:
    files = {
        EXTENSION: TinyElf(needed=("libpkg.so",), runpath="$ORIGIN"),
        "pkg/libpkg.so": TinyElf(needed=("libcudart.so.13",)),
    }
    with pytest.raises(UnresolvedLibraryError) as caught:
        _plan(tmp_path, files, Options(PLATFORM, patterns=("libcudart.so",)))
    assert "; exclude pattern `libcudart.so` does not match it" in str(caught.value)
    assert f"\nchain: {EXTENSION} -> pkg/libpkg.so -> libcudart.so.13\n" in str(caught.value)


def test_plan_repair_file_in_wheel_wins_over_the_platforms(tmp_path: Path) -> None:
    files = {
        EXTENSION: TinyElf(needed=("libstdc++.so.6",), runpath="$ORIGIN"),
        "pkg/libstdc++.so.6": TinyElf(),
    }
    plan = _plan(tmp_path, files)
    found = {item.library: item.source for item in plan.dependencies}
    assert found["libstdc++.so.6"] == "pkg/libstdc++.so.6"


@pytest.mark.parametrize(
    ("files", "error", "message"),
    [
        ({}, NotNativeError, "holds no shared object"),
        (
            {EXTENSION: TinyElf(needed=("libcudart.so.13", "libgomp.so.1"))},
            UnresolvedLibraryError,
            r"needs `libgomp.so.1`",
        ),
        (
            {EXTENSION: TinyElf(versions={"libc.so.6": ("GLIBC_2.17", "GLIBC_2.28")})},
            NewSymbolError,
            r"needs GLIBC_2.28 of `libc.so.6`, newer than `manylinux_2_27`",
        ),
        (
            {
                EXTENSION: TinyElf(
                    versions={"libc.so.6": ("GLIBC_2.17", "GLIBC_2.28")},
                    imports=("memcpy@GLIBC_2.17", "fcntl64@GLIBC_2.28"),
                )
            },
            NewSymbolError,
            r"needs GLIBC_2.28 of `libc.so.6` for `fcntl64`, newer than `manylinux_2_27`",
        ),
        ({EXTENSION: TinyElf(machine=183)}, BadElfError, "is for aarch64, the platform is x86_64"),
        (
            {EXTENSION: TinyElf(), "pkg/lib/libcudart.so.13": TinyElf()},
            ForbiddenFileError,
            r"`pkg/lib/libcudart.so.13` is `libcudart.so.13`",
        ),
        (
            {EXTENSION: TinyElf(), "pkg.libs/libcudart-01234567.so.13": TinyElf()},
            ForbiddenFileError,
            r"is `libcudart.so.13`, which the `nvidia-\*` packages",
        ),
        (
            {EXTENSION: TinyElf(), "pkg/innocent.so": TinyElf(soname="libcublas.so.12")},
            ForbiddenFileError,
            r"`pkg/innocent.so` is `libcublas.so.12`",
        ),
    ],
)
def test_plan_repair_wheel_that_cannot_be_repaired_is_refused(
    tmp_path: Path, files: dict[str, TinyElf], error: type[ToolError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        _plan(tmp_path, files)
    assert caught.value.hint


def test_plan_repair_symbol_version_of_excluded_library_is_free(tmp_path: Path) -> None:
    elf = TinyElf(needed=("libcudart.so.13",), versions={"libcudart.so.13": ("libcudart.so.13",)})
    assert _plan(tmp_path, {EXTENSION: elf}).dependencies[0].outcome is Outcome.EXCLUDED


def test_plan_repair_pattern_means_libraries_alone(tmp_path: Path) -> None:
    options = Options(PLATFORM, patterns=("[MRWl]*",))
    plan = _plan(tmp_path, {EXTENSION: TinyElf(needed=("libfoo.so.3",))}, options)
    assert plan.dependencies[0].outcome is Outcome.EXCLUDED
