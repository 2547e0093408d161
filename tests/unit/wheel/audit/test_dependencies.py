# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest
from packaging.requirements import Requirement

from tests.unit.wheel.audit.tiny_facts import elf_file, metadata, wheel_facts
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import dependencies
from tools.wheel.audit.settings import Settings
from tools.wheel.elf.elf_file import Binding, ElfFile, Symbol
from tools.wheel.inspection.facts import WheelFacts

INIT = (Symbol("PyInit__C", "", "", Binding.GLOBAL, True),)
MODULE = "pkg/_C.abi3.so"
CUDA13 = "$ORIGIN/../nvidia/cu13/lib"


def module(*needed: str, runpath: tuple[str, ...] = (), path: str = MODULE) -> ElfFile:
    """An extension module."""
    return elf_file(path, needed=("libc.so.6", *needed), runpath=runpath, symbols=INIT)


def wheel(*files: ElfFile, requires: tuple[str, ...] = (), **changes: object) -> WheelFacts:
    requirements = tuple(Requirement(text) for text in requires)
    facts = wheel_facts(files)
    values = {"requires_dist": requirements, "tags": facts.metadata.tags, **changes}
    return wheel_facts(files, metadata=metadata(**values))


def find(check: Check, facts: WheelFacts, **settings: object) -> list[Problem]:
    return list(check.find(facts, Settings(**settings)))  # type: ignore[arg-type]


def test_library_of_a_required_package_is_declared() -> None:
    facts = wheel(module("libcudart.so.13"), requires=("nvidia-cuda-runtime>=13,<14",))
    assert find(dependencies.undeclared, facts) == []


def test_library_of_no_requirement_is_undeclared() -> None:
    (problem,) = find(dependencies.undeclared, wheel(module("libcudart.so.13")))
    assert problem == Problem(
        MODULE,
        "needs `libcudart.so.13` of `nvidia-cuda-runtime`, which the wheel does not require",
        (MODULE, "libcudart.so.13"),
        hint="require `nvidia-cuda-runtime`, or name the library in `external`",
    )


def test_library_reached_through_another_file_shows_the_chain() -> None:
    middle = elf_file("pkg/lib/libmiddle.so", needed=("libcudart.so.13",))
    (problem,) = find(dependencies.undeclared, wheel(module("libmiddle.so"), middle))
    assert problem.path == middle.path
    assert problem.chain == (MODULE, middle.path, "libcudart.so.13")


def test_library_in_the_version_that_another_requirement_brings_is_undeclared() -> None:
    facts = wheel(module("libcudart.so.12"), requires=("nvidia-cuda-runtime",))
    (problem,) = find(dependencies.undeclared, facts)
    assert problem.what == (
        "needs `libcudart.so.12` of `nvidia-cuda-runtime-cu12`, which the wheel does not require; "
        "`nvidia-cuda-runtime` brings `libcudart.so.13`"
    )


def test_library_that_the_range_leaves_behind_is_undeclared() -> None:
    facts = wheel(module("libcudnn.so.8"), requires=("nvidia-cudnn-cu12",))
    (problem,) = find(dependencies.undeclared, facts)
    assert problem.what == (
        "needs `libcudnn.so.8`; installers take a version that `nvidia-cudnn-cu12` lets in and "
        "that lacks it; `nvidia-cudnn-cu12` brings `libcudnn.so.9`"
    )
    assert problem.hint == "narrow the requirement on `nvidia-cudnn-cu12`"
    facts = wheel(module("libcudnn.so.8"), requires=("nvidia-cudnn-cu12<9",))
    assert find(dependencies.undeclared, facts) == []


def test_library_of_an_extra_of_the_toolkit_package_is_declared() -> None:
    facts = wheel(module("libcudart.so.13"), requires=("cuda-toolkit[cudart]==13.*",))
    assert find(dependencies.undeclared, facts) == []


def test_library_that_torch_loads_is_declared_by_torch() -> None:
    facts = wheel(module("libc10.so", "libcudart.so.13"), requires=("torch>=2.13,<2.15",))
    assert find(dependencies.undeclared, facts) == []
    assert find(dependencies.unreachable, facts) == []
    facts = wheel(module("libc10.so", "libcudart.so.12"), requires=("torch>=2.13,<2.15",))
    (problem,) = find(dependencies.undeclared, facts)
    assert problem.what.endswith("; `torch<2.15,>=2.13` brings `libcudart.so.13`")


