# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.unit.wheel.audit.shown import shown
from tests.unit.wheel.audit.tiny_facts import elf_file, metadata, wheel_facts
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import process
from tools.wheel.audit.settings import Settings
from tools.wheel.elf.elf_file import Binding, Symbol
from tools.wheel.inspection.facts import WheelFacts


def symbols(*names: str, defined: bool) -> tuple[Symbol, ...]:
    return tuple(Symbol(name, "", "", Binding.GLOBAL, defined) for name in names)


def user_of_tvm_ffi(*requires: str) -> WheelFacts:
    library = elf_file(
        "pkg/libpkg.so",
        needed=("libtvm_ffi.so",),
        symbols=symbols("TVMFFIFunctionCall", defined=False),
    )
    requirements = tuple(Requirement(text) for text in requires)
    return wheel_facts([library], metadata=metadata(requires_dist=requirements))


def find(check: Check, facts: WheelFacts) -> list[Problem]:
    return list(check.find(facts, Settings()))


def test_symbols_of_tvm_ffi_are_defined_by_its_package_alone() -> None:
    names = ("TVMFFIFunctionCall", "TVMFFIObjectIncRef", "other")
    library = elf_file("pkg/libpkg.so", symbols=symbols(*names, defined=True))
    user = elf_file("pkg/_C.so", needed=("libpkg.so",))
    assert shown(process.tvm_ffi_copy, wheel_facts([library, user])) == (
        "  error      tvm-ffi-copy: `pkg/libpkg.so`: defines `TVMFFIFunctionCall` and 1 more of "
        "tvm-ffi\n"
        "             chain: pkg/_C.so -> pkg/libpkg.so\n"
        "             hint: link `libtvm_ffi.so` of the `apache-tvm-ffi` package, and require the "
        "package"
    )
    name = "apache_tvm_ffi-0.1.15-cp312-abi3-manylinux_2_24_x86_64.whl"
    assert find(process.tvm_ffi_copy, wheel_facts([library], name=name)) == []
    assert find(process.tvm_ffi_copy, user_of_tvm_ffi()) == []


@pytest.mark.parametrize("path", ["pkg/libtvm_ffi.so", "pkg.libs/libtvm_ffi-0123abcd.so"])
def test_library_of_tvm_ffi_is_in_its_package_alone(path: str) -> None:
    assert find(process.tvm_ffi_copy, wheel_facts([elf_file(path)])) == [
        Problem(path, "is a copy of `libtvm_ffi.so`")
    ]


@pytest.mark.parametrize(
    "requirement",
    ["apache-tvm-ffi>=0.1.15,<0.2", "apache-tvm-ffi~=0.1.15", "apache-tvm-ffi==0.1.15.post2"],
)
def test_requirement_on_tvm_ffi_with_both_bounds_passes(requirement: str) -> None:
    assert find(process.provider_range, user_of_tvm_ffi(requirement)) == []


def test_requirement_on_tvm_ffi_needs_both_bounds() -> None:
    assert shown(process.provider_range, user_of_tvm_ffi("apache-tvm-ffi")) == (
        "  warning    provider-range: `pkg/libpkg.so`: it uses `TVMFFIFunctionCall`, and "
        "`apache-tvm-ffi` has no lower bound: its headers need the library of their version or a "
        "later one\n"
        "             hint: require the version that the wheel was built with, or a later one\n"
        "  warning    provider-range: `pkg/libpkg.so`: it uses `TVMFFIFunctionCall`, and "
        "`apache-tvm-ffi` has no upper bound: its C ABI changes with each 0.X\n"
        "             hint: exclude the next minor version"
    )
    (problem,) = find(process.provider_range, user_of_tvm_ffi("apache-tvm-ffi>=0.1.15"))
    assert problem.hint == "exclude the next minor version"


def test_use_of_tvm_ffi_without_requirement_is_found() -> None:
    assert shown(process.provider_range, user_of_tvm_ffi()) == (
        "  warning    provider-range: `pkg/libpkg.so`: it uses `TVMFFIFunctionCall`, and the wheel "
        "does not require `apache-tvm-ffi`\n"
        "             hint: require `apache-tvm-ffi` from the version that the wheel was built "
        "with up to the next minor version"
    )


def test_requirement_that_lets_in_versions_without_the_library_is_found() -> None:
    library = elf_file("pkg/libpkg.so", needed=("libcudnn.so.9",))

    def wheel(requirement: str) -> WheelFacts:
        return wheel_facts([library], metadata=metadata(requires_dist=(Requirement(requirement),)))

    assert shown(process.provider_range, wheel("nvidia-cudnn-cu12>=8.9.7.29")) == (
        "  warning    provider-range: `pkg/libpkg.so`: `nvidia-cudnn-cu12>=8.9.7.29` lets in "
        "8.9.7.29, which does not bring `libcudnn.so.9`\n"
        "             chain: pkg/libpkg.so -> libcudnn.so.9\n"
        "             hint: give the requirement the bounds that its library needs"
    )
    assert find(process.provider_range, wheel("nvidia-cudnn-cu12>=9")) == []


def test_requirement_that_lets_in_versions_of_torch_for_another_cuda_is_found() -> None:
    init = symbols("PyInit__C", defined=True)

    def wheel(**changes: Any) -> WheelFacts:
        library = elf_file("pkg/_C.so", needed=("libcudart.so.13",), **changes)
        requirement = Requirement("torch>=2.8,<2.15")
        return wheel_facts([library], metadata=metadata(requires_dist=(requirement,)))

    (problem,) = find(process.provider_range, wheel(symbols=init))
    assert problem.what == (
        "`torch<2.15,>=2.8` lets in 2.8.0, which does not bring `libcudart.so.13`"
    )
    # Not a module: code of the wheel may open another file where torch is for another CUDA.
    assert find(process.provider_range, wheel()) == []
