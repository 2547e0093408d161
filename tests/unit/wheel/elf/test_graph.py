# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from tools.wheel.elf.elf_file import Binding, ElfFile, Symbol
from tools.wheel.elf.graph import ElfGraph


def elf(path: str, *needed: str, soname: str = "", defines: tuple[str, ...] = ()) -> ElfFile:
    return ElfFile(
        path=path,
        architecture="x86_64",
        soname=soname,
        needed=needed,
        rpath=(),
        runpath=(),
        versions=(),
        symbols=tuple(Symbol(name, "", "", Binding.GLOBAL, True) for name in defines),
    )


def graph(*files: ElfFile) -> ElfGraph:
    return ElfGraph({file.path: file for file in files})


MODULE = elf("pkg/_C.abi3.so", "liba.so.1", "libc.so.6", defines=("PyInit__C",))
A = elf("pkg/lib/liba-1.0.so", "libb.so", soname="liba.so.1")
B = elf("pkg/lib/libb.so")
PLUGIN = elf("pkg/plugin.so", "libb.so", "libd.so")
D = elf("pkg/lib/libd.so")
GRAPH = graph(MODULE, A, B, PLUGIN, D)


def test_graph_finds_a_library_by_soname_and_by_file_name() -> None:
    assert GRAPH.find("liba.so.1") == GRAPH.find("liba-1.0.so") == A.path
    assert GRAPH.find("libc.so.6") == ""


def test_chain_starts_at_a_file_that_no_other_needs_and_is_the_shortest() -> None:
    assert GRAPH.chain(A.path) == (MODULE.path, A.path)
    assert GRAPH.chain(B.path) == (PLUGIN.path, B.path)
    assert GRAPH.chain(MODULE.path) == (MODULE.path,)


def test_imported_are_extension_modules_and_what_they_need() -> None:
    assert GRAPH.modules == (MODULE.path,)
    assert GRAPH.imported == {MODULE.path, A.path, B.path}


def test_chain_of_files_that_need_each_other_ends() -> None:
    first, second = elf("a.so", "b.so"), elf("b.so", "a.so")
    assert graph(first, second).chain("a.so") == ("a.so",)


def test_files_without_a_soname_are_not_found_by_no_name() -> None:
    assert GRAPH.find("") == ""
