# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Opens execution logs; what a file contains tells its format."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .compact import read_compact
from .errors import (
    DecompressorError,
    NoActionsError,
    NoExecutionLogError,
    TruncatedLogError,
    UnreadableFileError,
)
from .expanded import read_binary, read_json
from .log import Log, Pool
from .wire import EndOfStreamError, WireError, messages, varint

if TYPE_CHECKING:
    from typing_extensions import Buffer
    from zstandard import ZstdDecompressor

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_JSON_START = re.compile(rb'\s*\{\s*["}]')
_FIRST_FIELD = 0x0A
"""What a message of a binary log starts with: the tag of the command's first word."""

_BUFFER = 1 << 20
_COMPRESSED_BUFFER = 1 << 16
_START = 64


def read_log(path: Path, pool: Pool) -> Log:
    """Read an execution log.

    Args:
        path: the file.
        pool: where inputs go; logs that are to be compared share one.

    Raises:
        LogError: the file cannot be read, is something else, or ends too early.
    """
    name = str(path)
    try:
        with path.open("rb") as file:
            return _read(name, file, pool)
    except OSError as error:
        raise UnreadableFileError(
            f"`{name}` cannot be read: {error.strerror or error}",
            hint="check the path; a path that is not absolute counts from the current folder",
        ) from None
    except EndOfStreamError:
        raise _truncated(name) from None
    except WireError as error:
        raise NoExecutionLogError(
            f"`{name}` is no execution log, or is damaged: {error}",
            hint="name a file that Bazel wrote for --execution_log_compact_file, "
            "--execution_log_binary_file or --execution_log_json_file",
        ) from None


def _read(name: str, file: io.BufferedReader, pool: Pool) -> Log:
    start = file.peek(_START)
    if not start:
        raise NoActionsError(name)
    if start.startswith(_ZSTD_MAGIC):
        with _decompressed(name, file) as stream:
            return read_compact(name, messages(stream), pool)
    if _JSON_START.match(start):
        with io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace") as text:
            return read_json(name, text, pool)
    _, begin = varint(start, 0)
    if start[begin : begin + 1] != bytes([_FIRST_FIELD]):
        raise WireError("it starts as none of the three formats does")
    return read_binary(name, messages(file), pool)


@contextmanager
def _decompressed(name: str, file: BinaryIO) -> Iterator[BinaryIO]:
    try:
        import zstandard
    except ImportError:
        raise DecompressorError(
            f"`{name}` is compressed, and the package `zstandard` is not there to read it",
            hint="use `bazel run //tools/cache/why`, or `pip install zstandard`",
        ) from None
    try:
        yield io.BufferedReader(_Frames(file, zstandard.ZstdDecompressor()), _BUFFER)
    except zstandard.ZstdError as error:
        raise NoExecutionLogError(
            f"`{name}` is damaged: {error}",
            hint="copy it anew, or write the log anew",
        ) from None


class _Frames(io.RawIOBase):
    """The content of a compressed file; ending within a frame is an error.

    The package's own stream ends there as if the frame were complete.
    """

    def __init__(self, file: BinaryIO, decompressor: ZstdDecompressor) -> None:
        self._file = file
        self._decompressor = decompressor
        self._frame = decompressor.decompressobj()
        self._content = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        target = memoryview(buffer).cast("B")
        while not self._content:
            compressed = self._file.read(_COMPRESSED_BUFFER)
            if self._frame.eof:
                compressed = self._frame.unused_data + compressed
                if not compressed:
                    return 0
                self._frame = self._decompressor.decompressobj()
            elif not compressed:
                raise EndOfStreamError("the file ends within a compressed frame")
            self._content = self._frame.decompress(compressed)
        size = min(len(target), len(self._content))
        target[:size] = self._content[:size]
        self._content = self._content[size:]
        return size


def _truncated(name: str) -> TruncatedLogError:
    return TruncatedLogError(
        f"`{name}` ends too early: Bazel was killed, or the copy is not complete",
        hint="copy it anew, or write the log anew and let Bazel come to its end",
    )
