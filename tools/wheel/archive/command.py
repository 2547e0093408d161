# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What every command shares: failures end in a message, files are written in one piece."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import ParamSpec

from .errors import FileAccessError, ToolError

_Arguments = ParamSpec("_Arguments")


def command(name: str) -> Callable[[Callable[_Arguments, int]], Callable[_Arguments, int]]:
    """Make a function the command `name`: its errors are printed and become the exit code.

    An OSError that nobody has explained better becomes a FileAccessError. What the encoding of
    stdout lacks is printed as an escape sequence.
    """

    def decorate(run: Callable[_Arguments, int]) -> Callable[_Arguments, int]:
        @functools.wraps(run)
        def main(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> int:
            if isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(errors="backslashreplace")
            try:
                try:
                    return run(*args, **kwargs)
                finally:
                    _flush_stdout()
            except ToolError as error:
                return _fail(name, error)
            except OSError as error:
                hint = "check that the path is right and permitted, and that there is room"
                return _fail(name, FileAccessError(str(error), hint=hint))

        return main

    return decorate


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file, complete or not at all; devices and pipes are written to as they are.

    Raises:
        OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    target = path.resolve()
    partial = target.with_name(target.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _flush_stdout() -> None:
    """Write out what was printed, while a failure can still be told."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        # Python flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _fail(name: str, error: ToolError) -> int:
    with suppress(OSError):
        print(f"{name}: {error}", file=sys.stderr)
    return error.exit_code
