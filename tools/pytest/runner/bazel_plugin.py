# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of the `pytest_test` rule: shards, seeds, and no success for an empty run."""

from __future__ import annotations

import os
import pathlib
import random
import sys
import zlib
from collections.abc import Generator

import pytest

from tools.pytest.runner.settings import Settings


class BazelPlugin:
    """Adapts one session to Bazel.

    Args:
        settings: the run's settings.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ran = 0
        self._skipped = 0
        self._collected = 0
        self._complaint = ""

    def pytest_report_header(self) -> str:
        """Names the seed, so that a run can be repeated."""
        seed = self._settings.seed
        return f"seed: {seed} (--test_env=TILEWRIGHT_TEST_SEED={seed} repeats it)"

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Checks that every file has tests, then, after filters, keeps this shard's share."""
        self._collected = len(items)
        if not session.testsfailed:
            with_tests = {os.path.realpath(item.path) for item in items}
            empty = [f for f in self._settings.files if os.path.realpath(f) not in with_tests]
            if empty:
                self._complaint = f"no test was collected from `{'`, `'.join(empty)}`"
        yield
        index, total = self._settings.shard
        if total > 1:
            if self._settings.shard_status_file:
                pathlib.Path(self._settings.shard_status_file).touch()
            mine = items[index::total]
            config.hook.pytest_deselected(items=[item for item in items if item not in mine])
            items[:] = mine

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Seeds the generators for each test by itself, so that its neighbours do not matter."""
        seed = zlib.crc32(f"{self._settings.seed} {item.nodeid}".encode())
        random.seed(seed)
        numpy_random = sys.modules.get("numpy.random")
        if numpy_random is not None:
            numpy_random.seed(seed)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Counts what ran."""
        if report.skipped and not hasattr(report, "wasxfail"):
            self._skipped += 1
        elif report.when == "call":
            self._ran += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Turns an empty run into a failure, and an empty share of a good one into a success."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            if self._collected and not self._complaint and self._settings.may_be_empty:
                session.exitstatus = pytest.ExitCode.OK
                return
            self._complaint = self._complaint or "no test was collected"
        elif self._skipped and not self._ran and not self._settings.is_shard:
            self._complaint = self._complaint or "every test was skipped"
        if self._complaint and exitstatus != pytest.ExitCode.TESTS_FAILED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says why an empty run failed."""
        if self._complaint:
            terminalreporter.section("empty run")
            terminalreporter.line(self._complaint)
            terminalreporter.line(
                "hint: a target needs a test in each file of `srcs` and one test that runs; "
                "for what this machine may lack set `gpu` or `target_compatible_with`"
            )
