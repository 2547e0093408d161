# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
#
# The extension module. Not API: use the package's functions.
#
# A "capsule" is a DLPack capsule that nobody has consumed; functions that take one consume it.
# Failures raise the exceptions of `tilewright.errors`. A `stream` is a cudaStream_t as an integer;
# 0 is the default stream.

from collections.abc import Sequence
from typing import Any, final

def set_release(release: str) -> None:
    """See `tw_set_release` in tilewright/c_api.h."""

def cpu_report() -> str:
    """JSON: see `tw_cpu_report` in tilewright/c_api.h."""

@final
class Tensor:
    """Memory that tilewright owns; it lives until this and every capsule made from it are gone."""

    @staticmethod
    def empty(shape: Sequence[int], dtype: str) -> Tensor:
        """Uninitialised CPU memory, compact, aligned to 256 bytes; float32, float16 or bfloat16."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str:
        """A name such as `float32`."""

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Lends the memory. BufferError when a copy or another device is asked for."""

    def __dlpack_device__(self) -> tuple[int, int]: ...

def relabel_as_bfloat16(capsule: Any) -> Any:
    """The same capsule, of uint16 before and of bfloat16 after; does not consume it."""

def rms_norm(x: Any, weight: Any, eps: float, out: Any, stream: int) -> None:
    """Capsules in; `out` is written."""

def add_rms_norm(x: Any, residual: Any, weight: Any, eps: float, stream: int) -> None:
    """Capsules in; `x` and `residual` are written."""

def silu_and_mul(x: Any, out: Any, stream: int) -> None:
    """Capsules in; `out` is written."""

def cuda_set_search_path(directories: Sequence[str | bytes]) -> None:
    """See `tw_cuda_set_search_path` in tilewright/c_api.h."""

def cuda_load() -> None:
    """Chooses and opens the CUDA kernel library."""

def cuda_synchronize(device: int, stream: int) -> None:
    """Waits for the work enqueued on a stream of CUDA device number `device`."""

def cuda_report() -> str:
    """JSON: see `tw_cuda_report` in tilewright/c_api.h."""

def cuda_devices() -> str:
    """JSON: see `tw_cuda_devices` in tilewright/c_api.h."""

@final
class TvmReadOnly:
    """An argument for a TvmFunction: a capsule whose tensor must not be changed."""

    def __init__(self, capsule: Any) -> None: ...

@final
class TvmFunction:
    """A function of the private TVM runtime."""

    def __call__(self, *arguments: Any) -> Any:
        """Calls it, without the GIL.

        Takes None, bool, int, float, str, capsules, TvmReadOnly, TvmFunction, TvmModule and lists
        of these; returns the same, but Tensor for a capsule and tuple for a list.
        """

@final
class TvmModule:
    """A module of the private TVM runtime."""

    def get_function(self, name: str) -> TvmFunction:
        """InvalidArgumentError when there is none of that name."""

def tvm_load() -> None:
    """Opens the TVM runtime."""

def tvm_report() -> str:
    """JSON: see `tw_tvm_report` in tilewright/c_api.h."""

def tvm_load_module(path: str | bytes) -> TvmModule:
    """Loads a shared library that TVM's compiler made."""

def tvm_get_global_function(name: str) -> TvmFunction:
    """A function of TVM's registry. InvalidArgumentError when there is none of that name."""
