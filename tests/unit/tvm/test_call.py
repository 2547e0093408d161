# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

import numpy
import pytest

from tests.support.dlpack_structs import DLManagedTensor, DLTensor
from tilewright import errors, tvm

ALIGNMENT = 64
CPU, CUDA = 1, 2  # DLDeviceType


def aligned(size: int, offset: int = 0) -> Any:
    """Zeros in float32, `offset` bytes after a multiple of 64 bytes."""
    memory = numpy.zeros(4 * size + 2 * ALIGNMENT, numpy.uint8)
    start = -memory.ctypes.data % ALIGNMENT + offset
    return memory[start : start + 4 * size].view(numpy.float32)


class OnGpu:
    """What exports a tensor of four floats on CUDA device 0."""

    def __init__(self) -> None:
        self._shape = (ctypes.c_int64 * 1)(4)
        self._managed = DLManagedTensor(DLTensor(0x100000, (CUDA, 0), 1, (2, 32, 1), self._shape))

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0

    def __dlpack__(self, **_: object) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        new.restype = ctypes.py_object
        return new(ctypes.addressof(self._managed), b"dltensor", None)


def test_call_writes_result_into_output(module: tvm.Module) -> None:
    a, b = numpy.arange(100, dtype=numpy.float32), numpy.full(100, 0.5, numpy.float32)
    out = numpy.zeros(100, numpy.float32)
    assert module["vector_add"](a, b, out) is None
    numpy.testing.assert_array_equal(out, a + b)


@pytest.mark.parametrize("offset", [0, 4, 16, 32])
def test_call_any_alignment_gives_result(module: tvm.Module, offset: int) -> None:
    a, b, out = aligned(33, offset), aligned(33), aligned(33, offset)
    a += 2
    b += 1
    module["vector_add"](a, b, out)
    numpy.testing.assert_array_equal(out, numpy.full(33, 3, numpy.float32))


def test_call_aligned_array_is_not_copied(module: tvm.Module) -> None:
    array = aligned(8)
    assert module["address"](array) == array.ctypes.data


def test_call_misaligned_array_reaches_code_aligned(module: tvm.Module) -> None:
    address = module["address"](aligned(8, 16))
    assert address % ALIGNMENT == 0


def test_call_misaligned_overlapping_arrays_keep_what_was_written(module: tvm.Module) -> None:
    # `a` is an input that overlaps the output: its unchanged copy must not go back over the result.
    memory = aligned(17, 4)
    memory[:] = 1
    a, out = memory[:16], memory[1:]
    module["vector_add"](a, a, out)
    numpy.testing.assert_array_equal(out, numpy.full(16, 2, numpy.float32))


def test_call_same_misaligned_array_as_input_and_output(module: tvm.Module) -> None:
    a = aligned(20, 4)
    a[:] = 3
    module["vector_add"](a, a, a)
    numpy.testing.assert_array_equal(a, numpy.full(20, 6, numpy.float32))


def test_call_same_misaligned_array_twice_keeps_what_either_wrote(module: tvm.Module) -> None:
    # Side by side, in each argument's own copy.
    memory = aligned(8, 4)
    module["mark"](memory, memory)
    assert memory[:3].tolist() == [1, 2, 0]


def test_call_read_only_array_stays_unchanged(module: tvm.Module) -> None:
    a, out = numpy.ones(5, numpy.float32), numpy.zeros(5, numpy.float32)
    a.flags.writeable = False
    out.flags.writeable = False
    module["vector_add"](a, a, out)
    numpy.testing.assert_array_equal(out, numpy.zeros(5, numpy.float32))


def test_call_misaligned_strided_array_is_refused(module: tvm.Module) -> None:
    with pytest.raises(errors.TvmError, match="not aligned to 64 bytes and not compact"):
        module["address"](aligned(16, 4)[::2])


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -(2**63), 2**63 - 1, 0.25, "", "short", "long, on the heap"],
)
def test_call_plain_values_come_back(module: tvm.Module, value: object) -> None:
    result = module["echo"](value)
    assert result == value
    assert type(result) is type(value)


def test_call_tensor_comes_back_sharing_memory(module: tvm.Module) -> None:
    array = aligned(6)
    result = numpy.from_dlpack(module["echo"](array))
    array[2] = 5
    numpy.testing.assert_array_equal(result, array)


def test_call_returned_tensor_outlives_argument(module: tvm.Module) -> None:
    array = aligned(1000)
    array[:] = 7
    tensor = module["echo"](array)
    del array
    numpy.testing.assert_array_equal(numpy.from_dlpack(tensor), numpy.full(1000, 7, numpy.float32))


def test_call_list_becomes_tuple(module: tvm.Module) -> None:
    array = aligned(4)
    result = module["echo"]([1, "two", [None, 3.5], (array,)])
    assert result[:3] == (1, "two", (None, 3.5))
    numpy.testing.assert_array_equal(numpy.from_dlpack(result[3][0]), array)


