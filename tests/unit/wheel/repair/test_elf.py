# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import io

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.repair.elf import read_elf
from tools.wheel.repair.errors import BadElfError


def test_read_elf_reports_the_dynamic_section() -> None:
    elf = TinyElf(
        soname="libx.so.1",
        needed=("libc.so.6", "libcudart.so.13"),
        runpath="$ORIGIN/lib:$ORIGIN",
        versions={"libm.so.6": ("GLIBC_2.27",), "libc.so.6": ("GLIBC_2.17", "GLIBC_2.14")},
    )
    found = read_elf(io.BytesIO(elf.build()), "pkg/libx.so.1")
    assert found is not None
    assert found.architecture == "x86_64"
    assert found.soname == "libx.so.1"
    assert found.needed == ("libc.so.6", "libcudart.so.13")
    assert found.rpath == ()
    assert found.runpath == ("$ORIGIN/lib", "$ORIGIN")
    assert found.versions == (
        ("libc.so.6", ("GLIBC_2.14", "GLIBC_2.17")),
        ("libm.so.6", ("GLIBC_2.27",)),
    )


def test_read_elf_other_machine_is_named() -> None:
    found = read_elf(io.BytesIO(TinyElf(machine=183).build()), "x")
    assert found is not None
    assert found.architecture == "aarch64"


def test_search_path_runpath_hides_rpath() -> None:
    found = read_elf(io.BytesIO(TinyElf(rpath="$ORIGIN/a", runpath="$ORIGIN/b").build()), "x")
    assert found is not None
    assert found.search_path == ("$ORIGIN/b",)


def test_read_elf_object_file_is_passed_over() -> None:
    image = bytearray(TinyElf().build())
    image[16] = 1
    assert read_elf(io.BytesIO(image), "x.o") is None


@pytest.mark.parametrize("size", [4, 20, 64, 200])
def test_read_elf_truncated_file_is_refused(size: int) -> None:
    with pytest.raises(BadElfError, match=r"`pkg/x\.so` is no readable ELF file"):
        read_elf(io.BytesIO(TinyElf().build()[:size]), "pkg/x.so")
