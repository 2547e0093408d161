# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The extension module as Python sees it."""

from __future__ import annotations

import os
import re
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from tools.wheel.elf.reader import read_elf

PROBE = os.environ["PROBE"]


def load() -> ModuleType:
    loader = ExtensionFileLoader("probe", str(Path(PROBE).resolve()))
    spec = spec_from_loader("probe", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_extension_function_returns_its_value() -> None:
    assert load().greeting("tile") == "hello, tile"


def test_extension_error_is_python_exception() -> None:
    with pytest.raises(ValueError, match="`name` is empty"):
        load().greeting("")


def test_extension_needed_has_no_libpython_and_no_cxx_runtime() -> None:
    content = Path(PROBE).read_bytes()
    assert not re.search(rb"libpython|libstdc\+\+|libc\+\+\.so", content)


def test_extension_exports_its_entry_and_nothing_of_the_runtime_linked_into_it() -> None:
    with Path(PROBE).open("rb") as stream:
        elf = read_elf(stream, "probe")
    assert elf is not None
    exports = {symbol.name for symbol in elf.exports}
    assert "PyInit_probe" in exports
    runtime = ("_Unwind_", "__cxa_", "__gxx_", "_Znw", "_Zdl", "__cxxabi")
    assert [name for name in exports if name.startswith(runtime)] == []
