# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What was used, from nginx's log of successful reads.

Access times of the file system would say it too, but many are mounted without, and the usual
`relatime` is a day coarse. The log is nginx's own word.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator

from tools.cache.nginx import entries

LOG = "used.log"
"""In the folder of the cache: it outlives a server that was killed."""

LINE = re.compile(r"/(ac|cas)/([0-9a-f]{64})")


def used(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Kind and digest of each entry that a log names, once; other lines are passed over."""
    seen = set()
    for line in lines:
        match = LINE.fullmatch(line.rstrip("\n"))
        if match is not None and match.groups() not in seen:
            seen.add(match.groups())
            yield match.group(1), match.group(2)


def apply(root: str, data: str, send: Callable[[signal.Signals], None]) -> None:
    """Marks what the log names as used, and empties it.

    Args:
        root: folder of the log.
        data: folder of the entries.
        send: sends a signal to nginx, which then writes a new log.
    """
    log = os.path.join(root, LOG)
    taken = log + ".taken"
    if not os.path.exists(taken):
        if not os.path.exists(log) or os.path.getsize(log) == 0:
            return
        os.rename(log, taken)
        send(signal.SIGUSR1)
        time.sleep(1.0)  # the workers write what they hold and let go of the file
    now = time.time()
    with open(taken, encoding="utf-8", errors="replace") as stream:
        for kind, digest in used(stream):
            entries.mark_used(data, kind, digest, now)
    os.unlink(taken)
