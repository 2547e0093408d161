# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Looks up the CPython interpreters of this machine and prints what it found as JSON.

usage: discover.py TOOL_INTERPRETER WORKSPACE

An interpreter counts when it runs here, is a release build of CPython 3.10 or newer for x86-64 and
glibc, and has its headers. Of several with one version the first counts, in this order: the
caller's `python3`, the other folders of the caller's PATH, pyenv, uv, the host's /usr (mounted as
/host/usr inside the launcher's root file system), this file system's own /usr.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4]))

from tools.toolchains.python.discovery.inspection import (
    Interpreter,
    RejectedError,
    inspect,
)

MINORS = range(10, 20)
HOST_USR = pathlib.Path("/host/usr")
SYSTEM_FOLDERS = ("/usr/local/bin", "/usr/bin")


class Surroundings(NamedTuple):
    """Where to look.

    Attributes:
        path: folders of the caller's PATH, as they are seen from here.
        homes: folders of interpreter installations, `<home>/*/bin/python3.*`.
        system: folders of distribution interpreters, the host's before this file system's own.
        tool: the interpreter that build actions run on.
        watch: files whose change calls for a new look, beside the candidates.
    """

    path: tuple[str, ...]
    homes: tuple[str, ...]
    system: tuple[str, ...]
    tool: str
    watch: tuple[str, ...]


class Candidate(NamedTuple):
    """A path to try; `default` marks the caller's own `python3`."""

    path: str
    default: bool = False


def seen_from_here(folder: str, host_usr: pathlib.Path = HOST_USR) -> str:
    """Translates a folder of the host's PATH: a root file system has the host's /usr elsewhere."""
    if not host_usr.is_dir():
        return folder
    if folder in ("/bin", "/sbin"):
        folder = "/usr" + folder
    if folder == "/usr" or folder.startswith("/usr/"):
        return str(host_usr) + folder[len("/usr") :]
    return folder


def surroundings(environ: Mapping[str, str], tool: str, workspace: str) -> Surroundings:
    """Plans where to look, from the environment alone."""
    host_path = environ.get("TILEWRIGHT_HOST_PATH") or environ.get("PATH", "")
    path = [seen_from_here(folder) for folder in host_path.split(":") if folder.startswith("/")]
    home = environ.get("HOME", "/nonexistent")
    pyenv = list(dict.fromkeys([environ.get("PYENV_ROOT") or f"{home}/.pyenv", f"{home}/.pyenv"]))
    uv = environ.get("UV_PYTHON_INSTALL_DIR") or f"{home}/.local/share/uv/python"
    system = [*(seen_from_here(folder) for folder in SYSTEM_FOLDERS), *SYSTEM_FOLDERS]
    homes = [*(f"{root}/versions" for root in pyenv), uv]
    # What appears, or changes, when pyenv or uv get another minor or another default: Bazel can
    # watch files, but a watched listing of a folder would fail for good once the folder is removed.
    watch = [f"{workspace}/.python-version", *(f"{root}/version" for root in pyenv), *homes]
    for minor in MINORS:
        watch += [f"{root}/shims/python3.{minor}" for root in pyenv]
        watch += [f"{uv}/cpython-3.{minor}-linux-x86_64-gnu"]
    return Surroundings(
        path=tuple(dict.fromkeys(path)),
        homes=tuple(homes),
        system=tuple(dict.fromkeys(system)),
        tool=tool,
        watch=tuple(watch),
    )


def version_key(name: str) -> tuple[tuple[int, ...], bool]:
    """Sort key of a version, or of a folder named after one; a free-threaded build counts less."""
    return tuple(int(number) for number in re.findall(r"\d+", name)[:3]), not name.endswith("t")


def candidates(where: Surroundings) -> Iterator[Candidate]:
    """Lists the paths to try, in order of preference; they need not exist."""
    for folder in where.path:
        yield Candidate(f"{folder}/python3", default=True)
    for folder in where.path:
        if os.path.realpath(folder) not in where.system:
            yield from (Candidate(f"{folder}/python3.{minor}") for minor in MINORS)
    for home in where.homes:
        entries = os.listdir(home) if os.access(home, os.R_OK) and os.path.isdir(home) else []
        for entry in sorted(entries, key=version_key, reverse=True):
            for path in sorted(pathlib.Path(home, entry, "bin").glob("python3.*")):
                if re.fullmatch(r"python3\.\d+t?", path.name):
                    yield Candidate(str(path))
    for folder in where.system:
        yield from (Candidate(f"{folder}/python3.{minor}") for minor in MINORS)
    yield Candidate(where.tool)


def is_script(path: str) -> bool:
    """Whether `path` is a shim (pyenv's, asdf's) rather than an interpreter."""
    try:
        with open(path, "rb") as stream:
            return stream.read(2) == b"#!"
    except PermissionError:
        return False  # what can be run and not read is a program: the kernel reads no script for us


def look(where: Surroundings, environ: Mapping[str, str], workspace: str) -> dict[str, Any]:
    """Tries every candidate.

    Returns:
        `default` (version or None), `default_reason`, `tool` (fields of `Interpreter` or None),
        `found` (from version to the same), `rejected` (from path to reason), `watch`.
    """
    found: dict[str, Interpreter] = {}
    known: dict[str, Interpreter] = {}
    rejected: dict[str, str] = {}
    default: str | None = None
    default_reason = "no usable `python3` on the caller's PATH"
    watch = list(where.watch)
    for candidate in candidates(where):
        path = candidate.path
        watch.append(path)
        usable = os.path.isfile(path) and os.access(path, os.X_OK)
        if not usable or (candidate.default and default):
            continue
        real = os.path.realpath(path)
        if is_script(path):
            if not candidate.default:
                continue
        elif real in known or real in rejected:
            if candidate.default and real in known:
                default, default_reason = known[real].version, f"`{path}` is the caller's `python3`"
            continue
        try:
            interpreter = inspect(path, environ, workspace)
        except RejectedError as error:
            rejected.setdefault(real, str(error))
            if candidate.default:
                default_reason = f"the caller's `{path}` was passed over: {error}"
            continue
        known[real] = known[os.path.realpath(interpreter.path)] = interpreter
        found.setdefault(interpreter.version, interpreter)
        if candidate.default:
            default, default_reason = interpreter.version, f"`{path}` is the caller's `python3`"
    tool = known.get(os.path.realpath(where.tool))
    if default is None and found:
        default = tool.version if tool else max(found, key=version_key)
    return {
        "default": default,
        "default_reason": default_reason,
        "tool": tool._asdict() if tool else None,
        "found": {version: found[version]._asdict() for version in sorted(found, key=version_key)},
        "rejected": dict(sorted(rejected.items())),
        "watch": list(dict.fromkeys(watch)),
    }


def main(tool: str, workspace: str) -> None:
    """Prints the JSON.

    Args:
        tool: the interpreter that build actions run on.
        workspace: folder of the workspace, where pyenv looks for `.python-version`.
    """
    where = surroundings(os.environ, tool, workspace)
    json.dump(look(where, os.environ, workspace), sys.stdout, indent=2)


if __name__ == "__main__":
    main(*sys.argv[1:])
