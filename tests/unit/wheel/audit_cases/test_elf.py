# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the command says of ELF files, by the bytes: the failing and the passing side."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit_cases.tiny_case import Case, assert_case, metadata

ARM = "pkg-1.0-cp312-cp312-manylinux_2_28_aarch64.whl"
ABI3 = "pkg-1.0-cp310-abi3-manylinux_2_27_x86_64.whl"
ANY_PYTHON = "pkg-1.0-py3-none-manylinux_2_27_x86_64.whl"
TORCH_28 = metadata("Requires-Dist: torch==2.8.*")
OLD_STRING = "_ZN3c105ErrorC2ENS_14SourceLocationESs"
NEW_STRING = (
    "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
)


def foo(*versions: str) -> dict[str, TinyElf]:
    """A module that asks its copy of libfoo for versions; the copy has FOO_1."""
    return {
        "pkg/x.so": TinyElf(needed=("libfoo.so.1",), versions={"libfoo.so.1": versions}),
        "pkg.libs/libfoo.so.1": TinyElf(soname="libfoo.so.1", defines=("foo@FOO_1",)),
    }


def math(version: str) -> dict[str, TinyElf]:
    """A module that calls a library of the wheel, which calls libm."""
    elf = TinyElf(
        soname="liby.so",
        needed=("libm.so.6",),
        versions={"libm.so.6": (version,)},
        imports=(f"exp@{version}",),
    )
    return {"pkg/x.so": TinyElf(needed=("liby.so",), defines=("PyInit_x",)), "pkg/liby.so": elf}


