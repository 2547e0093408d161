# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Asks one interpreter what it is and judges whether extension modules can be built for it."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from collections.abc import Mapping
from typing import Any, NamedTuple

MINIMUM = (3, 10)
TIMEOUT_S = 30
LONGEST_PATH = 200
"""A longer path may not fit on a `#!` line: Linux cuts it after 255 bytes."""

QUESTIONS = """
import importlib, json, platform, sys, sysconfig
failed = {}
for name in ("ctypes", "hashlib", "zlib"):
    try:
        importlib.import_module(name)
    except ImportError as error:
        failed[name] = str(error)
get = sysconfig.get_config_var
print(json.dumps({
    "implementation": sys.implementation.name,
    "version": list(sys.version_info[:3]),
    "full_version": platform.python_version(),
    "machine": platform.machine(),
    "bits": sys.maxsize.bit_length() + 1,
    "debug": bool(get("Py_DEBUG")),
    "free_threaded": bool(get("Py_GIL_DISABLED")),
    "soabi": get("SOABI"),
    "ext_suffix": get("EXT_SUFFIX"),
    "include": sysconfig.get_paths()["include"],
    "multiarch": get("MULTIARCH"),
    "executable": getattr(sys, "_base_executable", None) or sys.executable,
    "failed_modules": failed,
}))
"""


class RejectedError(Exception):
    """An interpreter that cannot be used; the text says why."""


class Interpreter(NamedTuple):
    """A usable interpreter.

    Attributes:
        version: `3.12`, or `3.13t` for a free-threaded build.
        full_version: `3.12.1`.
        path: absolute path of the interpreter itself, behind shims and virtual environments.
        python_tag: `cp312`.
        abi_tag: `cp312`, or `cp313t`.
        ext_suffix: file name ending of an extension module, `.cpython-312-x86_64-linux-gnu.so`.
        include: folder that holds Python.h.
        arch_include: folder of the architecture's own pyconfig.h where the distribution splits it
            off, or "".
    """

    version: str
    full_version: str
    path: str
    python_tag: str
    abi_tag: str
    ext_suffix: str
    include: str
    arch_include: str


def ask(path: str, environ: Mapping[str, str], directory: str) -> dict[str, Any]:
    """Runs the interpreter.

    Args:
        path: the interpreter, or a shim that starts one.
        environ: the caller's environment; its PATH, HOME and pyenv's variables reach a shim.
        directory: folder to run in: pyenv looks for `.python-version` there.

    Raises:
        RejectedError: it does not run.
    """
    search = f"{environ.get('TILEWRIGHT_HOST_PATH', '')}:{environ.get('PATH', '')}".strip(":")
    env = {
        name: value
        for name, value in environ.items()
        if name == "HOME" or name.startswith("PYENV_")
    }
    try:
        result = subprocess.run(
            [path, "-I", "-S", "-c", QUESTIONS],
            env={**env, "PATH": search},
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RejectedError(f"does not run: {error}") from None
    if result.returncode:
        lines = (result.stderr.strip() or f"exit code {result.returncode}").splitlines()
        raise RejectedError(f"does not run: {lines[-1]}")
    try:
        answers: dict[str, Any] = json.loads(result.stdout)
    except ValueError:
        raise RejectedError("does not run: it answers with something else than asked") from None
    return answers


def header_folders(answers: Mapping[str, Any]) -> tuple[str, str]:
    """Finds the headers that belong to the interpreter.

    Returns:
        The folder of Python.h, and the folder of the architecture's pyconfig.h or "".

    Raises:
        RejectedError: they are absent, incomplete, or another version's.
    """
    include = pathlib.Path(answers["include"])
    missing = f"no headers: `{include}/Python.h` is absent (Debian: package `python3-dev`)"
    if not (include / "Python.h").is_file() or not (include / "patchlevel.h").is_file():
        raise RejectedError(missing)
    match = re.search(r'PY_VERSION\s+"(\d+)\.(\d+)', (include / "patchlevel.h").read_text())
    if match is None or [int(number) for number in match.groups()] != answers["version"][:2]:
        raise RejectedError(f"the headers in `{include}` are another version's")
    config = include / "pyconfig.h"
    if not config.is_file():
        raise RejectedError(f"incomplete headers: `{config}` is absent")
    multiarch = answers["multiarch"] or ""
    if multiarch and f"<{multiarch}/" in config.read_text():
        arch_include = include.parent / multiarch / include.name
        if not (arch_include / "pyconfig.h").is_file():
            raise RejectedError(f"incomplete headers: `{arch_include}/pyconfig.h` is absent")
        return str(include), str(arch_include)
    return str(include), ""


def judge(answers: Mapping[str, Any]) -> Interpreter:
    """Decides whether the interpreter that gave `answers` can be used.

    Raises:
        RejectedError: it cannot.
    """
    major, minor = answers["version"][:2]
    if answers["implementation"] != "cpython":
        raise RejectedError(f"is {answers['implementation']}, not CPython")
    if (major, minor) < MINIMUM:
        raise RejectedError(f"is {answers['full_version']}, older than {MINIMUM[0]}.{MINIMUM[1]}")
    if answers["machine"] != "x86_64" or answers["bits"] != 64:
        raise RejectedError(f"is for {answers['machine']} with {answers['bits']} bits, not x86-64")
    free_threaded = "t" if answers["free_threaded"] else ""
    soabi = answers["soabi"] or ""
    if answers["debug"]:
        raise RejectedError("is a debug build, whose extension modules no other CPython loads")
    if soabi != f"cpython-{major}{minor}{free_threaded}-x86_64-linux-gnu":
        raise RejectedError(f"has the ABI `{soabi}`, not a release build's for glibc")
    for name, reason in answers["failed_modules"].items():
        raise RejectedError(f"cannot import `{name}`: {reason}")
    path = answers["executable"]
    if not os.path.isabs(path) or len(path) > LONGEST_PATH or re.search(r"\s", path):
        raise RejectedError(f"has the path `{path}`, which cannot stand on a `#!` line")
    include, arch_include = header_folders(answers)
    return Interpreter(
        version=f"{major}.{minor}{free_threaded}",
        full_version=answers["full_version"],
        path=path,
        python_tag=f"cp{major}{minor}",
        abi_tag=f"cp{major}{minor}{free_threaded}",
        ext_suffix=answers["ext_suffix"],
        include=include,
        arch_include=arch_include,
    )


def inspect(path: str, environ: Mapping[str, str], directory: str) -> Interpreter:
    """Asks and judges; see `ask` and `judge`.

    Raises:
        RejectedError: the interpreter cannot be used.
    """
    return judge(ask(path, environ, directory))
