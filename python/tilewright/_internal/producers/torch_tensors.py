# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""PyTorch tensors: autograd to respect, and the caller's current stream to run on."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from tilewright._internal.dlpack import REFUSALS
from tilewright.errors import DeviceError, GradientError, InvalidArgumentError

__all__ = ["TorchTensors"]


class TorchTensors:
    """Lends `torch.Tensor`, its subclasses included.

    `torch.utils.dlpack.to_dlpack` is `Tensor.__dlpack__(stream=-1)` (no synchronisation, which a
    graph capture would forbid) minus two things that do not apply here: the refusal of tensors that
    require grad, decided below, and of tensors on a GPU that is not the current one.
    """

    kind = "PyTorch"

    def __init__(self, torch: ModuleType) -> None:
        from torch.utils.dlpack import to_dlpack

        self._torch = torch
        self._to_dlpack = to_dlpack

    def borrow(self, operation: str, argument: str, array: Any, *, writes: bool = False) -> object:
        if array.requires_grad and self._torch.is_grad_enabled():
            raise GradientError(
                f"{operation}: `{argument}`, {_describe(array)}, requires grad, "
                "and the operation is not differentiable\n"
                f"hint: pass `{argument}.detach()`, or call under `torch.no_grad()`"
            )
        if array.is_neg():  # a view that stands for the negated values: DLPack has no word for it
            if writes:
                raise InvalidArgumentError(
                    f"{operation}: `{argument}`, {_describe(array)}, is a negated view and cannot "
                    f"be written to\nhint: pass `{argument}.resolve_neg()`"
                )
            array = array.resolve_neg()
        try:
            return self._to_dlpack(array)
        except REFUSALS as error:
            message = f"{operation}: `{argument}`, {_describe(array)}, cannot be lent: {error}"
            if array.device.type not in ("cpu", "cuda"):
                raise DeviceError(
                    f"{message}\nhint: tilewright runs on the CPU and on CUDA devices"
                ) from error
            raise InvalidArgumentError(message) from error

    def stream(self, array: Any) -> int:
        if not array.is_cuda:
            return 0
        return int(self._torch.cuda.current_stream(array.device).cuda_stream)

    def allocate(
        self, operation: str, argument: str, like: Any, shape: Sequence[int]
    ) -> tuple[Any, object]:
        place = self._torch.empty(shape, dtype=like.dtype, device=like.device)
        return place, self._to_dlpack(place)

    def deliver(self, operation: str, place: Any, like: Any) -> Any:
        return place

    def written(self, array: Any) -> None:
        # So that autograd notices when a tensor that it saved for backward has been overwritten.
        if not array.is_inference():
            self._torch.autograd.graph.increment_version(array)


def _describe(array: Any) -> str:
    return f"{array.dtype} of shape {tuple(array.shape)} on {array.device}"
