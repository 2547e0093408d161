# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Loading of the extension module ``tilewright._C``, on first use.

Not at import time, so that ``import tilewright`` is cheap and ``python -m tilewright doctor`` can
explain an installation that is broken.
"""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import os
import sys
from typing import TYPE_CHECKING, Any

from tilewright._version import __version__
from tilewright.errors import LibraryNotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

__all__ = ["PACKAGE_DIRECTORY", "REINSTALL", "cuda_search_path", "extension", "extension_file"]

PACKAGE_DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOST_LIBRARY = os.path.join(PACKAGE_DIRECTORY, "lib", "libtilewright.so")
REINSTALL = f"pip install --force-reinstall --no-deps tilewright=={__version__}"


@functools.cache
def extension() -> ModuleType:
    """The extension module, told its release and where packages, libcudart's among them, may be.

    Raises:
        LibraryNotFoundError: it, or a library that it needs, is missing or does not load, or this
            is a subinterpreter.
    """
    if _in_subinterpreter():
        raise LibraryNotFoundError(
            "tilewright: the extension module cannot be loaded in a subinterpreter\n"
            "hint: call tilewright in the main interpreter, or in a process of its own",
            name="tilewright._C",
        )
    try:
        module = importlib.import_module("tilewright._C")
    except ImportError as error:
        raise LibraryNotFoundError(_explain(error), name="tilewright._C") from error
    module.set_release(__version__)
    module.cuda_set_search_path([os.fsencode(entry) for entry in cuda_search_path(sys.path)])
    return module


def _in_subinterpreter() -> bool:
    """Whether this is not the interpreter that the process began with; pybind11 needs that one."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        interpreters: Any = importlib.import_module(name)
    except ImportError:  # a Python that cannot make any
        return False
    return bool(interpreters.get_current() != interpreters.get_main())


def extension_file() -> str:
    """The extension module's path; where it would be under its usual name, if it is missing."""
    paths = [
        os.path.join(PACKAGE_DIRECTORY, f"_C{suffix}")
        for suffix in importlib.machinery.EXTENSION_SUFFIXES
    ]
    return next((path for path in paths if os.path.isfile(path)), paths[0])


def cuda_search_path(path: Sequence[object]) -> list[str]:
    """The directories of `path` below which pip may have installed libcudart.

    The standard library's own directories, archives and the current directory are left out: the
    last, which `python -m` puts first, is no place to load libraries from. So is what is no string,
    which imports disregard too.
    """
    standard = os.path.dirname(os.path.abspath(os.__file__))
    not_pips = (standard, os.path.join(standard, "lib-dynload"))
    directories = [
        os.path.abspath(entry)
        for entry in path
        if isinstance(entry, str)
        and os.path.isdir(entry)
        and not os.path.samefile(entry, os.curdir)
    ]
    return [entry for entry in dict.fromkeys(directories) if entry not in not_pips]


def _explain(error: ImportError) -> str:
    """What is missing, where it was looked for, and what to do."""
    path = extension_file()
    if not os.path.isdir(PACKAGE_DIRECTORY):
        return (
            "tilewright: the package is in an archive, which cannot hold shared libraries that "
            f"load\nlooked for: {path}\n"
            "hint: unpack the archive and put the folder on the path, or install the wheel with pip"
        )
    if not os.path.isfile(path):
        others = sorted(
            name
            for name in os.listdir(PACKAGE_DIRECTORY)
            if name.startswith("_C.") and name.endswith(".so")
        )
        found = "".join(f"; `{name}` is for another Python" for name in others)
        return (
            f"tilewright: the extension module `{os.path.basename(path)}` is missing{found}\n"
            f"looked for: {path}\n"
            f"hint: reinstall with this Python, {sys.executable}: {REINSTALL}"
        )
    if not os.path.isfile(HOST_LIBRARY):
        return (
            f"tilewright: the library `libtilewright.so` is missing: {error}\n"
            f"looked for: {HOST_LIBRARY}\n"
            f"hint: reinstall: {REINSTALL}"
        )
    return (
        f"tilewright: the extension module or `libtilewright.so` cannot be loaded: {error}\n"
        f"tried: {path}, {HOST_LIBRARY}\n"
        f"hint: reinstall: {REINSTALL}"
    )
