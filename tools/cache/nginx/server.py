# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The cache over HTTP: one program, nginx."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from tools.cache import clean, door, programs, template
from tools.cache.folder import Folder
from tools.cache.nginx import entries, usage
from tools.cache.options import Options
from tools.cache.programs import Root
from tools.cache.supervise import Program
from tools.launcher.progress import say

SCHEMES = ("http", "https")
TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nginx.conf")


def root() -> Root | None:
    """None where the machine's own nginx will do, else the root file system with one."""
    return None if programs.nginx_on_path() else programs.ensure_root(programs.NGINX_HINT)


def plan(
    options: Options,
    folder: Folder,
    root: Root | None,
    certificate: tuple[str, str] | None,
) -> list[Program]:
    """Writes the configuration; gives the programs to run."""
    values = door.values(folder, options.listen, certificate, options.readers is not None)
    values["max_entry"] = str(options.max_entry)
    config = template.write(TEMPLATE, values, folder, "nginx.conf")
    return [nginx_program(options, folder, root, config)]


def nginx_program(
    options: Options,
    folder: Folder,
    root: Root | None,
    config: str,
) -> Program:
    """The program nginx with a configuration file, in the root file system or the machine's own."""
    if root is None:
        command = [programs.nginx_on_path() or "nginx"]
    else:
        command = [*programs.sandbox(root, folder), "nginx"]
    command += ["-e", "stderr", "-p", folder.run, "-c", config]
    return Program(
        name="nginx",
        command=command,
        sandboxed=root is not None,
        owner=folder.owner if root is None else None,
        end=signal.SIGQUIT,
        is_ready=lambda: door.accepts(options.listen),
        hint=f"try the configuration: nginx -t -c {config}; is {options.listen} free?",
    )


def begin(folder: Folder) -> None:
    """Removes what a client must not believe; takes some time where the cache is large."""
    removed = entries.remove_broken(folder.data)
    if removed:
        say(f"tilewright: removed {removed} action results whose blobs were not whole")


def note_usage(folder: Folder, send: Callable[[signal.Signals], None]) -> None:
    """Marks what was used since the last call."""
    usage.apply(folder.root, folder.data, send)


def shrink(folder: Folder, most: int, age: float) -> clean.Outcome:
    """Removes what was not used for `age` seconds, and what is above `most` bytes."""
    return entries.shrink(folder.data, most, age)
