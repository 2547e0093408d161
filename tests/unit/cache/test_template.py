# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Templates of configuration files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cache import template
from tools.cache.folder import Folder


def test_variables_are_filled_and_nothing_else_changes() -> None:
    text = 'listen @listen@; # $uri "@readers@" a@b.example'
    values = {"listen": "[::]:1", "readers": "x", "unused": "y"}
    assert template.render(text, values) == 'listen [::]:1; # $uri "x" a@b.example'


def test_variable_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        template.render("@nobody@", {})


def test_written_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "source").write_text("port @port@")
    path = template.write(
        str(tmp_path / "source"), {"port": "1"}, Folder(str(tmp_path)), "valkey.conf"
    )
    assert Path(path).read_text() == "port 1"
    assert Path(path).stat().st_mode & 0o777 == 0o600
