# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tools.reference.errors import SourceError
from tools.reference.model import Item, Section
from tools.reference.starlark import entries

RULE = """
load(":attrs.bzl", "MORE")
load(":limits.bzl", "LIMIT")

def _impl(ctx):
    pass

thing = rule(
    implementation = _impl,
    doc = "Makes a " + "thing.",
    attrs = MORE | {
        "srcs": attr.label_list(mandatory = True, doc = "Files."),
        "size": attr.int(default = 3, doc = "How large."),
        "_tool": attr.label(default = "//x"),
    },
)
"""
ATTRS = 'MORE = {"extra": attr.string(doc = "What else.")}\n'
MACRO = '''
def wrap(name, srcs = [], **kwargs):
    """Wraps.

    Args:
      name: the name.
    """
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in {
        "MODULE.bazel": "",
        "t/defs.bzl": '"""Entry."""\n'
        'load("//t/private:rule.bzl", _thing = "thing")\n'
        'load("//t/private:macro.bzl", _wrap = "wrap")\n'
        "thing = _thing\nwrap = _wrap\nKINDS = [1, 2]\n",
        "t/private/rule.bzl": RULE,
        "t/private/attrs.bzl": ATTRS,
        "t/private/macro.bzl": MACRO,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_entries_rule_has_attributes_of_all_tables_and_no_private_one(root: Path) -> None:
    text, found = entries(root, Path("t/defs.bzl"))
    thing = {entry.name: entry for entry in found}["thing"]
    assert text == "Entry."
    assert (thing.kind, thing.text) == ("rule", "Makes a thing.")
    assert thing.sections == (
        Section(
            "Attributes",
            (
                Item("extra", "What else.", "string"),
                Item("size", "How large.", "int, default `3`"),
                Item("srcs", "Files.", "label list, mandatory"),
            ),
        ),
    )


def test_entries_macro_and_constant_have_signatures(root: Path) -> None:
    found = {entry.name: entry for entry in entries(root, Path("t/defs.bzl"))[1]}
    assert found["wrap"].signature == "wrap(name, srcs=[], **kwargs)"
    assert found["wrap"].sections == (Section("Args", (Item("name", "the name."),)),)
    assert found["KINDS"].signature == "KINDS = [1, 2]"


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        ("rule", 'doc = "Files."', "", "attribute `srcs` of `thing` has no `doc`"),
        ("rule", 'doc = "Makes a " + "thing.",', "", "`thing` has no `doc`"),
        ("rule", "MORE |", "dict(a) |", "cannot read the table `dict(a)`"),
        ("macro", '"""Wraps.', '"""', "`wrap` has no docstring"),
    ],
)
def test_entries_undocumented_symbol_raises(
    root: Path, file: str, before: str, after: str, message: str
) -> None:
    path = root / f"t/private/{file}.bzl"
    text = path.read_text()
    assert before in text
    if file == "macro":
        path.write_text("def wrap(name):\n    return name\n")
    else:
        path.write_text(text.replace(before, after))
    with pytest.raises(SourceError) as caught:
        entries(root, Path("t/defs.bzl"))
    assert message in str(caught.value)


def test_entries_symbol_of_other_repository_raises(root: Path) -> None:
    (root / "u.bzl").write_text('load("@other//:x.bzl", _x = "x")\nx = _x\n')
    with pytest.raises(SourceError, match="`x` leads to no file of this repository"):
        entries(root, Path("u.bzl"))
