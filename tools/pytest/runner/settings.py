# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a run of pytest is to do, read from the arguments and Bazel's environment. Pure."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

DEFAULT_SEED = 20240229


class Settings(NamedTuple):
    """One run.

    Attributes:
        files: test files, relative to the current folder.
        config: pytest's configuration file.
        arguments: further arguments of pytest.
        test_filter: expression of `--test_filter`, or "".
        fail_fast: whether to stop at the first failure.
        shard: index of this shard and number of shards.
        shard_status_file: file to touch to tell Bazel that sharding is understood, or "".
        xml: file of the JUnit report, or "".
        temporary: folder for temporary files, or "".
        seed: seed of the random generators.
    """

    files: tuple[str, ...]
    config: str
    arguments: tuple[str, ...]
    test_filter: str
    fail_fast: bool
    shard: tuple[int, int]
    shard_status_file: str
    xml: str
    temporary: str
    seed: int

    @property
    def may_be_empty(self) -> bool:
        """Whether no test is left after a filter or for a shard, through no fault of the target."""
        return bool(self.test_filter) or self.is_shard

    @property
    def is_shard(self) -> bool:
        """Whether the target's tests are divided over several runs."""
        return self.shard[1] > 1


def read(argv: Sequence[str], environ: Mapping[str, str]) -> Settings:
    """Reads the settings.

    Args:
        argv: the arguments that `pytest_test` writes, then the user's.
        environ: the environment; Bazel's "test encyclopedia" documents the variables.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--test-config", required=True)
    parser.add_argument("--test-file", action="append", required=True)
    options, arguments = parser.parse_known_args(argv)
    seed = environ.get("TILEWRIGHT_TEST_SEED") or environ.get("TEST_RANDOM_SEED") or DEFAULT_SEED
    return Settings(
        files=tuple(options.test_file),
        config=options.test_config,
        arguments=tuple(arguments),
        test_filter=environ.get("TESTBRIDGE_TEST_ONLY", ""),
        fail_fast=environ.get("TESTBRIDGE_TEST_RUNNER_FAIL_FAST") == "1",
        shard=(int(environ.get("TEST_SHARD_INDEX", 0)), int(environ.get("TEST_TOTAL_SHARDS", 1))),
        shard_status_file=environ.get("TEST_SHARD_STATUS_FILE", ""),
        xml=environ.get("XML_OUTPUT_FILE", ""),
        temporary=environ.get("TEST_TMPDIR", ""),
        seed=int(seed),
    )


def pytest_arguments(settings: Settings) -> list[str]:
    """Writes pytest's command line."""
    arguments = ["-c", settings.config, "--rootdir=.", "--import-mode=importlib"]
    arguments += ["-p", "no:cacheprovider", "--strict-markers", "--strict-config", "-ra"]
    if settings.xml:
        arguments += [f"--junitxml={settings.xml}"]
    if settings.temporary:
        arguments += [f"--basetemp={os.path.join(settings.temporary, 'pytest')}"]
    if settings.test_filter:
        arguments += ["-k", settings.test_filter]
    if settings.fail_fast:
        arguments += ["-x"]
    return [*arguments, *settings.arguments, *settings.files]


def environment(settings: Settings) -> dict[str, str]:
    """Variables to set before pytest starts; with them a test sees no home folder but its own."""
    variables = {"COLUMNS": "100", "TILEWRIGHT_TEST_SEED": str(settings.seed)}
    if settings.temporary:
        variables["HOME"] = settings.temporary
    return variables
