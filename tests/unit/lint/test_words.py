# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.words import find

ROOT_PATH = "/root/.cache/x"
HOME_PATH = "/home/someone/x"
# Put together here, so that this file passes the check.
WORK_PATH = "/wo" + "rk/x"
REGISTRY = "py" + "pi.org"
MIRROR = "deb" + ".debian.org"
MARKER = "TO" + "DO"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"see {ROOT_PATH}", "a path of one person"),
        (f'"{HOME_PATH}"', "a path of one person"),
        (f"in {WORK_PATH}", "a path of one machine"),
        (f"https://{REGISTRY}/simple", "the host name of a package registry"),
        (f"files.{REGISTRY}", "the host name of a package registry"),
        (f"http://{MIRROR}/debian", "the host name of a package registry"),
        (f"# {MARKER}: later", "a marker of unfinished work"),
        ("<<<<" + "<<< HEAD", "a merge conflict marker"),
    ],
)
def test_find_forbidden_text_is_found(make_tree: MakeTree, text: str, kind: str) -> None:
    (problem,) = find(make_tree({"x.md": f"first\n{text}\n"}))
    assert problem.line == 2
    assert kind in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "the root/.cache folder of a home/user",
        "$HOME/work/x and ~/work/x and a/work/x",
        "/host/usr/bin, /homepage, /workspace/x",
        "from PyPI and Debian",
        "a table of TODOS",
        "=======x",
    ],
)
def test_find_harmless_text_finds_nothing(make_tree: MakeTree, text: str) -> None:
    assert list(find(make_tree({"x.md": text + "\n"}))) == []


def test_find_home_path_in_test_finds_nothing(make_tree: MakeTree) -> None:
    tree = make_tree(
        {"tests/unit/test_x.py": f"A = '{HOME_PATH}'\n", "x.py": f"A = '{HOME_PATH}'\n"}
    )
    assert [problem.path for problem in find(tree)] == ["x.py"]
