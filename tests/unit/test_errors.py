# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tilewright import errors

BASES = {
    "CudaError": RuntimeError,
    "DTypeError": TypeError,
    "DeviceError": ValueError,
    "GradientError": ValueError,
    "InternalError": RuntimeError,
    "InvalidArgumentError": ValueError,
    "LibraryNotFoundError": ImportError,
    "OutOfMemoryError": MemoryError,
    "OverlapError": ValueError,
    "ReadOnlyError": ValueError,
    "ShapeError": ValueError,
    "StrideError": ValueError,
    "TvmError": RuntimeError,
}


def test_errors_all_lists_every_class() -> None:
    assert set(errors.__all__) == {*BASES, "TilewrightError"}


@pytest.mark.parametrize(("name", "base"), BASES.items())
def test_errors_class_is_also_the_builtin_that_a_caller_expects(
    name: str, base: type[Exception]
) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, errors.TilewrightError)
    assert issubclass(kind, base)
    assert str(kind("what happened\nhint: what to do")) == "what happened\nhint: what to do"