def test_call_functions_and_modules_pass_through(module: tvm.Module) -> None:
    function = module["echo"](module["vector_add"])
    assert isinstance(function, tvm.Function)
    again = module["echo"](module)
    assert isinstance(again, tvm.Module)
    assert "vector_add" in again


def test_call_shape_becomes_tuple() -> None:
    assert tvm.get_global_function("ffi.Shape")(2, 3) == (2, 3)


def test_call_wrong_shape_raises_and_process_goes_on(module: tvm.Module) -> None:
    a = numpy.ones(4, numpy.float32)
    for _ in range(3):
        with pytest.raises(errors.TvmError, match="ValueError: in `vector_add`: mismatched shape"):
            module["vector_add"](a, a, numpy.zeros(3, numpy.float32))
        out = numpy.zeros(4, numpy.float32)
        module["vector_add"](a, a, out)
        assert out[0] == 2


def test_call_failure_leaves_misaligned_output_unchanged(module: tvm.Module) -> None:
    a, out = aligned(4, 4), aligned(3, 4)
    with pytest.raises(errors.TvmError):
        module["vector_add"](a, a, out)
    numpy.testing.assert_array_equal(out, numpy.zeros(3, numpy.float32))


def test_call_error_keeps_tvm_kind(module: tvm.Module) -> None:
    with pytest.raises(errors.TvmError, match="KeyError: as asked"):
        module["fail"](1)
    with pytest.raises(errors.TvmError, match="RuntimeError: as asked"):
        module["fail"](None)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1])
def test_call_large_int_is_refused(module: tvm.Module, value: int) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="argument 0 does not fit in 64 bits"):
        module["echo"](value)


def test_call_text_that_utf8_cannot_hold_is_refused(module: tvm.Module) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="argument 0 holds a lone surrogate"):
        module["echo"]("\ud800")


def test_call_tensor_on_a_gpu_is_refused_by_the_runtime() -> None:
    # On a GPU that need not be there: nothing reads the memory.
    to_device = tvm.get_global_function("vm.builtin.to_device")
    with pytest.raises(errors.TvmError, match="cuda"):
        to_device(OnGpu(), CPU, 0)


@pytest.mark.parametrize("value", [object(), b"bytes", {}, 1j])
def test_call_other_types_are_refused(module: tvm.Module, value: object) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="echo: `argument 0` is a "):
        module["echo"](value)


def nested(lists: int) -> list[Any]:
    """One in so many lists."""
    value: Any = 1
    for _ in range(lists):
        value = [value]
    return value  # type: ignore[no-any-return]


def test_call_lists_nested_to_the_limit_come_back(module: tvm.Module) -> None:
    result = module["echo"](nested(100))
    for _ in range(100):
        (result,) = result
    assert result == 1


def test_call_lists_nested_too_deep_are_refused(module: tvm.Module) -> None:
    itself: list[Any] = []
    itself.append(itself)
    for value in (nested(101), itself):
        with pytest.raises(errors.InvalidArgumentError, match="`argument 0` is nested deeper"):
            module["echo"](value)


def test_function_name_that_is_no_string_is_refused(module: tvm.Module) -> None:
    name: Any = None
    with pytest.raises(errors.InvalidArgumentError, match="is a `NoneType`, expected a string"):
        module[name]
    with pytest.raises(errors.InvalidArgumentError, match="is a `NoneType`, expected a string"):
        tvm.get_global_function(name)
    assert name not in module


def test_call_releases_arrays(module: tvm.Module) -> None:
    a, out = aligned(4), aligned(3)
    before = sys.getrefcount(a), sys.getrefcount(out)
    for _ in range(10):
        module["vector_add"](a, a, a)
        with pytest.raises(errors.TvmError):
            module["vector_add"](a, a, out)
        with pytest.raises(errors.InvalidArgumentError):
            module["vector_add"](a, [out, a], object())
        with pytest.raises(errors.InvalidArgumentError):
            module["vector_add"](a, [out, 2**70])
    assert (sys.getrefcount(a), sys.getrefcount(out)) == before


def test_call_from_many_threads_keeps_errors_apart(module: tvm.Module) -> None:
    failures: list[str] = []

    def work(number: int) -> None:
        a = numpy.full(64, number, numpy.float32)
        for _ in range(200):
            out = numpy.zeros(64, numpy.float32)
            module["vector_add"](a, a, out)
            if out[5] != 2 * number:
                failures.append(f"{number}: {out[5]}")
            try:
                module["fail"](1 if number % 2 else None)
            except errors.TvmError as error:
                if ("KeyError" in str(error)) != bool(number % 2):
                    failures.append(f"{number}: {error}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
