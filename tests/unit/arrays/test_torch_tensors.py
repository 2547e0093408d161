# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""PyTorch on the CPU; skipped where it is not installed."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.optional import import_or_none, requires
from tests.support.tolerance import assert_close
from tilewright import errors

torch = import_or_none("torch")
pytestmark = requires(torch, "PyTorch")

DTYPES = ("float32", "float16", "bfloat16")


def random(*shape: int, dtype: str = "float32", seed: int = 0) -> Any:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(getattr(torch, dtype))


def values(tensor: Any) -> Any:
    return tensor.detach().double().numpy()


@pytest.mark.parametrize("dtype", DTYPES)
def test_torch_tensors_rms_norm_matches_reference(dtype: str) -> None:
    x, weight = random(3, 5, 100, dtype=dtype), random(100, dtype=dtype, seed=1)
    result = tilewright.rms_norm(x, weight)
    assert type(result) is torch.Tensor
    assert (result.dtype, result.device) == (x.dtype, x.device)
    assert_close(values(result), reference.rms_norm(values(x), values(weight)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_torch_tensors_add_rms_norm_works_in_place(dtype: str) -> None:
    x, residual, weight = (random(4, 64, dtype=dtype, seed=s) for s in range(3))
    total = values(x) + values(residual)
    weight = weight[0].contiguous()
    new_x, new_residual = tilewright.add_rms_norm(x, residual, weight)
    assert new_x is x
    assert new_residual is residual
    assert_close(values(residual), total, dtype)
    assert_close(values(x), reference.rms_norm(values(residual), values(weight)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_torch_tensors_silu_and_mul_matches_reference(dtype: str) -> None:
    x = random(4, 66, dtype=dtype)
    out = torch.empty(4, 33, dtype=x.dtype)
    assert tilewright.silu_and_mul(x, out=out) is out
    assert_close(values(out), reference.silu_and_mul(values(x)), dtype)


@pytest.mark.parametrize("argument", ["x", "weight", "out"])
def test_torch_tensors_requiring_grad_raises_gradient_error_with_a_hint(argument: str) -> None:
    arrays = {"x": random(2, 8), "weight": random(8), "out": torch.zeros(2, 8)}
    arrays[argument].requires_grad_()
    with pytest.raises(
        errors.GradientError, match=rf"`{argument}`, torch.float32 .*\n.*detach.*torch.no_grad"
    ):
        tilewright.rms_norm(arrays["x"], arrays["weight"], out=arrays["out"])
    assert (arrays["out"] == 0).all()


def test_torch_tensors_requiring_grad_is_fine_under_no_grad() -> None:
    x = random(2, 8).requires_grad_()
    weight = torch.nn.Parameter(random(8, seed=1))
    with torch.no_grad():
        result = tilewright.rms_norm(x, weight)
    assert not result.requires_grad
    assert_close(values(result), reference.rms_norm(values(x), values(weight)), "float32")


def test_torch_tensors_in_inference_mode_are_accepted() -> None:
    with torch.inference_mode():
        x, residual, weight = random(2, 8), random(2, 8, seed=1), torch.ones(8)
        expected = reference.rms_norm(values(x) + values(residual), 1.0)
        tilewright.add_rms_norm(x, residual, weight)
        assert_close(values(x), expected, "float32")


def test_torch_tensors_overwritten_tensor_is_noticed_by_autograd() -> None:
    x = random(2, 8)
    product = (torch.ones(2, 8, requires_grad=True) * x).sum()  # saves x for backward
    tilewright.rms_norm(x, torch.ones(8), out=x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_torch_tensors_negated_view_is_read_with_its_sign() -> None:
    x = torch.complex(random(2, 8), random(2, 8, seed=1)).conj().imag.contiguous()
    negated = torch._neg_view(x)
    assert negated.is_neg()
    assert_close(
        values(tilewright.rms_norm(negated, torch.ones(8))),
        reference.rms_norm(-values(x), 1.0),
        "float32",
    )


def test_torch_tensors_negated_view_cannot_be_written_to() -> None:
    out = torch._neg_view(torch.zeros(2, 8))
    with pytest.raises(errors.InvalidArgumentError, match=r"`out`.*negated view"):
        tilewright.rms_norm(random(2, 8), torch.ones(8), out=out)


def test_torch_tensors_expanded_rows_are_read_and_not_written() -> None:
    x = random(1, 8).expand(4, 8)
    result = tilewright.rms_norm(x, torch.ones(8))
    assert_close(values(result), reference.rms_norm(values(x), 1.0), "float32")
    with pytest.raises(errors.StrideError, match="rows share memory"):
        tilewright.rms_norm(random(4, 8), torch.ones(8), out=x)


def test_torch_tensors_other_device_raises_device_error_with_it() -> None:
    with pytest.raises(errors.DeviceError, match=r"`x`.* on meta.*\nhint: "):
        tilewright.rms_norm(torch.ones(2, 8, device="meta"), torch.ones(8))


def test_torch_tensors_sparse_raises_invalid_argument_error() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="`x`.*cannot be lent"):
        tilewright.rms_norm(torch.eye(8).to_sparse(), torch.ones(8))


def test_torch_tensors_wrong_dtype_raises_dtype_error_with_its_name() -> None:
    with pytest.raises(errors.DTypeError, match="`x` is int64"):
        tilewright.rms_norm(torch.ones(2, 8, dtype=torch.int64), torch.ones(8))


def test_torch_tensors_beside_numpy_arrays_raise_invalid_argument_error_with_both() -> None:
    with pytest.raises(errors.InvalidArgumentError, match=r"`x` is of PyTorch .*`weight` of NumPy"):
        tilewright.rms_norm(torch.ones(2, 8), numpy.ones(8, numpy.float32))


def test_torch_tensors_subclass_counts_as_torch() -> None:
    special = type("Special", (torch.Tensor,), {})

    x = random(2, 8).as_subclass(special)
    result = tilewright.rms_norm(x, torch.ones(8))
    assert isinstance(result, torch.Tensor)
    assert_close(
        values(result.as_subclass(torch.Tensor)), reference.rms_norm(values(x), 1.0), "float32"
    )
