# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import doctest
import json
import pathlib

import pytest

import tilewright
from tests.support.child import run_python

HEAVY = {"numpy", "torch", "jax", "cupy", "ctypes", "dataclasses", "importlib.metadata", "json"}


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after `code` and did not before."""
    child = run_python(
        "-c",
        f"import sys; before = set(sys.modules)\n{code}\n"
        "print(' '.join(set(sys.modules) - before))",
    )
    assert child.returncode == 0, child.stderr
    return set(child.stdout.split())


def test_import_loads_no_array_library_and_no_extension() -> None:
    loaded = loaded_after("import tilewright")
    assert loaded & HEAVY == set()
    assert "tilewright._C" not in loaded
    assert "tilewright.tvm" not in loaded
    assert "tilewright.rms_norm" not in loaded
    assert "tilewright.ops.rms_norm" in loaded


def test_import_error_for_a_list_loads_no_array_library() -> None:
    loaded = loaded_after(
        "import tilewright\n"
        "try: tilewright.silu_and_mul([1.0])\n"
        "except tilewright.errors.InvalidArgumentError: pass"
    )
    assert loaded & HEAVY == set()


def test_import_public_names_exist() -> None:
    assert set(tilewright.__all__) <= set(dir(tilewright))
    for name in set(tilewright.__all__) - {"tvm"}:
        assert hasattr(tilewright, name), name


def test_import_example_in_the_docstring_is_true() -> None:
    assert doctest.testmod(tilewright) == doctest.TestResults(failed=0, attempted=3)


def test_import_unknown_attribute_raises_attribute_error_with_its_name() -> None:
    with pytest.raises(AttributeError, match="`no_such_operator`"):
        tilewright.no_such_operator  # noqa: B018


def test_import_version_is_that_of_the_version_file() -> None:
    version_file = pathlib.Path(__file__).parents[2] / "VERSION"
    assert tilewright.__version__ == version_file.read_text().strip()


def test_import_version_equals_that_of_the_metadata() -> None:
    child = run_python("-m", "tilewright", "doctor", "--json")
    versions = json.loads(child.stdout)["versions"]
    assert versions["tilewright"] == tilewright.__version__
    assert versions["metadata"] in (None, tilewright.__version__)
