# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of CuPy, which needs a GPU to run; here a stand-in for it answers."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import tilewright
from tests.support.fake_dlpack import FakeArray
from tilewright._internal import arrays


class CupyArray(FakeArray):
    """A `cupy.ndarray` on GPU 1."""

    def __init__(self, values: Any) -> None:
        super().__init__(values, device=(2, 1))
        self.device = Device(1)


class Device(contextlib.AbstractContextManager["Device", None]):
    """A `cupy.cuda.Device`; entering it makes it the current one."""

    current = 0

    def __init__(self, index: int) -> None:
        self.id = index

    def __enter__(self) -> Device:
        self._before, Device.current = Device.current, self.id
        return self

    def __exit__(self, *_: object) -> None:
        Device.current = self._before


class Recorder:
    """Takes the place of the extension's operators."""

    def __init__(self) -> None:
        self.streams: list[int] = []

    def rms_norm(self, x: Any, weight: Any, eps: float, out: Any, stream: int) -> None:
        self.streams.append(stream)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    def empty(shape: tuple[int, ...], dtype: str) -> CupyArray:
        assert Device.current == 1
        assert dtype == "float32"
        return CupyArray(numpy.zeros(shape))

    cupy = types.ModuleType("cupy")
    cupy.ndarray = CupyArray  # type: ignore[attr-defined]
    cupy.empty = empty  # type: ignore[attr-defined]
    cupy.cuda = types.SimpleNamespace(  # type: ignore[attr-defined]
        get_current_stream=lambda device: types.SimpleNamespace(ptr=1000 + device)
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    recorder = Recorder()
    # By way of `sys.modules`, for `tilewright.ops.rms_norm` is the function.
    monkeypatch.setattr(sys.modules["tilewright.ops.rms_norm"], "extension", lambda: recorder)
    yield recorder
    arrays._by_type.pop(CupyArray, None)
    arrays._by_module.pop("cupy", None)


def test_cupy_arrays_run_on_the_current_stream_of_their_device(recorder: Recorder) -> None:
    x, weight = CupyArray(numpy.ones((3, 8))), CupyArray(numpy.ones(8))
    result = tilewright.rms_norm(x, weight)
    assert recorder.streams == [1001]
    assert x.streams == weight.streams == [-1]  # CuPy is told not to synchronise
    assert isinstance(result, CupyArray)
    assert result.shape == (3, 8)
    assert Device.current == 0


def test_cupy_arrays_out_is_returned(recorder: Recorder) -> None:
    x, weight, out = (CupyArray(numpy.ones(8)) for _ in range(3))
    assert tilewright.rms_norm(x, weight, out=out) is out
    assert out.streams == [-1]
