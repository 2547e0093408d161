# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Array libraries that a test wants and a machine may lack."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

__all__ = ["import_or_none", "requires"]


def import_or_none(name: str) -> Any:
    """The module, or None where it is not installed. Its tests must then be skipped."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        return None
    return importlib.import_module(name)


def requires(module: Any, name: str) -> pytest.MarkDecorator:
    """The `pytestmark` of a file whose tests need `module`, as `import_or_none` gave it.

    Unlike `pytest.importorskip` in a file's head this leaves its tests to be seen, as skipped.
    """
    return pytest.mark.skipif(module is None, reason=f"{name} is not installed")
