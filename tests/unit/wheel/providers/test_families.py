# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tools.wheel.providers.errors import UnknownFamilyError
from tools.wheel.providers.families import FAMILIES, original_name, select_families


@pytest.mark.parametrize(
    "library",
    [
        "libcuda.so.1",
        "libcuda.so",
        "libnvidia-ml.so.1",
        "libcudart.so",
        "libcudart.so.12",
        "libcudart.so.13",
        "libcudart.so.14",
        "libcublas.so.13",
        "libcublasLt.so.12",
        "libnvrtc.so.12",
        "libnvrtc-builtins.so.13.0",
        "libnvrtc.alt.so.13",
        "libnvJitLink.so.13",
        "libcupti.so.13",
        "libcufft.so.12",
        "libcurand.so.10",
        "libcusolver.so.12",
        "libcusparse.so.12",
        "libcusparseLt.so.0",
        "libcudnn.so.9",
        "libcudnn_ops.so.9",
        "libnccl.so.2",
        "libnvshmem_host.so.3",
        "libcufile.so.0",
        "libnvvm.so.4",
        "libnvToolsExt.so.1",
    ],
)
def test_cuda_family_takes_in_every_version(library: str) -> None:
    assert FAMILIES["cuda"].matches(library)


@pytest.mark.parametrize(
    "library",
    ["libc.so.6", "libcudaq.so", "libtilewright_cuda13.so", "libcurl.so.4"],
)
def test_cuda_family_leaves_others_alone(library: str) -> None:
    assert not FAMILIES["cuda"].matches(library)


@pytest.mark.parametrize(
    ("family", "library"),
    [
        ("torch", "libtorch.so"),
        ("torch", "libtorch_cpu.so"),
        ("torch", "libc10_cuda.so"),
        ("tvm_ffi", "libtvm_ffi.so"),
        ("tvm", "libtvm_runtime.so"),
    ],
)
def test_other_families_match_their_libraries(family: str, library: str) -> None:
    assert FAMILIES[family].matches(library)


def test_select_families_driver_is_always_there() -> None:
    assert [family.name for family in select_families([])] == ["driver"]
    assert [family.name for family in select_families(["torch", "cuda"])] == [
        "driver",
        "cuda",
        "torch",
    ]


def test_select_families_unknown_name_lists_the_known() -> None:
    with pytest.raises(UnknownFamilyError, match="unknown exclude family `cud`") as caught:
        select_families(["cud"])
    assert "`cuda`, `driver`, `torch`, `tvm`, `tvm_ffi`" in caught.value.hint


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("pkg.libs/libcudart-96c42e41.so.13", "libcudart.so.13"),
        ("pkg.libs/libnvrtc-builtins-0123abcd.so.13.0", "libnvrtc-builtins.so.13.0"),
        ("pkg.libs/libgfortran-040039e1-0352e75f.so.5.0.0", "libgfortran.so.5.0.0"),
        ("pkg/libcudart.so.13", "libcudart.so.13"),
        ("pkg/libmy-library.so", "libmy-library.so"),
    ],
)
def test_original_name_drops_the_graft_hash(path: str, name: str) -> None:
    assert original_name(path) == name