def test_libraries_of_one_package_are_one_problem() -> None:
    files = (module("libc10.so", "libtorch.so"), module("libc10.so", path="pkg/_D.abi3.so"))
    (problem,) = find(dependencies.undeclared, wheel(*files))
    assert problem.what == (
        "needs `libc10.so`, `libtorch.so` (as 1 more file) of `torch`, which the wheel does not "
        "require"
    )


def test_library_that_a_package_carries_for_itself_is_no_reason_to_require_it() -> None:
    (problem,) = find(dependencies.undeclared, wheel(module("libgomp.so.1")))
    assert problem.what == "needs `libgomp.so.1`, which no package known ships"
    assert find(dependencies.undeclared, wheel(module("libgomp.so.1"), requires=("torch",))) == []


def test_library_that_nobody_known_ships_is_undeclared() -> None:
    (problem,) = find(dependencies.undeclared, wheel(module("libfoo.so.1")))
    assert problem.what == "needs `libfoo.so.1`, which no package known ships"


def test_library_that_the_project_declares_external_is_declared() -> None:
    facts = wheel(module("libfoo.so.1"))
    assert find(dependencies.undeclared, facts, external=("libfoo.so*",)) == []


def test_library_of_a_package_that_the_table_does_not_know_is_left_alone() -> None:
    facts = wheel(module("libz3.so.4.15", runpath=("$ORIGIN/../z3/lib",)))
    assert find(dependencies.undeclared, facts) == []


def test_library_that_a_known_folder_lacks_is_undeclared() -> None:
    facts = wheel(module("libfoo.so.1", runpath=(CUDA13,)))
    assert len(find(dependencies.undeclared, facts)) == 1


def test_library_of_the_platform_is_declared() -> None:
    assert find(dependencies.undeclared, wheel(module("libstdc++.so.6", "libz.so.1"))) == []


def test_library_that_the_declared_platform_lacks_is_undeclared() -> None:
    facts = wheel(module("libmvec.so.1"))
    assert find(dependencies.undeclared, facts) == []
    assert find(dependencies.undeclared, facts, policy="manylinux_2_17") != []


def test_library_of_a_file_that_code_opens_is_a_warning() -> None:
    facts = wheel(elf_file("pkg/lib/libgpu.so", needed=("libcudart.so.13",)))
    assert find(dependencies.undeclared, facts) == []
    (problem,) = find(dependencies.undeclared_optional, facts)
    assert problem.chain == ("pkg/lib/libgpu.so", "libcudart.so.13")


def test_library_declared_as_opened_at_run_time_must_be_required() -> None:
    settings = {"runtime_libraries": ("libnvrtc.so.13",)}
    (problem,) = find(dependencies.undeclared, wheel(), **settings)
    assert (problem.path, problem.chain) == ("", ("opened at run time", "libnvrtc.so.13"))
    assert find(dependencies.undeclared, wheel(requires=("nvidia-cuda-nvrtc",)), **settings) == []


def test_library_that_a_search_path_leads_to_is_reachable() -> None:
    facts = wheel(module("libcudart.so.13", runpath=(CUDA13,)), requires=("nvidia-cuda-runtime",))
    assert find(dependencies.unreachable, facts) == []


def test_library_that_no_search_path_leads_to_is_unreachable() -> None:
    facts = wheel(
        module("libcudart.so.13", runpath=("$ORIGIN/../../nvidia/cu13/lib",)),
        requires=("nvidia-cuda-runtime",),
    )
    (problem,) = find(dependencies.unreachable, facts)
    assert problem == Problem(
        MODULE,
        "no search path of it leads to `libcudart.so.13` of `nvidia-cuda-runtime`",
        (MODULE, "libcudart.so.13"),
    )


def test_rpath_of_the_file_that_loads_another_counts_but_runpath_does_not() -> None:
    library = elf_file("pkg/lib/liba.so", needed=("libcudart.so.13",))
    requires = ("nvidia-cuda-runtime",)
    paths = ("$ORIGIN/lib", CUDA13)
    loader = elf_file(MODULE, needed=("liba.so",), rpath=paths, symbols=INIT)
    assert find(dependencies.unreachable, wheel(loader, library, requires=requires)) == []
    loader = elf_file(MODULE, needed=("liba.so",), runpath=paths, symbols=INIT)
    (problem,) = find(dependencies.unreachable, wheel(loader, library, requires=requires))
    assert problem.path == library.path


