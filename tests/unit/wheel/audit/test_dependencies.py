# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from packaging.requirements import Requirement

from tests.unit.wheel.audit.shown import shown
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
    assert shown(dependencies.undeclared, wheel(module("libcudart.so.13"))) == (
        "  error      library-undeclared: `pkg/_C.abi3.so`: needs `libcudart.so.13` of "
        "`nvidia-cuda-runtime`, which the wheel does not require\n"
        "             chain: pkg/_C.abi3.so -> libcudart.so.13\n"
        "             hint: require `nvidia-cuda-runtime`, or name the library in `external`"
    )


def test_library_reached_through_another_file_shows_the_chain() -> None:
    middle = elf_file("pkg/lib/libmiddle.so", needed=("libfoo.so.1",))
    assert shown(dependencies.undeclared, wheel(module("libmiddle.so"), middle)) == (
        "  error      library-undeclared: `pkg/lib/libmiddle.so`: needs `libfoo.so.1`, which no "
        "package known ships\n"
        "             chain: pkg/_C.abi3.so -> pkg/lib/libmiddle.so -> libfoo.so.1\n"
        "             hint: require the package that ships the library, or name it in `external`"
    )


def test_library_needed_by_its_path_is_undeclared() -> None:
    assert shown(dependencies.undeclared, wheel(module("build/libfoo.so"))) == (
        "  error      library-undeclared: `pkg/_C.abi3.so`: needs `build/libfoo.so`, a path, which "
        "the loader looks for in no search path\n"
        "             chain: pkg/_C.abi3.so -> build/libfoo.so\n"
        "             hint: link the library with a soname, `-Wl,-soname,libfoo.so`, then the file "
        "with the library"
    )


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
    assert problem.what == (
        "needs `libcudart.so.12` of `nvidia-cuda-runtime-cu12`, which the wheel does not require; "
        "`torch<2.15,>=2.13` brings `libcudart.so.13`"
    )


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
    assert shown(dependencies.undeclared_optional, facts) == (
        "  warning    library-undeclared-optional: `pkg/lib/libgpu.so`: needs `libcudart.so.13` of "
        "`nvidia-cuda-runtime`, which the wheel does not require\n"
        "             chain: pkg/lib/libgpu.so -> libcudart.so.13\n"
        "             hint: require `nvidia-cuda-runtime`, or name the library in `external`"
    )
    facts = wheel(elf_file("pkg/lib/libgpu.so"), requires=("nvidia-cuda-runtime",))
    assert find(dependencies.undeclared_optional, facts) == []


def test_library_declared_as_opened_at_run_time_must_be_required() -> None:
    settings = Settings(runtime_libraries=("libnvrtc.so.13",))
    assert shown(dependencies.undeclared, wheel(), settings) == (
        "  error      library-undeclared: needs `libnvrtc.so.13` of `nvidia-cuda-nvrtc`, which the "
        "wheel does not require\n"
        "             chain: opened at run time -> libnvrtc.so.13\n"
        "             hint: require `nvidia-cuda-nvrtc`, or name the library in `external`"
    )
    assert shown(dependencies.undeclared, wheel(requires=("nvidia-cuda-nvrtc",)), settings) == ""


def test_library_that_a_search_path_leads_to_is_reachable() -> None:
    facts = wheel(module("libcudart.so.13", runpath=(CUDA13,)), requires=("nvidia-cuda-runtime",))
    assert find(dependencies.unreachable, facts) == []


def test_library_that_no_search_path_leads_to_is_unreachable() -> None:
    facts = wheel(
        module("libcudart.so.13", runpath=("$ORIGIN/../../nvidia/cu13/lib",)),
        requires=("nvidia-cuda-runtime",),
    )
    assert shown(dependencies.unreachable, facts) == (
        "  error      library-unreachable: `pkg/_C.abi3.so`: no search path of it leads to "
        "`libcudart.so.13` of `nvidia-cuda-runtime`\n"
        "             chain: pkg/_C.abi3.so -> libcudart.so.13\n"
        "             hint: add the library's folder to the file's search path, relative to "
        "`$ORIGIN`"
    )


