# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Stand-ins play the outside programs; that the real ones work is seen by running lint itself."""

import sys
import types
from pathlib import Path

import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.errors import ProgramError
from tools.lint.programs import buildifier, clang_format, mypy, ruff
from tools.lint.programs.program import FIX_HINT, Program


def _stand_in(folder: Path, name: str, body: str) -> Program:
    path = folder / "programs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return Program(name, path)


def test_buildifier_report_becomes_problems(make_tree: MakeTree, tmp_path: Path) -> None:
    report = (
        '{"files": ['
        '{"filename": "BUILD", "formatted": false, "valid": true, "warnings": null},'
        '{"filename": "a.bzl", "formatted": true, "valid": true, "warnings": ['
        '{"start": {"line": 3}, "category": "load", "message": "unused", "url": "https://x"}]}]}'
    )
    program = _stand_in(tmp_path, "buildifier", f"echo '{report}'; exit 4\n")
    tree = make_tree({"BUILD": "x", "a.bzl": "y"})
    first, second = buildifier.check(program).find(tree)
    assert (first.path, first.message, first.hint) == ("BUILD", "is not formatted", FIX_HINT)
    assert (second.path, second.line, second.message) == ("a.bzl", 3, "unused (load)")


def test_clang_format_report_becomes_problems(make_tree: MakeTree, tmp_path: Path) -> None:
    report = "a.cc:7:1: error: code should be clang-formatted [-Wclang-format-violations]"
    program = _stand_in(
        tmp_path, "clang-format", f"echo '{report}' >&2; echo 'int x;' >&2; exit 1\n"
    )
    (problem,) = clang_format.check(program).find(make_tree({"a.cc": ""}))
    assert (problem.path, problem.line, problem.hint) == ("a.cc", 7, FIX_HINT)


def test_ruff_reports_become_problems(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": ""})
    finding = (
        f'[{{"filename": "{tree.root}/a.py", "location": {{"row": 2}}, "code": "F401",'
        ' "message": "unused import", "fix": {"applicability": "safe"}}]'
    )
    body = (
        f"case $1 in check) echo '{finding}' ;; *) echo 'a.py:1:1: unformatted'; exit 1 ;; esac\n"
    )
    first, second = ruff.check(_stand_in(tmp_path, "ruff", body)).find(tree)
    assert (first.path, first.line, first.message) == ("a.py", 2, "unused import (F401)")
    assert (second.path, second.message) == ("a.py", "is not formatted")


def test_buildifier_that_ends_without_a_report_raises(make_tree: MakeTree, tmp_path: Path) -> None:
    program = _stand_in(tmp_path, "buildifier", "echo 'cannot read BUILD' >&2; exit 3\n")
    with pytest.raises(ProgramError, match=r"(?s)exit code 3.*cannot read BUILD"):
        list(buildifier.check(program).find(make_tree({"BUILD": ""})))


def _mypy_that_answers(monkeypatch: pytest.MonkeyPatch, output: str, code: int) -> None:
    api = types.SimpleNamespace(run=lambda arguments: (output, "", code))
    monkeypatch.setitem(sys.modules, "mypy", types.SimpleNamespace(api=api))


def test_mypy_report_becomes_problems(make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    _mypy_that_answers(monkeypatch, "a.py:3: error: odd  [misc]\na.py:3: note: so\n", 1)
    (problem,) = mypy.find(make_tree({"a.py": ""}))
    assert (problem.path, problem.line, problem.message) == ("a.py", 3, "odd  [misc]")


@pytest.mark.parametrize(("output", "code"), [("a.py: error: odd", 1), ("", 1), ("usage", 2)])
def test_mypy_that_fails_without_a_finding_raises(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch, output: str, code: int
) -> None:
    _mypy_that_answers(monkeypatch, output, code)
    with pytest.raises(ProgramError, match=f"mypy failed\n{output}"):
        list(mypy.find(make_tree({"a.py": ""})))


def test_find_no_file_of_the_kind_starts_no_program(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"README.md": ""})
    absent = Program("absent", tmp_path / "absent")
    for make in (buildifier.check, clang_format.check, ruff.check):
        assert list(make(absent).find(tree)) == []


def test_run_missing_program_raises(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="cannot start `absent`"):
        Program("absent", tmp_path / "absent").run([], folder=tmp_path)


def test_run_unexpected_exit_code_raises_with_output(tmp_path: Path) -> None:
    program = _stand_in(tmp_path, "broken", "echo out; echo complaint >&2; exit 9\n")
    with pytest.raises(ProgramError, match=r"(?s)exit code 9.*out.*complaint"):
        program.run([], folder=tmp_path, accepted=(0, 1))
