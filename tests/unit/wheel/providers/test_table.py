# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tools.wheel.providers.families import FAMILIES
from tools.wheel.providers.packages import PACKAGES
from tools.wheel.providers.table import (
    TABLE,
    Content,
    Package,
    Release,
    Table,
    default_table,
    parse_table,
    render_table,
)

OLD = Content(libraries={"libcudnn.so.8": "nvidia/cudnn/lib/libcudnn.so.8"}, purelib=True)
NEW = Content(libraries={"libcudnn.so.9": "nvidia/cudnn/lib/libcudnn.so.9"}, needs=("libz.so.1",))
CUDNN = Package(
    "nvidia-cudnn-cu12", "cuda", (Release(("8.9", "8.9.1"), OLD), Release(("9.0", "9.1"), NEW))
)
TOOLKIT = Package(
    "cuda-toolkit",
    "cuda",
    (Release(("12.9",), Content(extras={"cudnn": ("nvidia-cudnn-cu12",)})),),
)
SMALL = Table({CUDNN.name: CUDNN, TOOLKIT.name: TOOLKIT})


def test_table_survives_its_text() -> None:
    assert parse_table(render_table(SMALL)) == SMALL


def test_table_file_is_as_the_generator_writes_it() -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert render_table(parse_table(text)) == text


def test_providers_are_found_by_exact_soname() -> None:
    assert SMALL.providers("libcudnn.so.8") == (CUDNN,)
    assert SMALL.providers("libcudnn.so") == ()


@pytest.mark.parametrize(
    ("specifier", "content"),
    [("", NEW), ("<9", OLD), (">=9", NEW), ("==8.9.1", OLD), (">=10", None)],
)
def test_chosen_is_the_newest_version_allowed(specifier: str, content: Content | None) -> None:
    assert CUDNN.chosen(SpecifierSet(specifier)) == content


@pytest.mark.parametrize(
    ("library", "specifier", "folders"),
    [
        ("libmoved.so.1", "", ["nvidia/new/lib", "nvidia/old/lib"]),
        ("libmoved.so.1", "<2", ["nvidia/old/lib"]),
        ("libmoved.so.1", ">=3", []),
        ("libother.so.1", "", []),
        # No loader finds it there by its soname.
        ("libnamed.so.4", "", []),
    ],
)
def test_folders_are_those_of_the_versions_allowed(
    library: str, specifier: str, folders: list[str]
) -> None:
    named = {"libnamed.so.4": "nvidia/new/lib/libnamed.so"}
    old = Content(libraries={"libmoved.so.1": "nvidia/old/lib/libmoved.so.1"})
    new = Content(libraries={"libmoved.so.1": "nvidia/new/lib/libmoved.so.1", **named})
    package = Package("moved", "cuda", (Release(("1.0", "1.1"), old), Release(("2.0",), new)))
    assert [str(path) for path in package.folders(library, SpecifierSet(specifier))] == folders


@pytest.mark.parametrize(
    ("name", "major"),
    [("nvidia-curand-cu12", 12), ("nvidia-curand", 13), ("nvidia-nccl-cu13", 13), ("torch", None)],
)
def test_cuda_major_is_that_of_the_toolkit(name: str, major: int | None) -> None:
    assert default_table().packages[name].cuda_major == major


def test_required_names_packages_of_the_table_in_any_spelling() -> None:
    requirements = [Requirement("NVIDIA_cuDNN.cu12>=9"), Requirement("numpy")]
    assert SMALL.required(requirements) == {CUDNN.name: requirements[0]}


def test_required_follows_the_extras_of_a_package_of_packages() -> None:
    requirement = Requirement("cuda-toolkit[cudnn]==12.*; extra == 'cuda'")
    assert set(SMALL.required([requirement])) == {"cuda-toolkit", CUDNN.name}
    assert set(SMALL.required([Requirement("cuda-toolkit")])) == {"cuda-toolkit"}


def test_checked_in_table_has_the_packages_that_the_generator_names() -> None:
    expected = {name: family for family, names in PACKAGES.items() for name in names}
    assert {
        package.name: package.family for package in default_table().packages.values()
    } == expected


@pytest.mark.parametrize(
    ("soname", "packages"),
    [
        ("libcusparse.so.12", {"nvidia-cusparse-cu12", "nvidia-cusparse"}),
        ("libcudart.so.12", {"nvidia-cuda-runtime-cu12"}),
        ("libcudart.so.13", {"nvidia-cuda-runtime"}),
        ("libcupti.so.12", {"nvidia-cuda-cupti-cu12"}),
        ("libcupti.so.13", {"nvidia-cuda-cupti"}),
        ("libnvJitLink.so.12", {"nvidia-nvjitlink-cu12"}),
        ("libnvrtc-builtins.so.13.0", {"nvidia-cuda-nvrtc"}),
        ("libcudnn.so.9", {"nvidia-cudnn-cu12", "nvidia-cudnn-cu13"}),
        ("libnccl.so.2", {"nvidia-nccl-cu12", "nvidia-nccl-cu13"}),
        ("libnvshmem_host.so.3", {"nvidia-nvshmem-cu12", "nvidia-nvshmem-cu13"}),
        ("libcusparseLt.so.0", {"nvidia-cusparselt-cu12", "nvidia-cusparselt-cu13"}),
        ("libtorch_cuda.so", {"torch"}),
        ("libtvm_ffi.so", {"apache-tvm-ffi"}),
        ("libtvm_runtime.so", {"apache-tvm"}),
    ],
)
def test_checked_in_table_knows_who_ships(soname: str, packages: set[str]) -> None:
    assert {package.name for package in default_table().providers(soname)} == packages


def test_families_take_in_every_library_of_their_packages() -> None:
    strays = {
        (package.name, soname)
        for package in default_table().packages.values()
        for release in package.releases
        for soname in release.content.libraries
        if not FAMILIES[package.family].matches(soname)
    }
    # Libraries of others that a package carries with it.
    assert strays == {("torch", "libgomp.so.1"), ("torch", "libcusparseLt.so.0")}
