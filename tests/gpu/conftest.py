# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""GPU tests: `pytest tests/gpu`, where the wheel and a CUDA build of PyTorch are installed."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

# JAX would take three quarters of the GPU's memory when it is first used.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")


def _reason_to_skip() -> str | None:
    try:
        import torch
    except ImportError:
        return "PyTorch is not installed"
    if not torch.cuda.is_available():
        return f"PyTorch {torch.__version__} sees no CUDA GPU"
    return None


def pytest_report_header() -> str:
    """Says on which GPU, or why on none."""
    reason = _reason_to_skip()
    if reason is not None:
        return f"GPU tests: skipped, {reason}"
    import torch

    return (
        f"GPU: {torch.cuda.get_device_name()}, PyTorch {torch.__version__} with CUDA "
        f"{torch.version.cuda}"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips everything here, with the reason, on a machine that cannot run it."""
    reason = _reason_to_skip()
    if reason is None:
        return
    for item in items:
        if "/gpu/" in item.path.as_posix():
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def _wait_for_kernels() -> Iterator[None]:
    """So that a failure inside a kernel is that of the test that launched it."""
    yield
    if _reason_to_skip() is None:
        import torch

        torch.cuda.synchronize()


@pytest.fixture
def memory_gib() -> int:
    """Free GPU memory, once everything cached has been released."""
    import torch

    gc.collect()
    torch.cuda.empty_cache()
    return int(torch.cuda.mem_get_info()[0] // 2**30)
