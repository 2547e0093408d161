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
