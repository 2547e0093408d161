# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`docs/how-to/remote-cache.md` against the programs and variables that it explains."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import tools.launcher
from tools.cache import cli
from tools.launcher import remote_cache

REPOSITORY = Path(tools.launcher.__file__).parents[2]
GUIDE = (REPOSITORY / "docs/how-to/remote-cache.md").read_text()
# What stands in code blocks, lines that end in a backslash put together.
BLOCKS = re.sub(r"\\\n\s+", "", "\n".join(re.findall(r"^    (.*)$", GUIDE, re.MULTILINE)))
SERVE = re.findall(r"^(?:ExecStart=/\S+|\.)/tools/cache/serve (.*)$", BLOCKS, re.MULTILINE)


def test_guide_shows_how_to_make_passwords_serve_and_clean() -> None:
    kinds = [command.split()[0] for command in SERVE]
    assert kinds == ["htpasswd", "htpasswd", "nginx", "nginx", "clean"]


@pytest.mark.parametrize("command", SERVE)
def test_guide_command_is_one_that_serve_takes(command: str) -> None:
    cli.parser().parse_args(shlex.split(command))


def test_guide_unit_starts_the_server_of_the_first_section() -> None:
    by_hand, by_systemd = (command for command in SERVE if command.startswith("nginx "))
    assert by_hand == by_systemd


def test_guide_explains_each_option_of_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.parser().parse_args(["nginx", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    table = GUIDE[GUIDE.index("### Options") : GUIDE.index("### Under systemd")]
    rows = "".join(re.findall(r"^\| (`--.*?) \|", table, re.MULTILINE))
    assert set(re.findall(r"--[a-z-]+", rows)) == options


def test_guide_explains_each_variable_of_a_cache() -> None:
    rows = "".join(re.findall(r"^\| (`TILEWRIGHT_.*?) \|", GUIDE, re.MULTILINE))
    explained = set(re.findall(r"TILEWRIGHT_REMOTE_[A-Z_]+", rows))
    read = {remote_cache.ADDRESS, remote_cache.UPLOAD, remote_cache.COMPRESSION}
    assert explained == {*read, *remote_cache.FILES}