def test_library_that_no_search_path_of_a_file_that_code_opens_leads_to_is_a_warning() -> None:
    library = elf_file("pkg/lib/libgpu.so", needed=("libcudart.so.13",))
    facts = wheel(library, requires=("nvidia-cuda-runtime",))
    assert find(dependencies.unreachable, facts) == []
    assert shown(dependencies.unreachable_optional, facts) == (
        "  warning    library-unreachable-optional: `pkg/lib/libgpu.so`: no search path of it "
        "leads to `libcudart.so.13` of `nvidia-cuda-runtime`\n"
        "             chain: pkg/lib/libgpu.so -> libcudart.so.13\n"
        "             hint: add the library's folder to the file's search path, relative to "
        "`$ORIGIN`, or open the library before the file"
    )
    library = elf_file(
        "pkg/lib/libgpu.so",
        needed=("libcudart.so.13",),
        runpath=("$ORIGIN/../../nvidia/cu13/lib",),
    )
    facts = wheel(library, requires=("nvidia-cuda-runtime",))
    assert find(dependencies.unreachable_optional, facts) == []


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
    assert find(dependencies.unreachable, facts) == []
    assert shown(dependencies.one_layout, facts) == (
        "  note       library-one-layout: `pkg/_C.abi3.so`: its search path leads to "
        "`libcudart.so.13` where pip and uv put all packages into one folder, but not where a "
        "system keeps pure packages in `lib` and others in `lib64` or where Bazel or Nix link each "
        "package in from a folder of its own\n"
        "             chain: pkg/_C.abi3.so -> libcudart.so.13\n"
        "             hint: leave it so for pip and uv; for the others, let Python code open the "
        "library before the file is imported"
    )


def test_search_path_into_a_package_of_the_same_kind_holds_on_split_systems() -> None:
    facts = wheel(
        module("libcudart.so.13", runpath=(CUDA13,)),
        requires=("nvidia-cuda-runtime",),
        root_is_purelib=True,
    )
    (problem,) = find(dependencies.one_layout, facts)
    assert problem.what == (
        "its search path leads to `libcudart.so.13` where pip and uv put all packages into one "
        "folder, but not where Bazel or Nix link each package in from a folder of its own"
    )


def test_search_path_to_what_an_import_loads_holds_in_every_layout() -> None:
    facts = wheel(module("libc10.so", runpath=("$ORIGIN/../torch/lib",)), requires=("torch",))
    assert find(dependencies.one_layout, facts) == []


def test_library_that_another_package_provides_is_bundled_under_any_name() -> None:
    copy = elf_file(
        "pkg.libs/libcudart-96c42e41.so.13.0.96", soname="libcudart-96c42e41.so.13.0.96"
    )
    facts = wheel(module("libcudart-96c42e41.so.13.0.96", runpath=("$ORIGIN/../pkg.libs",)), copy)
    allowed = Settings(allow_grafted=("libcudart.so.*",))
    assert shown(dependencies.bundled, facts, allowed) == (
        "  warning    library-bundled: `pkg.libs/libcudart-96c42e41.so.13.0.96`: carries "
        "`libcudart.so.13.0.96`, which the `nvidia-*` packages, a CUDA toolkit or the NVIDIA "
        "driver provides\n"
        "             chain: pkg/_C.abi3.so -> pkg.libs/libcudart-96c42e41.so.13.0.96\n"
        "             hint: leave the library out and require the package that provides it"
    )
    # As a copy that nothing allows it is reported once.
    assert shown(dependencies.bundled, facts) == ""
    assert shown(dependencies.grafted, facts, allowed) == ""
    assert shown(dependencies.grafted, facts) == (
        "  error      library-grafted: `pkg.libs/libcudart-96c42e41.so.13.0.96`: is a copy of "
        "`libcudart.so.13.0.96`, which the `nvidia-*` packages, a CUDA toolkit or the NVIDIA "
        "driver provides; nothing allows it\n"
        "             chain: pkg/_C.abi3.so -> pkg.libs/libcudart-96c42e41.so.13.0.96\n"
        "             hint: exclude it from the repair, `--exclude-family cuda`, and require the "
        "package that ships it"
    )


def test_library_of_the_providing_package_itself_is_not_bundled() -> None:
    library = elf_file("nvidia/cu13/lib/libcudart.so.13", soname="libcudart.so.13")
    name = "nvidia_cuda_runtime-13.0-py3-none-manylinux_2_17_x86_64.whl"
    assert find(dependencies.bundled, wheel_facts([library], name=name)) == []


