# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.toolchains.python.discovery import listing


@pytest.fixture
def pythons() -> dict[str, Any]:
    fields = {"full_version": "3.12.1", "abi_tag": "cp312", "path": "/opt/bin/python3.12"}
    return {
        "default": "3.12",
        "default_reason": "`/opt/bin/python3` is the caller's `python3`",
        "found": {"3.12": fields, "3.13t": {**fields, "abi_tag": "cp313t"}},
        "rejected": {"/usr/bin/python3.11": "no headers"},
    }


def test_render_with_interpreters_marks_the_default_and_tells_what_was_passed_over(
    pythons: dict[str, Any],
) -> None:
    lines = listing.render(pythons).splitlines()
    assert "  3.12   3.12.1   cp312  /opt/bin/python3.12  <- default" in lines
    assert "  3.13t  3.12.1   cp313t /opt/bin/python3.12" in lines
    assert "  /usr/bin/python3.11: no headers" in lines
    assert "default: `/opt/bin/python3` is the caller's `python3`" in lines


def test_render_with_nothing_found_gives_a_hint(pythons: dict[str, Any]) -> None:
    pythons.update(found={}, default=None)
    assert "hint: install a CPython" in listing.render(pythons)


def test_render_without_a_terminal_has_no_codes(pythons: dict[str, Any]) -> None:
    assert "\033" not in listing.render(pythons)
    assert "\033[1m" in listing.render(pythons, color=True)


def test_main_with_json_prints_the_facts(
    pythons: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pythons.json"
    file.write_text(json.dumps(pythons))
    listing.main([str(file), "--json"])
    assert json.loads(capsys.readouterr().out) == pythons
