# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import io
from pathlib import PurePosixPath

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.elf.elf_file import ElfFile
from tools.wheel.elf.reader import read_elf
from tools.wheel.repair.errors import RpathError
from tools.wheel.repair.rpath import check_rpath, search_folders


def _elf(path: str, runpath: str) -> ElfFile:
    elf = read_elf(io.BytesIO(TinyElf(runpath=runpath).build()), path)
    assert elf is not None
    return elf


@pytest.mark.parametrize(
    ("path", "runpath", "folders"),
    [
        ("pkg/_C.so", "$ORIGIN/lib", ["pkg/lib"]),
        ("pkg/_C.so", "${ORIGIN}/../nvidia/cu13/lib", ["nvidia/cu13/lib"]),
        ("pkg/lib/a.so", "$ORIGIN:$ORIGIN/../../nvidia/cu13/lib", ["pkg/lib", "nvidia/cu13/lib"]),
        ("pkg-1.data/platlib/pkg/a.so", "$ORIGIN/../x", ["x"]),
        ("a.so", "$ORIGIN", ["."]),
    ],
)
def test_search_folders_entries_resolve_below_site_packages(
    path: str, runpath: str, folders: list[str]
) -> None:
    elf = _elf(path, runpath)
    check_rpath(elf)
    assert search_folders(elf) == [PurePosixPath(folder) for folder in folders]


@pytest.mark.parametrize(
    ("path", "runpath", "message"),
    [
        ("pkg/a.so", "/usr/local/cuda/lib64", "not relative to the file"),
        ("pkg/a.so", "$ORIGIN/../x/stubs", "for linking alone"),
        ("pkg/a.so", "$ORIGIN:lib", "'lib', which is not relative"),
        ("pkg/a.so", "$ORIGIN:", "entry '', which is not relative"),
        ("pkg/a.so", "$ORIGINAL/x", "not relative to the file"),
        ("pkg/a.so", "$ORIGIN/../../nvidia/cu13/lib", "leaves site-packages"),
        ("pkg-1.data/scripts/run", "$ORIGIN/../lib", "not installed beside packages"),
    ],
)
def test_check_rpath_entry_without_fixed_meaning_is_refused(
    path: str, runpath: str, message: str
) -> None:
    with pytest.raises(RpathError, match=message):
        check_rpath(_elf(path, runpath))


def test_check_rpath_hidden_rpath_is_checked_too() -> None:
    elf = read_elf(io.BytesIO(TinyElf(rpath="/build", runpath="$ORIGIN").build()), "pkg/a.so")
    assert elf is not None
    with pytest.raises(RpathError, match="'/build'"):
        check_rpath(elf)
