# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tools.lint import catalogue
from tools.lint.cli import main
from tools.lint.errors import TreeError, UnknownCheckError


def test_main_list_names_each_check_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [
        check.name for check in catalogue.checks(dict.fromkeys(catalogue.PROGRAMS, Path("x")))
    ]
    assert len(set(names)) == len(names)


def test_main_named_check_runs_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.py").write_text("")
    assert main(["check", "--root", str(tmp_path), "spdx"]) == 1
    assert "0 passed, 1 failed" in capsys.readouterr().out
    assert main(["check", "--root", str(tmp_path), "names"]) == 0


def test_main_unknown_check_names_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "spelling"]) == UnknownCheckError.exit_code
    assert "choose from: spdx, " in capsys.readouterr().err


def test_main_no_workspace_says_how_to_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BUILD_WORKSPACE_DIRECTORY", raising=False)
    assert main(["check", "spdx"]) == TreeError.exit_code
    assert "bazel run //tools/lint:check" in capsys.readouterr().err
