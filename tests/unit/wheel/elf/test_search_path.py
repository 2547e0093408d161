# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tools.wheel.elf.search_path import WheelFolders, is_stub, search_folder

MODULE = PurePosixPath("pkg/sub/_C.so")


@pytest.mark.parametrize(
    ("entry", "folder"),
    [
        ("$ORIGIN", "pkg/sub"),
        ("${ORIGIN}/lib/.", "pkg/sub/lib"),
        ("$ORIGIN/../../provider/lib", "provider/lib"),
        ("$ORIGIN/../..", "."),
        ("$ORIGIN/../../..", None),
        ("$ORIGIN/../../../a", None),
        ("/usr/local/cuda/lib64", None),
        ("", None),
        ("lib", None),
    ],
)
def test_search_folder_is_below_site_packages_or_none(entry: str, folder: str | None) -> None:
    expected = None if folder is None else PurePosixPath(folder)
    assert search_folder(MODULE, entry) == expected


@pytest.mark.parametrize(
    ("folder", "lacks"),
    [
        ("pkg", False),
        ("pkg/lib", False),
        (".", False),
        ("pkg/csrc", True),
        ("pkg.libs", True),
        # `nvidia` has no `__init__.py` here: other packages may have parts of it.
        ("nvidia/cu13/lib", False),
        ("other/lib", False),
        ("_solib_k8/_U_Slib", True),
        ("other/a.so.runfiles/_main", True),
    ],
)
def test_wheel_folders_lacks_what_neither_it_nor_another_can_have(folder: str, lacks: bool) -> None:
    paths = [
        "pkg/__init__.py",
        "pkg-1.0.data/platlib/pkg/lib/a.so",
        "pkg-1.0.data/scripts/run",
        "nvidia/own/a.so",
    ]
    folders = WheelFolders.of(paths, "pkg.libs")
    assert folders.lacks(PurePosixPath(folder)) == lacks
    assert folders.tops == {"pkg", "pkg.libs", "nvidia"}


def test_wheel_folders_has_what_only_bazel_would_have_if_it_is_inside() -> None:
    folders = WheelFolders.of(["_solib_k8/a.so"], "pkg.libs")
    assert not folders.lacks(PurePosixPath("_solib_k8"))


def test_is_stub_goes_by_the_name_of_a_folder() -> None:
    entries = ("$ORIGIN/../cu13/lib/stubs", "/usr/local/cuda/lib64/stubs/", "$ORIGIN/mystubs")
    assert [is_stub(entry) for entry in entries] == [True, True, False]
