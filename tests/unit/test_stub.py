# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The stub of the extension module says what the module has."""

from __future__ import annotations

import pathlib

from tests.support.child import run_python
from tests.support.optional import import_or_none, requires

pytestmark = requires(import_or_none("mypy"), "mypy")

# What pybind11 gives every class: a metaclass, and a constructor that raises where there is none.
ALLOWED = r"""
tilewright\._C\.(Tensor|Tvm\w+)
tilewright\._C\.(Tensor|Tvm\w+)\.__init__
"""


def test_stub_agrees_with_the_extension_module(tmp_path: pathlib.Path) -> None:
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\ncache_dir = {tmp_path / 'cache'}\n")
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED)
    child = run_python(
        "-m",
        "mypy.stubtest",
        "--mypy-config-file",
        str(config),
        "--allowlist",
        str(allowed),
        "--ignore-unused-allowlist",
        "--ignore-disjoint-bases",
        "tilewright._C",
        environment={"MYPYPATH": ""},
    )
    assert child.returncode == 0, child.stdout + child.stderr