def test_bundled_library_outside_every_search_path_is_unreachable() -> None:
    library = elf_file("pkg/lib/liba.so")
    (problem,) = find(dependencies.unreachable, wheel(module("liba.so"), library))
    assert problem.what == "no search path of it leads to `liba.so` of `pkg/lib/liba.so`"
    facts = wheel(module("liba.so", runpath=("$ORIGIN/lib",)), library)
    assert find(dependencies.unreachable, facts) == []


def test_bundled_module_that_python_loads_is_reachable() -> None:
    plugin = elf_file("pkg/plugins/libplugin.so", needed=("_C.abi3.so",))
    assert find(dependencies.unreachable, wheel(module(), plugin)) == []


def test_search_path_into_a_pure_package_holds_in_one_folder_only() -> None:
    facts = wheel(module("libcudart.so.13", runpath=(CUDA13,)), requires=("nvidia-cuda-runtime",))
    (problem,) = find(dependencies.one_layout, facts)
    assert problem.what == (
        "does not find `libcudart.so.13` with platform-dependent packages apart from pure ones "
        "(`lib64` beside `lib`) or each package in a folder of its own, linked into site-packages"
    )
    assert find(dependencies.one_layout, wheel(module())) == []


def test_library_that_another_package_provides_is_bundled_under_any_name() -> None:
    copy = elf_file(
        "pkg.libs/libcudart-96c42e41.so.13.0.96", soname="libcudart-96c42e41.so.13.0.96"
    )
    facts = wheel(module("libcudart-96c42e41.so.13.0.96", runpath=("$ORIGIN/../pkg.libs",)), copy)
    (problem,) = find(dependencies.bundled, facts)
    assert problem.path == copy.path
    assert problem.what.startswith("carries `libcudart.so.13.0.96`, which the `nvidia-*` packages")
    assert problem.chain == (MODULE, copy.path)


def test_library_of_the_providing_package_itself_is_not_bundled() -> None:
    library = elf_file("nvidia/cu13/lib/libcudart.so.13", soname="libcudart.so.13")
    name = "nvidia_cuda_runtime-13.0-py3-none-manylinux_2_17_x86_64.whl"
    assert find(dependencies.bundled, wheel_facts([library], name=name)) == []


def test_copied_library_must_be_allowed_where_the_project_says_which() -> None:
    copy = elf_file("pkg.libs/libgfortran-0123abcd.so.5")
    facts = wheel(module("libgfortran-0123abcd.so.5"), copy)
    assert find(dependencies.grafted, facts) == []
    assert find(dependencies.grafted, facts, allow_grafted=("libgfortran.so.*",)) == []
    (problem,) = find(dependencies.grafted, facts, allow_grafted=("libfoo.so",))
    assert problem == Problem(copy.path, "is a copy of `libgfortran.so.5`", (MODULE, copy.path))


@pytest.mark.parametrize("path", ["pkg/libcuda.so.1", "pkg.libs/libnvidia-ml-0123abcd.so.1"])
def test_library_of_the_driver_is_refused_inside(path: str) -> None:
    (problem,) = find(dependencies.driver, wheel(elf_file(path)))
    assert problem.what.startswith("is the driver's `lib")
    assert find(dependencies.bundled, wheel(elf_file(path))) == []


def test_library_of_the_driver_is_needed_by_its_installed_name() -> None:
    assert find(dependencies.driver, wheel(module("libcuda.so.1"))) == []
    (problem,) = find(dependencies.driver, wheel(module("libcuda.so")))
    assert problem.what == "needs `libcuda.so`, a name that drivers do not install"
    assert problem.chain == (MODULE, "libcuda.so")


@pytest.mark.parametrize(
    "name", ["libnvrtc-builtins-0123abcd.so.13.0", "libtvm_ffi-0123abcd.so", "libmine-0123abcd.so"]
)
def test_library_that_is_looked_for_by_name_must_keep_it(name: str) -> None:
    facts = wheel(elf_file(f"pkg.libs/{name}"))
    settings = {"runtime_libraries": ("libmine.so",)}
    assert len(find(dependencies.renamed, facts, **settings)) == 1
    assert find(dependencies.renamed, wheel(elf_file("pkg/libmine.so")), **settings) == []
    assert find(dependencies.renamed, wheel(elf_file("pkg.libs/libz-0123abcd.so.1"))) == []
