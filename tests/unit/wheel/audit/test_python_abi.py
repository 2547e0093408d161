# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.tiny_elf_wheel import elf_wheel, found
from tools.wheel.audit.checks import python_abi
from tools.wheel.audit.settings import Settings

MODULE = TinyElf(defines=("PyInit_x",))
TAG = "pkg-1.0-{}-manylinux_2_27_x86_64.whl"
#: Stable since 3.2, stable since 3.12, never stable.
OLD, NEW, PRIVATE = "PyList_New", "PyObject_GetTypeData", "_PyDict_Pop"


def test_abi3_symbols_of_the_tag_pass() -> None:
    files = {"pkg/x.abi3.so": TinyElf(imports=(OLD, NEW, "printf"), weak_imports=(PRIVATE,))}
    assert found(python_abi.abi3_symbols, elf_wheel(files, TAG.format("cp312-abi3"))) == []


def test_abi3_symbols_later_than_the_tag_are_found() -> None:
    files = {"pkg/x.abi3.so": TinyElf(imports=(OLD, NEW))}
    assert found(python_abi.abi3_symbols, elf_wheel(files, TAG.format("cp310-abi3"))) == [
        (
            "pkg/x.abi3.so",
            "it uses `PyObject_GetTypeData`, in the stable ABI since Python 3.12; the wheel admits "
            "3.10",
        )
    ]


def test_abi3_symbols_required_python_counts_beside_the_tag() -> None:
    files = {"pkg/x.abi3.so": TinyElf(imports=(OLD, NEW))}
    name = TAG.format("cp310-abi3")
    assert found(python_abi.abi3_symbols, elf_wheel(files, name, requires_python=">=3.12")) == []


def test_abi3_symbols_outside_the_stable_abi_are_found() -> None:
    files = {"pkg/x.abi3.so": TinyElf(imports=(OLD, PRIVATE, "PyFrame_New"))}
    assert found(python_abi.abi3_symbols, elf_wheel(files, TAG.format("cp312-abi3"))) == [
        ("pkg/x.abi3.so", "it uses `PyFrame_New`, `_PyDict_Pop`, not in CPython's stable ABI")
    ]


def test_abi3_symbols_of_the_wheel_itself_are_not_the_interpreters() -> None:
    files = {
        "pkg/x.abi3.so": TinyElf(imports=("PyTables_open",)),
        "pkg/libtables.so": TinyElf(defines=("PyTables_open",)),
    }
    assert found(python_abi.abi3_symbols, elf_wheel(files, TAG.format("cp312-abi3"))) == []


def test_abi3_symbols_of_other_wheels_are_free() -> None:
    files = {"pkg/x.cpython-312-x86_64-linux-gnu.so": TinyElf(imports=(PRIVATE,))}
    wheel = elf_wheel(files)
    assert found(python_abi.abi3_symbols, wheel) == []
    assert found(python_abi.python_tag, wheel) == []


def test_python_tag_any_python_without_its_symbols_passes() -> None:
    files = {"pkg/libx.so": TinyElf(imports=("malloc",))}
    assert found(python_abi.python_tag, elf_wheel(files, TAG.format("py3-none"))) == []


@pytest.mark.parametrize("tag", ["py3-none", "py2.py3-none", "cp312.py3-none"])
@pytest.mark.parametrize("symbol", [OLD, PRIVATE])
def test_python_tag_any_python_with_symbols_of_cpython_is_found(tag: str, symbol: str) -> None:
    files = {"pkg/x.so": TinyElf(imports=(symbol, "malloc"))}
    (problem,) = python_abi.python_tag.find(elf_wheel(files, TAG.format(tag)), Settings())
    assert (problem.path, problem.what) == (
        "pkg/x.so",
        f"it uses `{symbol}` of CPython; the tag `py3-none` admits other Pythons, too",
    )
    assert python_abi.python_tag.hint == (
        "tag the wheel for the one Python that it was built for, such as `cp312-cp312`, or use "
        "the stable ABI and tag it `cp310-abi3`"
    )


def test_python_tag_any_python_with_an_interpreter_inside_passes() -> None:
    files = {
        "pkg/tool": TinyElf(imports=(OLD,)),
        "pkg/libpython3.12.so.1.0": TinyElf(defines=(OLD,)),
    }
    assert found(python_abi.python_tag, elf_wheel(files, TAG.format("py3-none"))) == []


def test_python_tag_one_python_without_its_abi_uses_the_stable_abi_alone() -> None:
    name = TAG.format("cp311-none")
    assert (
        found(python_abi.python_tag, elf_wheel({"pkg/x.so": TinyElf(imports=(OLD,))}, name)) == []
    )
    files = {"pkg/x.so": TinyElf(imports=(NEW, PRIVATE))}
    assert found(python_abi.python_tag, elf_wheel(files, name)) == [
        ("pkg/x.so", "it uses `_PyDict_Pop`, not in CPython's stable ABI"),
        (
            "pkg/x.so",
            "it uses `PyObject_GetTypeData`, in the stable ABI since Python 3.12; the wheel admits "
            "3.11",
        ),
    ]


@pytest.mark.parametrize(
    ("tag", "suffixes", "what"),
    [
        (
            "cp312-cp312",
            ["cpython-311-x86_64-linux-gnu"],
            "3.11 imports a module of this name; the tag promises 3.12",
        ),
        (
            "cp313-cp313t",
            ["cpython-313-x86_64-linux-gnu"],
            "3.13 imports a module of this name; the tag promises 3.13t",
        ),
        (
            "cp310-abi3",
            ["cpython-310-x86_64-linux-gnu"],
            "3.10 imports a module of this name; the tag promises newer ones",
        ),
        (
            "py3-none",
            ["cpython-312-x86_64-linux-gnu"],
            "3.12 imports a module of this name; the tag promises every Python 3",
        ),
    ],
)
def test_python_tag_module_for_another_python_is_found(
    tag: str, suffixes: list[str], what: str
) -> None:
    files = {f"pkg/x.{suffix}.so": MODULE for suffix in suffixes}
    assert found(python_abi.python_tag, elf_wheel(files, TAG.format(tag))) == [
        (f"pkg/x.{suffixes[0]}.so", f"only CPython {what}")
    ]


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        ("cp312-cp312", ["x.cpython-312-x86_64-linux-gnu.so", "x.cpython-311-x86_64-linux-gnu.so"]),
        ("cp313-cp313t", ["x.cpython-313t-x86_64-linux-gnu.so"]),
        ("cp310-abi3", ["x.cpython-310-x86_64-linux-gnu.so", "x.abi3.so"]),
        ("py3-none", ["x.cpython-311.so", "x.cpython-312.so"]),
        ("cp312-cp312", ["libx.so.1", "x.so"]),
    ],
)
def test_python_tag_module_for_its_python_passes(tag: str, names: list[str]) -> None:
    files = {f"pkg/{name}": MODULE for name in names}
    assert found(python_abi.python_tag, elf_wheel(files, TAG.format(tag))) == []


def test_python_tag_library_that_is_no_module_may_have_any_name() -> None:
    files = {"pkg/_C.cpython-310-x86_64-linux-gnu.so": TinyElf(defines=("run",))}
    assert found(python_abi.python_tag, elf_wheel(files, TAG.format("cp310-abi3"))) == []
