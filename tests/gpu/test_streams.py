# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Operators run on the caller's current stream, do not wait, and can be captured into a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tilewright
from tests.support import torch_reference as reference
from tests.support.child import run_python
from tests.support.optional import import_or_none, requires
from tests.support.torch_reference import assert_close, random

torch = import_or_none("torch")
pytestmark = requires(torch, "PyTorch")

SHAPE = (256, 4096)
# Long enough, a tenth of a second or so, that work ordered wrongly is seen.
DELAY_CYCLES = 200_000_000


def weight_of(dtype: Any = None) -> Any:
    return random(SHAPE[-1:], dtype or torch.bfloat16, seed=99)


def warmed_up_stream(x: Any, weight: Any) -> Any:
    """A new stream, with the kernel loaded and memory allocated, either of which may wait."""
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        tilewright.rms_norm(x, weight)
    stream.synchronize()
    return stream


def test_streams_current_stream_orders_operator_after_earlier_work() -> None:
    x = torch.zeros(SHAPE, dtype=torch.bfloat16, device="cuda")
    fresh = random(SHAPE, torch.bfloat16, seed=1)
    weight = weight_of()
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(DELAY_CYCLES)
        x.copy_(fresh)
        result = tilewright.rms_norm(x, weight)
    stream.synchronize()
    assert_close(result, reference.rms_norm(fresh, weight), "seed 1")


def test_streams_operator_does_not_wait_for_the_gpu() -> None:
    x, weight = random(SHAPE, torch.bfloat16, seed=2), weight_of()
    stream = warmed_up_stream(x, weight)
    with torch.cuda.stream(stream):
        torch.cuda._sleep(DELAY_CYCLES)
        tilewright.rms_norm(x, weight)
        returned_early = not stream.query()
    assert returned_early
    stream.synchronize()


def test_streams_operator_on_a_side_stream_does_not_wait_for_the_default_one() -> None:
    x, weight = random(SHAPE, torch.bfloat16, seed=3), weight_of()
    stream = warmed_up_stream(x, weight)
    torch.cuda._sleep(DELAY_CYCLES)
    with torch.cuda.stream(stream):
        result = tilewright.rms_norm(x, weight)
    stream.synchronize()
    assert not torch.cuda.default_stream().query()
    torch.cuda.synchronize()
    assert_close(result, reference.rms_norm(x, weight), "seed 3")


def test_streams_many_at_once_do_not_disturb_each_other() -> None:
    weight = weight_of()
    streams = [torch.cuda.Stream() for _ in range(4)]
    inputs = [random(SHAPE, torch.bfloat16, seed=seed) for seed in range(4)]
    torch.cuda.synchronize()
    results: list[Any] = [None] * 4
    for _ in range(20):
        for index, stream in enumerate(streams):
            with torch.cuda.stream(stream):
                results[index] = tilewright.rms_norm(inputs[index], weight)
    torch.cuda.synchronize()
    for index in range(4):
        assert_close(results[index], reference.rms_norm(inputs[index], weight), f"stream {index}")


def run_rms_norm(x: Any, weight: Any) -> Any:
    return tilewright.rms_norm(x, weight)


def run_add_rms_norm(x: Any, weight: Any) -> Any:
    normed, _ = tilewright.add_rms_norm(x.clone(), torch.ones_like(x), weight)
    return normed


def run_silu_and_mul(x: Any, weight: Any) -> Any:
    return tilewright.silu_and_mul(x)


@pytest.mark.parametrize("run", [run_rms_norm, run_add_rms_norm, run_silu_and_mul])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_streams_graph_capture_replays_on_new_values(
    run: Callable[[Any, Any], Any], dtype: str
) -> None:
    kind = getattr(torch, dtype)
    x, weight = random(SHAPE, kind, seed=4), weight_of(kind)
    warm_up = torch.cuda.Stream()
    warm_up.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(warm_up):
        run(x, weight)
    torch.cuda.current_stream().wait_stream(warm_up)

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = run(x, weight)
    for seed in (5, 6):
        x.copy_(random(SHAPE, kind, seed=seed))
        graph.replay()
        torch.cuda.synchronize()
        assert torch.equal(captured, run(x, weight)), f"seed {seed}"


def test_streams_graph_capture_of_a_first_launch_replays() -> None:
    """What is asked once about a kernel is asked during the capture here."""
    code = """
import torch, tilewright
x = torch.randn(64, 4096, device="cuda", dtype=torch.bfloat16)
weight = torch.ones(4096, device="cuda", dtype=torch.bfloat16)
tilewright.silu_and_mul(x)  # another kernel of the library
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result = tilewright.rms_norm(x, weight)
graph.replay()
torch.cuda.synchronize()
assert torch.equal(result, tilewright.rms_norm(x, weight))
"""
    child = run_python("-c", code)
    assert child.returncode == 0, child.stderr


def test_streams_graph_capture_of_a_layer_chain_replays() -> None:
    x, weight = random(SHAPE, torch.bfloat16, seed=7), weight_of()
    residual = torch.zeros_like(x)
    work = x.clone()

    def layers() -> None:
        work.copy_(x)
        residual.zero_()
        for _ in range(8):
            tilewright.add_rms_norm(work, residual, weight)

    layers()
    torch.cuda.synchronize()
    expected = work.clone()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        layers()
    work.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(work, expected)


@pytest.mark.skipif(torch is None or torch.cuda.device_count() < 2, reason="needs a second GPU")
def test_streams_tensor_on_another_gpu_than_the_current_one_is_computed_there() -> None:
    x = random(SHAPE, torch.bfloat16, seed=8).to("cuda:1")
    weight = weight_of().to("cuda:1")
    assert torch.cuda.current_device() == 0
    result = tilewright.rms_norm(x, weight)
    assert result.device == x.device
    assert torch.cuda.current_device() == 0
    torch.cuda.synchronize("cuda:1")
    assert_close(result, reference.rms_norm(x, weight), "seed 8")
