# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tools.wheel.elf.search_path import search_folder

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
