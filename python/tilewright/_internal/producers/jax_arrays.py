# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""JAX arrays: immutable, perhaps not computed yet, and with no stream of the caller's to run on."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from tilewright._internal.dlpack import REFUSALS
from tilewright._internal.extension import extension
from tilewright._internal.producers import own_memory
from tilewright.errors import DeviceError, InvalidArgumentError, ReadOnlyError

__all__ = ["JaxArrays"]


class JaxArrays:
    """Lends `jax.Array`.

    Operators run on the default stream. JAX knows nothing of that stream, so an input is lent once
    it is computed (the host waits for it), and a result is delivered once the stream has drained:
    from then on JAX may reuse the inputs' memory as it likes.
    """

    kind = "JAX"

    def __init__(self, jax: ModuleType) -> None:
        self._jax = jax
        self._from_dlpack = importlib.import_module("jax.dlpack").from_dlpack

    def borrow(self, operation: str, argument: str, array: Any, *, writes: bool = False) -> object:
        if isinstance(array, self._jax.core.Tracer):
            raise InvalidArgumentError(
                f"{operation}: `{argument}` is a JAX tracer, {array.dtype} of shape {array.shape}: "
                "the operation cannot be traced by `jax.jit`, `jax.grad` or `jax.vmap`\n"
                "hint: call it on arrays, outside the transformed function"
            )
        if writes:
            raise ReadOnlyError(
                f"{operation}: `{argument}` is a JAX array, {array.dtype} of shape {array.shape}, "
                "which is immutable, and the operation writes to it\n"
                "hint: "
                + (
                    "leave `out` away; the result is then a new array"
                    if argument == "out"
                    else "pass writable arrays, such as NumPy's, PyTorch's or CuPy's"
                )
            )
        return self._export(operation, argument, array)

    def _export(self, operation: str, argument: str, array: Any) -> object:
        try:
            return array.__dlpack__()
        except REFUSALS as error:
            raise DeviceError(
                f"{operation}: `{argument}`, {array.dtype} of shape {array.shape} with sharding "
                f"{array.sharding}, cannot be lent: {error}\n"
                "hint: pass an array that lies on one CPU or CUDA device"
            ) from error

    def stream(self, array: Any) -> int:
        return 0

    def allocate(
        self, operation: str, argument: str, like: Any, shape: Sequence[int]
    ) -> tuple[Any, object]:
        if _on_cpu(like):
            place = own_memory.empty(operation, argument, like.dtype.name, shape)
            return place, place.__dlpack__()
        # From JAX's own allocator, which by default holds most of the device's memory. Nobody else
        # has seen this array yet, so that writing to it breaks no promise of immutability.
        (device,) = like.devices()
        place = self._jax.numpy.empty(tuple(shape), dtype=like.dtype, device=device)
        place.block_until_ready()
        return place, self._export(operation, "out", place)

    def deliver(self, operation: str, place: Any, like: Any) -> Any:
        if not _on_cpu(like):
            (device,) = like.devices()
            extension().cuda_synchronize(device.local_hardware_id, 0)
            return place
        array = self._from_dlpack(place)
        if array.devices() == like.devices():
            return array
        return self._jax.device_put(array, like.sharding)

    def written(self, array: Any) -> None:
        pass


def _on_cpu(array: Any) -> bool:
    return all(device.platform == "cpu" for device in array.devices())