@pytest.mark.parametrize("path", ["pkg.libs/libzstd-0123abcd.so.1", "pkg.libs/libzstd.so.1"])
def test_copied_library_that_nothing_allows_is_refused(path: str) -> None:
    facts = wheel(module(path.rpartition("/")[2]), elf_file(path))
    assert shown(dependencies.grafted, facts) == (
        f"  error      library-grafted: `{path}`: is a copy of `libzstd.so.1`; nothing allows it\n"
        f"             chain: pkg/_C.abi3.so -> {path}\n"
        "             hint: exclude the library from the repair, or name it in `allow-grafted`"
    )
    assert find(dependencies.grafted, facts, allow_grafted=("libzstd.so.*",)) == []


@pytest.mark.parametrize(
    "name",
    [
        "libgfortran-040039e1-0352e75f.so.5.0.0",
        "libquadmath-96973f99.so.0.0.0",
        "libopenblas64_p-r0-0cf96a72.3.23.dev.so",
        "libscipy_openblas-5f890258.so",
    ],
)
def test_copied_runtime_that_no_package_brings_is_allowed_unless_the_project_says_which(
    name: str,
) -> None:
    facts = wheel(elf_file(f"pkg.libs/{name}"))
    assert find(dependencies.grafted, facts) == []
    assert len(find(dependencies.grafted, facts, allow_grafted=())) == 1
    assert len(find(dependencies.grafted, facts, allow_grafted=("libfoo.so",))) == 1


@pytest.mark.parametrize("library", ["libgomp.so.1", "libstdc++.so.6", "libomp.so"])
def test_copied_runtime_of_which_a_process_has_one_is_refused(library: str) -> None:
    assert len(find(dependencies.grafted, wheel(elf_file(f"pkg.libs/{library}")))) == 1


def test_library_of_the_wheel_itself_is_no_copy() -> None:
    facts = wheel(module("libmine.so"), elf_file("pkg/lib/libmine.so"))
    assert find(dependencies.grafted, facts, allow_grafted=()) == []


@pytest.mark.parametrize("path", ["pkg/libcuda.so.1", "pkg.libs/libnvidia-ml-0123abcd.so.1"])
def test_library_of_the_driver_is_refused_inside(path: str) -> None:
    name = PurePosixPath(path).name.replace("-0123abcd", "")
    assert shown(dependencies.driver, wheel(elf_file(path))) == (
        f"  error      driver-library: `{path}`: is the driver's `{name}`\n"
        "             hint: leave the file out: each machine with a GPU has that of its driver"
    )
    assert find(dependencies.bundled, wheel(elf_file(path))) == []
    assert find(dependencies.grafted, wheel(elf_file(path))) == []


def test_stub_of_the_driver_is_refused_but_for_linkers() -> None:
    stub = elf_file("pkg/lib/libcuda.so", soname="libcuda.so.1")
    (problem,) = find(dependencies.driver, wheel(stub))
    assert problem.what == "is the driver's `libcuda.so`"
    assert find(dependencies.driver, wheel(elf_file("pkg/lib/stubs/libcuda.so"))) == []


def test_library_of_the_driver_is_needed_by_its_installed_name() -> None:
    assert find(dependencies.driver, wheel(module("libcuda.so.1"))) == []
    assert shown(dependencies.driver, wheel(module("libcuda.so"))) == (
        "  error      driver-library: `pkg/_C.abi3.so`: needs `libcuda.so`, a name that drivers do "
        "not install\n"
        "             chain: pkg/_C.abi3.so -> libcuda.so\n"
        "             hint: link with the stub that has a soname, `libcuda.so.1`, and leave the "
        "file to the driver"
    )


@pytest.mark.parametrize(
    "name", ["libnvrtc-builtins-0123abcd.so.13.0", "libtvm_ffi-0123abcd.so", "libmine-0123abcd.so"]
)
def test_library_that_is_looked_for_by_name_must_keep_it(name: str) -> None:
    facts = wheel(module(name), elf_file(f"pkg.libs/{name}"))
    settings = Settings(runtime_libraries=("libmine.so",))
    assert shown(dependencies.renamed, facts, settings) == (
        f"  error      library-renamed: `pkg.libs/{name}`: was `{name.replace('-0123abcd', '')}`, "
        "which is opened by that name at run time\n"
        f"             chain: pkg/_C.abi3.so -> pkg.libs/{name}\n"
        "             hint: leave the library out, or copy it under its own name"
    )
    own = wheel(elf_file(f"pkg/{name.replace('-0123abcd', '')}"))
    assert shown(dependencies.renamed, own, settings) == ""
    assert find(dependencies.renamed, wheel(elf_file("pkg.libs/libz-0123abcd.so.1"))) == []
