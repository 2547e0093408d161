# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pathlib

import pytest

from tools.reference.audit_checks import BEHAVIOURS, CHECKS, page
from tools.reference.errors import SourceError

STACK = '''
@check(
    "stack",
    exit_code=70,
    behaviours=(12,),
    hint=_HINT + "more",
)
def stack(wheel, settings):
    """No stack is executable."""


def helper():
    pass
'''
SIZE = '''
@check("size", exit_code=60, behaviours=(12, 34), severity=Severity.WARNING, hint="x")
def size(wheel, settings):
    """It is small."""
'''


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """A source tree with two checks and three behaviours."""
    (tmp_path / CHECKS).mkdir(parents=True)
    (tmp_path / CHECKS / "elf.py").write_text(STACK)
    (tmp_path / CHECKS / "archive.py").write_text(SIZE)
    (tmp_path / BEHAVIOURS).write_text(
        'BEHAVIOURS = {12: "no stack", 30: "bytes", 34: "size"}\nELSEWHERE = {30: "repair (41)"}\n'
    )
    return tmp_path


def test_audit_checks_are_listed_by_exit_code(root: pathlib.Path) -> None:
    assert (
        "| 60 | `size` | warning | It is small. |\n"
        "| 70 | `stack` | error | No stack is executable. |\n"
    ) in page(root)


def test_audit_checks_behaviours_name_their_checks(root: pathlib.Path) -> None:
    assert (
        "| 12 | no stack | `size` (60), `stack` (70) |  |\n"
        "| 30 | bytes |  | repair (41) |\n"
        "| 34 | size | `size` (60) |  |\n"
    ) in page(root)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('@check("a", exit_code=1, behaviours=(1,))\ndef a(): pass\n', "`a` has no docstring"),
        ('@check(NAME, exit_code=1, behaviours=(1,))\ndef a(): "x."\n', "must be literals"),
        ('@check("a", behaviours=(1,))\ndef a(): "x."\n', "must be literals"),
    ],
)
def test_audit_checks_that_cannot_be_read_are_named(
    root: pathlib.Path, source: str, message: str
) -> None:
    (root / CHECKS / "bad.py").write_text(source)
    with pytest.raises(SourceError, match=f"`{CHECKS}/bad.py`: .*{message}"):
        page(root)


def test_audit_checks_behaviour_that_nothing_holds_to_is_named(root: pathlib.Path) -> None:
    (root / BEHAVIOURS).write_text('BEHAVIOURS = {12: "no stack", 31: "zip"}\nELSEWHERE = {}\n')
    with pytest.raises(SourceError, match=f"`{BEHAVIOURS}`: nothing holds to behaviour 31"):
        page(root)
