# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Tells what a CI run did: its slowest steps and tests, what failed, and a closing count.

usage: report.py STEPS TEST_EVENTS

STEPS has a line `name<TAB>exit code or "skipped"<TAB>seconds` for each step. TEST_EVENTS is Bazel's
build event file (`--build_event_json_file`) of the test step; it may be missing. Exit code 0 when
nothing failed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SLOWEST = 15
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Result:
    """What came of a step or a test.

    Attributes:
        name: the step, or the label of the test.
        verdict: `passed`, `failed` or `skipped`.
        seconds: how long it took.
    """

    name: str
    verdict: str
    seconds: float


def steps(lines: Iterable[str]) -> Iterator[Result]:
    """The steps, from the lines of the file."""
    for line in lines:
        name, code, seconds = line.rstrip("\n").split("\t")
        verdict = {"0": PASSED, "skipped": SKIPPED}.get(code, FAILED)
        yield Result(name, verdict, float(seconds))


def bazel_tests(lines: Iterable[str]) -> Iterator[Result]:
    """The tests, from the lines of Bazel's event file.

    A test that is incompatible with the machine is `skipped`; one that could not be built, or
    whose run came to no end, is `failed`.
    """
    expected: dict[str, bool] = {}
    results: dict[str, Result] = {}
    for event in map(json.loads, lines):
        identity: dict[str, Any] = event.get("id", {})
        if "targetConfigured" in identity:
            label = identity["targetConfigured"]["label"]
            expected[label] = _is_test(event.get("configured", {}))
        elif "testSummary" in identity and "testSummary" in event:
            label = identity["testSummary"]["label"]
            summary = event["testSummary"]
            verdict = PASSED if summary.get("overallStatus") in ("PASSED", "FLAKY") else FAILED
            seconds = int(summary.get("totalRunDurationMillis", 0)) / 1000
            results[label] = Result(label, verdict, seconds)
        elif "targetCompleted" in identity and event.get("aborted", {}).get("reason") == "SKIPPED":
            label = identity["targetCompleted"]["label"]
            results[label] = Result(label, SKIPPED, 0)
    for label, is_test in expected.items():
        if label in results:
            if is_test or results[label].verdict != SKIPPED:
                yield results[label]
        elif is_test:
            yield Result(label, FAILED, 0)


def _is_test(configured: dict[str, Any]) -> bool:
    return str(configured.get("targetKind", "")).endswith(("_test rule", "test_suite rule"))


def report(step_results: list[Result], test_results: list[Result]) -> str:
    """The text of the report; its last line is the closing count."""
    everything = [*step_results, *test_results]
    lines = ["", "== steps", *_table(step_results)]
    slowest = sorted(test_results, key=lambda result: -result.seconds)[:SLOWEST]
    if slowest:
        lines += ["", "== slowest tests", *_table(slowest)]
    failed = [result for result in everything if result.verdict == FAILED]
    if failed:
        lines += ["", "== failed", *(f"  {result.name}" for result in failed)]
    counts = dict.fromkeys((PASSED, FAILED, SKIPPED), 0)
    for result in everything:
        counts[result.verdict] += 1
    return "\n".join([*lines, "", ", ".join(f"{n} {verdict}" for verdict, n in counts.items())])


def _table(results: list[Result]) -> list[str]:
    width = max((len(result.name) for result in results), default=0)
    return [f"  {r.name:<{width}}  {r.verdict:<8}{r.seconds:8.1f} s" for r in results]


def main(step_file: Path, test_file: Path) -> int:
    """Print the report; returns the exit code."""
    step_results = list(steps(step_file.read_text().splitlines()))
    test_results: list[Result] = []
    if test_file.exists():
        # Bazel, when it is killed, leaves its last line half written.
        whole_lines = test_file.read_text(errors="replace").rpartition("\n")[0]
        test_results = list(bazel_tests(whole_lines.splitlines()))
    print(report(step_results, test_results))
    return int(any(result.verdict == FAILED for result in (*step_results, *test_results)))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
