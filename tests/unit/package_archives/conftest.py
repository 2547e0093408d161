# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The scripts of another module, by the paths that the BUILD file gives."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

START = Path.cwd()
CHECKOUT = Path(__file__).parents[3] / "third_party/package_archives/private"


def load(name: str) -> ModuleType:
    given = os.environ.get(name.upper())
    path = START / given if given else CHECKOUT / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def fetch_debs() -> ModuleType:
    return load("fetch_debs")


@pytest.fixture
def fetch_sdist() -> ModuleType:
    return load("fetch_sdist")


@pytest.fixture
def lay_out() -> ModuleType:
    return load("lay_out")
