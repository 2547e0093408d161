# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds paths of a build machine in binary files."""

from __future__ import annotations

import re

#: Below folders that exist on the machines that build, not on those that run.
_PATH = re.compile(
    rb"/(?:home|root|Users|builds|__w|github/workspace|tmp/(?:pip-|build)[\w.-]*)/[\w.+@/-]{2,200}"
)

#: Enough to see where they come from.
_MOST = 5
#: Bytes kept of one chunk, for a path that goes on in the next.
_OVERLAP = 256


class BuildPaths:
    """Scans a file chunk by chunk."""

    def __init__(self) -> None:
        self._tail = b""
        self._found: dict[str, None] = {}

    @property
    def found(self) -> tuple[str, ...]:
        """The first few paths, in the order of the file."""
        return tuple(self._found)

    def scan(self, chunk: bytes) -> None:
        """Take in the next bytes of the file."""
        if len(self._found) == _MOST:
            return
        data = self._tail + chunk
        self._tail = data[-_OVERLAP:]
        for match in _PATH.finditer(data):
            # One that touches the end goes on in the next chunk, and is found there.
            if match.end() < len(data):
                self._found[match[0].decode("ascii")] = None
                if len(self._found) == _MOST:
                    return
