# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What every command shares: failures end in a message, files are written in one piece."""

from __future__ import annotations

import functools
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import ParamSpec

from .errors import FileAccessError, ToolError
from .whole_file import whole_file

_Arguments = ParamSpec("_Arguments")

#: What ends a command from outside: Ctrl-C, a time limit, a terminal that is closed.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Signalled(BaseException):
    """The command is to end now."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def command(name: str) -> Callable[[Callable[_Arguments, int]], Callable[_Arguments, int]]:
    """Make a function the command `name`: its errors are printed and become the exit code.

    An OSError that nobody has explained better becomes a FileAccessError. What the encoding of
    stdout lacks is printed as an escape sequence. A signal that ends the command lets it remove its
    temporary files first; the exit code is that of shells, 128 and the signal's number.
    """

    def decorate(run: Callable[_Arguments, int]) -> Callable[_Arguments, int]:
        @functools.wraps(run)
        def main(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> int:
            if isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(errors="backslashreplace")
            try:
                try:
                    with _signals_raise():
                        return run(*args, **kwargs)
                finally:
                    _flush_stdout()
            except _Signalled as ended:
                _tell(f"{name}: ended by {signal.Signals(ended.number).name}")
                return 128 + ended.number
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
    with whole_file(path.resolve()) as partial:
        partial.write_text(text, encoding="utf-8")


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


@contextmanager
def _signals_raise() -> Iterator[None]:
    """Make the signals that end a program exceptions; those that the caller handles are left."""
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    usual = (signal.SIG_DFL, signal.default_int_handler)
    raising = [number for number in _SIGNALS if handlers[number] in usual]
    if threading.current_thread() is not threading.main_thread():
        raising = []
    for number in raising:
        signal.signal(number, _raise)
    try:
        yield
    finally:
        for number in raising:
            signal.signal(number, handlers[number])


def _raise(number: int, _: FrameType | None) -> None:
    raise _Signalled(number)


def _fail(name: str, error: ToolError) -> int:
    _tell(f"{name}: {error}")
    return error.exit_code


def _tell(text: str) -> None:
    with suppress(OSError):
        print(text, file=sys.stderr)
