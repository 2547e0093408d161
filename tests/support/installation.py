# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Copies of the installed package that a test may damage, and what Python says in them."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
from collections.abc import Mapping

import tilewright
from tests.support.child import run_python

__all__ = ["NOTHING_RAISED", "Installation"]

#: What `Installation.error_of` returns for code that raises nothing.
NOTHING_RAISED = ("nothing raised", "")

# Prints the class and the message of what the code raises. Any other end leaves its traceback, or
# the signal, in the result.
_HARNESS = """
import tilewright
try:
    exec({code!r})
except tilewright.TilewrightError as error:
    print(type(error).__name__, error, sep="\\n")
else:
    print("nothing raised", "", sep="\\n")
"""


class Installation:
    """A copy of the installed package below a site-packages folder of its own."""

    def __init__(self, site: pathlib.Path) -> None:
        self.site = site
        self.package = site / "tilewright"
        self.libraries = self.package / "lib"
        shutil.copytree(
            tilewright.__path__[0], self.package, ignore=shutil.ignore_patterns("__pycache__")
        )
        for path in [self.package, *self.package.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)

    def run(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs Python with this copy before every other."""
        return run_python(*arguments, first=[str(self.site)], environment=environment)

    def error_of(self, code: str, environment: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Returns the class and the message of the exception of tilewright's that `code` raises.

        `NOTHING_RAISED` if it raises none.

        Raises:
            AssertionError: the process ended otherwise, by a signal or another exception.
        """
        child = self.run("-c", _HARNESS.format(code=code), environment=environment)
        assert child.returncode == 0, f"exit code {child.returncode}: {child.stderr}"
        kind, _, message = child.stdout.partition("\n")
        return kind, message.removesuffix("\n")
