# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Times GPU work: launches captured into a CUDA graph, the median of several replays."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

import torch

__all__ = ["LAUNCHES", "seconds_per_launch"]

# In a graph, at least, so that the host's time and a replay's own cost do not count.
LAUNCHES = 20


def seconds_per_launch(launches: Sequence[Callable[[], object]], replays: int = 7) -> float:
    """The time of one launch.

    Args:
        launches: the same work on different memory; taken in turn, so that with enough of them none
            finds its input in the L2 cache.
        replays: of which the median counts.
    """
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for launch in launches:  # compiles, loads, and lets allocators settle
            for _ in range(3):
                launch()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()

    graph = torch.cuda.CUDAGraph()
    count = max(LAUNCHES, len(launches))
    with torch.cuda.graph(graph):
        for index in range(count):
            launches[index % len(launches)]()
    for _ in range(2):
        graph.replay()
    times: list[float] = []
    for _ in range(replays):
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        graph.replay()
        after.record()
        after.synchronize()
        times.append(before.elapsed_time(after) / 1000)
    return statistics.median(times) / count
