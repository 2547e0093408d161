# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Main program of every `pytest_test` target."""

import os
import pathlib
import sys

import pytest

from tools.pytest.runner import settings
from tools.pytest.runner.bazel_plugin import BazelPlugin


def main() -> int:
    """Runs pytest; returns its exit code."""
    run = settings.read(sys.argv[1:], os.environ)
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        del os.environ[name]
    os.environ.update(settings.environment(run))

    # Bazel takes the test as failed if this file is left behind: a test that ends the process cannot pass for a success.
    exit_file = os.environ.get("TEST_PREMATURE_EXIT_FILE")
    if exit_file:
        pathlib.Path(exit_file).touch()
    code = pytest.main(settings.pytest_arguments(run), plugins=[BazelPlugin(run)])
    if exit_file:
        pathlib.Path(exit_file).unlink(missing_ok=True)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
