# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.tiny_elf_wheel import elf_wheel, found
from tools.wheel.audit.checks import cxx_runtime

STATIC = ("__cxa_throw", "_ZSt9terminatev", "_Unwind_Resume", "pkg_run")


def test_exported_runtime_of_a_static_copy_is_found() -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(defines=STATIC)})
    assert found(cxx_runtime.exported, wheel) == [
        (
            "pkg/x.so",
            "it has a copy of the C++ runtime and exports `_ZSt9terminatev`, `__cxa_throw` of it",
        ),
        ("pkg/x.so", "it has a copy of the unwinder and exports `_Unwind_Resume` of it"),
    ]


@pytest.mark.parametrize(
    ("path", "elf"),
    [
        ("pkg/x.so", TinyElf(imports=STATIC, defines=("_ZNSt6vectorIiSaIiEE9push_backEOi",))),
        (
            "pkg.libs/libstdc++-1234abcd.so.6",
            TinyElf(soname="libstdc++-1234abcd.so.6", defines=STATIC),
        ),
        ("pkg.libs/libgcc_s.so.1", TinyElf(defines=STATIC)),
        ("pkg/bin/tool", TinyElf(interpreter="/lib64/ld-linux-x86-64.so.2", defines=STATIC)),
    ],
)
def test_exported_runtime_where_it_belongs_passes(path: str, elf: TinyElf) -> None:
    assert found(cxx_runtime.exported, elf_wheel({path: elf})) == []
