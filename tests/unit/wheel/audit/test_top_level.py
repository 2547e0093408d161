# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.unit.wheel.audit.tiny_facts import wheel_facts
from tools.wheel.audit.check import Problem
from tools.wheel.audit.checks.top_level import generic, top_level, undeclared
from tools.wheel.audit.settings import Settings

PATHS = [
    "pkg/__init__.py",
    "pkg/tools/x.py",
    "pkg.libs/libgomp-12345678.so.1",
    "_pkg_C.cpython-312-x86_64-linux-gnu.so",
    "pkg-1.0.data/purelib/pkg_tests/a.py",
    "pkg-1.0.data/scripts/tests/run",
]
GENERIC = "at the top of site-packages under a name that is nobody's"


def test_top_level_is_what_lands_beside_other_packages() -> None:
    assert top_level(wheel_facts(paths=PATHS)) == {"_pkg_C": 1, "pkg": 2, "pkg_tests": 1}


def test_generic_names_below_a_package_or_in_other_schemes_pass() -> None:
    assert list(generic.find(wheel_facts(paths=PATHS), Settings())) == []


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        (["tools/a.py", "tools/b.py"], Problem("tools", f"2 files {GENERIC}")),
        (["build_utils.py"], Problem("build_utils", f"1 file {GENERIC}")),
        (["pkg-1.0.data/platlib/tests/a.py"], Problem("tests", f"1 file {GENERIC}")),
    ],
)
def test_generic_names_of_a_repository_are_found(paths: list[str], problem: Problem) -> None:
    assert list(generic.find(wheel_facts(paths=[*PATHS, *paths]), Settings())) == [problem]


def test_generic_names_that_are_declared_pass() -> None:
    settings = Settings(top_level=("tools",))
    assert list(generic.find(wheel_facts(paths=["tools/a.py"]), settings)) == []


def test_undeclared_and_absent_names_are_found() -> None:
    settings = Settings(top_level=("pkg", "pkg_tests", "lost"))
    assert list(undeclared.find(wheel_facts(paths=PATHS), settings)) == [
        Problem("_pkg_C", "is installed at the top; declared is `pkg`, `pkg_tests`, `lost`"),
        Problem("lost", "is declared in `top-level`, and not in the wheel"),
    ]


def test_undeclared_without_a_declaration_passes() -> None:
    assert list(undeclared.find(wheel_facts(paths=PATHS), Settings())) == []