CASES = [
    Case(
        "elf-executable-stack",
        {"pkg/x.so": TinyElf(stack_flags=7)},
        {"pkg/x.so": TinyElf()},
        "`pkg/x.so`: its PT_GNU_STACK segment is executable\n"
        "hint: link with `-z noexecstack`; in assembly sources add a `.note.GNU-stack` section",
    ),
    Case(
        "elf-version-needs",
        foo("FOO_1", "FOO_2"),
        foo("FOO_1"),
        "`pkg/x.so`: it asks `libfoo.so.1` for `FOO_2`, which `pkg.libs/libfoo.so.1` does not "
        "offer\n"
        "chain: pkg/x.so -> pkg.libs/libfoo.so.1\n"
        "hint: ship the library that the file was linked with, or a newer one",
    ),
    Case(
        "elf-segments",
        {"pkg/x.so": TinyElf(machine=183)},
        {"pkg/x.so": TinyElf(machine=183, alignment=0x10000)},
        "`pkg/x.so`: its segment at address 0x0 has alignment 0x1000; the kernel of an "
        "aarch64 machine may have pages of 0x10000\n"
        "hint: link with `-z max-page-size=65536` on aarch64; after edits use patchelf "
        "0.18.0 or newer, and strip before, not after",
        name=ARM,
    ),
    Case(
        "elf-copies",
        {"pkg/libx.so": TinyElf(soname="libx.so.1"), "pkg/libx.so.1": TinyElf(soname="libx.so.1")},
        {"pkg/libx.so.1": TinyElf(soname="libx.so.1"), "pkg/liby.so.1": TinyElf(soname="liby.so")},
        "`pkg/libx.so.1`: it is inside again as `pkg/libx.so`, 0.9 kB more to install\n"
        "hint: ship the file once, under its soname; a zip archive has no links, so each "
        "name of a library becomes a file, and a process may load two of them",
    ),
    Case(
        "elf-debug-info",
        {"pkg/x.so": TinyElf(sections={".debug_info": bytes(2_000_000)})},
        {"pkg/x.so": TinyElf(sections={".comment": b"zig"}, build_id=bytes(20))},
        "2.0 MB of debug information is in `pkg/x.so`; no build id is in `pkg/x.so`\n"
        "hint: keep it apart (`objcopy --only-keep-debug`), ship what `strip "
        "--strip-unneeded` leaves",
    ),
    Case(
        "elf-build-path",
        {"pkg/x.so": TinyElf(payload=b"\0/home/bob/build/x.cc\0")},
        {"pkg/x.so": TinyElf(payload=b"\0x.cc\0/usr/lib/x\0")},
        "`pkg/x.so`: it holds `/home/bob/build/x.cc`\n"
        "hint: compile with `-ffile-prefix-map=$PWD=.`, and let no `__FILE__` into "
        "messages",
    ),
    Case(
        "elf-rpath-mixed",
        {"pkg/x.so": TinyElf(rpath="$ORIGIN"), "pkg/y.so": TinyElf(runpath="$ORIGIN")},
        {"pkg/x.so": TinyElf(runpath="$ORIGIN"), "pkg/y.so": TinyElf(runpath="$ORIGIN")},
        "`pkg/x.so` has DT_RPATH, `pkg/y.so` DT_RUNPATH: the user's LD_LIBRARY_PATH "
        "changes where some of the wheel's libraries come from\n"
        "hint: link every file with `--disable-new-dtags` for DT_RPATH or with "
        "`--enable-new-dtags` for DT_RUNPATH",
    ),
    Case(
        "cxx-runtime-exported",
        {"pkg/x.so": TinyElf(defines=("__cxa_throw", "PyInit_x"))},
        {"pkg/x.so": TinyElf(imports=("__cxa_throw",), defines=("PyInit_x",))},
        "`pkg/x.so`: it has a copy of the C++ runtime and exports `__cxa_throw` of it\n"
        "hint: link with `-Wl,--exclude-libs,ALL`, or with a version script that names "
        "what to export",
    ),
    Case(
        "platform-symbols",
        math("GLIBC_2.29"),
        math("GLIBC_2.27"),
        "`pkg/liby.so`: it needs GLIBC_2.29 of `libm.so.6` for `exp`, newer than "
        "`manylinux_2_27`\n"
        "chain: pkg/x.so -> pkg/liby.so\n"
        "hint: its files do with `manylinux_2_31`: tag it so, or build on an older one",
    ),
    Case(
        "platform-machine",
        {"pkg/x.so": TinyElf(machine=183, defines=("PyInit_x",))},
        {"pkg/x.so": TinyElf(defines=("PyInit_x",))},
        "`pkg/x.so`: it is for aarch64; the tag is `manylinux_2_27_x86_64`\n"
        "hint: build each file for the machine and C library of the wheel's tag, and "
        "leave others out",
    ),
    Case(
        "abi3-symbols",
        {"pkg/x.abi3.so": TinyElf(imports=("PyObject_GetTypeData",))},
        {"pkg/x.abi3.so": TinyElf(imports=("PyList_New",))},
        "`pkg/x.abi3.so`: it uses `PyObject_GetTypeData`, in the stable ABI since Python "
        "3.12; the wheel admits 3.10\n"
        "hint: compile with `Py_LIMITED_API` set to the oldest Python of the tag: it "
        "hides the others",
        name=ABI3,
    ),
    Case(
        "python-tag",
        {"pkg/x.so": TinyElf(imports=("PyList_New",))},
        {"pkg/x.so": TinyElf(imports=("malloc",))},
        "`pkg/x.so`: it uses `PyList_New` of CPython; the tag `py3-none` admits other "
        "Pythons, too\n"
        "hint: tag the wheel for the one Python that it was built for, such as "
        "`cp312-cp312`, or use the stable ABI and tag it `cp310-abi3`",
        name=ANY_PYTHON,
    ),
    Case(
        "torch-range",
        {
            "pkg/x.so": TinyElf(imports=("_ZNK3c107SymBool10guard_boolEPKcl",)),
            **metadata("Requires-Dist: torch>=2.8"),
        },
        {"pkg/x.so": TinyElf(imports=("_ZNK3c107SymBool10guard_boolEPKcl",)), **TORCH_28},
        "`pkg/x.so`: it uses `_ZNK3c107SymBool10guard_boolEPKcl` of libtorch's C++; the "
        "wheel admits torch 2.8 and newer minor releases\n"
        "hint: require the minor release that it was built with, such as `torch==2.9.*`, "
        "or build with torch's stable ABI (`torch/csrc/stable`)",
    ),
    Case(
        "torch-cxx11-abi",
        {"pkg/x.so": TinyElf(imports=(OLD_STRING,)), **TORCH_28},
        {"pkg/x.so": TinyElf(imports=(NEW_STRING,)), **TORCH_28},
        "`pkg/x.so`: it uses `_ZN3c105ErrorC2ENS_14SourceLocationESs` with the old "
        "std::string; torch 2.8 has the new one\n"
        "hint: build with the `_GLIBCXX_USE_CXX11_ABI` of the torch that the wheel "
        "requires: `torch.compiled_with_cxx11_abi()`",
    ),
    Case(
        "torch-stable-abi",
        {"pkg/x.so": TinyElf(imports=("torch_call_dispatcher",)), **TORCH_28},
        {"pkg/x.so": TinyElf(imports=("aoti_torch_get_dtype",)), **TORCH_28},
        "`pkg/x.so`: it uses `torch_call_dispatcher`, in torch since 2.10; the wheel "
        "admits 2.8\n"
        "hint: require a torch that has the functions, or set `TORCH_TARGET_VERSION` to "
        "an older one",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_check_of_elf_files_says_where_what_and_what_next(case: Case, tmp_path: Path) -> None:
    assert_case(case, tmp_path)
