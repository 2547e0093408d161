# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.tiny_elf_wheel import elf_wheel, found
from tools.wheel.audit.checks import torch_abi

NEW = "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
OLD = "_ZN3c105ErrorC2ENS_14SourceLocationESs"
PLAIN = "_ZNK3c107SymBool10guard_boolEPKcl"
SHIM = "torch_call_dispatcher"
CXX = {"pkg/x.so": TinyElf(imports=(PLAIN, "malloc"))}


@pytest.mark.parametrize("requires", ["torch==2.9.1", "torch>=2.9,<2.10", "Torch~=2.9.0"])
def test_torch_range_of_one_minor_passes(requires: str) -> None:
    assert found(torch_abi.torch_range, elf_wheel(CXX, requires=[requires])) == []


@pytest.mark.parametrize(
    ("requires", "what"),
    [
        (["torch>=2.4"], "the wheel admits torch 2.4 and newer minor releases"),
        (["torch"], "the wheel admits torch 2.0 and newer minor releases"),
        (["numpy", "torch==2.9.1; extra == 'all'"], "the wheel requires no torch"),
    ],
)
def test_torch_range_of_several_is_found(requires: list[str], what: str) -> None:
    assert found(torch_abi.torch_range, elf_wheel(CXX, requires=requires)) == [
        ("pkg/x.so", f"it uses `{PLAIN}` of libtorch's C++; {what}")
    ]


def test_torch_range_is_free_for_the_stable_abi_and_for_torch_itself() -> None:
    stable = {"pkg/x.so": TinyElf(imports=(SHIM,), weak_imports=(PLAIN,))}
    assert found(torch_abi.torch_range, elf_wheel(stable)) == []
    own = {**CXX, "torch/lib/libc10.so": TinyElf(defines=(PLAIN,))}
    assert found(torch_abi.torch_range, elf_wheel(own)) == []


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("pkg-1.0+cu12torch2.8cxx11abiTRUE-cp312-cp312-linux_x86_64.whl", NEW),
        ("pkg-1.0+cu12torch2.4cxx11abifalse-cp312-cp312-linux_x86_64.whl", OLD),
        ("pkg-1.0-cp312-cp312-linux_x86_64.whl", OLD),
    ],
)
def test_torch_cxx11_abi_that_the_name_says_passes(name: str, symbol: str) -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(imports=(symbol, PLAIN))}, name)
    assert found(torch_abi.torch_cxx11_abi, wheel) == []


@pytest.mark.parametrize(
    ("claim", "symbol", "kind"), [("cxx11abiTRUE", OLD, "old"), ("cxx11abiFALSE", NEW, "new")]
)
def test_torch_cxx11_abi_against_the_name_is_found(claim: str, symbol: str, kind: str) -> None:
    name = f"pkg-1.0+{claim}-cp312-cp312-linux_x86_64.whl"
    wheel = elf_wheel({"pkg/x.so": TinyElf(imports=(symbol,))}, name)
    assert found(torch_abi.torch_cxx11_abi, wheel) == [
        ("pkg/x.so", f"it uses `{symbol}` with the {kind} std::string; the name says `{claim}`")
    ]


def test_torch_cxx11_abi_against_the_required_torch_is_found() -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(imports=(OLD,))}, requires=["torch>=2.8"])
    assert found(torch_abi.torch_cxx11_abi, wheel) == [
        ("pkg/x.so", f"it uses `{OLD}` with the old std::string; torch 2.8 has the new one")
    ]


def test_torch_cxx11_abi_of_both_kinds_is_found() -> None:
    files = {"pkg/x.so": TinyElf(imports=(OLD,)), "pkg/y.so": TinyElf(imports=(NEW,))}
    assert found(torch_abi.torch_cxx11_abi, elf_wheel(files)) == [
        (
            "",
            "`pkg/x.so` uses libtorch with the old std::string, `pkg/y.so` with the new one: no "
            "torch has both",
        )
    ]


def test_torch_stable_abi_that_every_admitted_torch_has_passes() -> None:
    files = {"pkg/x.so": TinyElf(imports=(SHIM, "aoti_torch_get_dtype", "torch_of_somebody_else"))}
    for requires in (["torch>=2.10"], []):
        assert found(torch_abi.torch_stable_abi, elf_wheel(files, requires=requires)) == []


def test_torch_stable_abi_newer_than_an_admitted_torch_is_found() -> None:
    files = {"pkg/x.so": TinyElf(imports=(SHIM,))}
    assert found(torch_abi.torch_stable_abi, elf_wheel(files, requires=["torch>=2.8"])) == [
        ("pkg/x.so", f"it uses `{SHIM}`, in torch since 2.10; the wheel admits 2.8")
    ]
