# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`names`: folder and file names that this repository does not use."""

from __future__ import annotations

from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

VAGUE = frozenset(("common", "helper", "helpers", "misc", "miscellaneous", "util", "utils"))
WRONG_BUILD_FILES = frozenset(("BUILD.bazel", "WORKSPACE.bazel"))


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of vague names, and of the other spelling of Bazel's files."""
    for folder in tree.folders:
        name = folder.rpartition("/")[2]
        if name in VAGUE:
            yield Problem(folder, 0, f"the folder name `{name}` says nothing", "name the concept")
    for path in tree.files:
        name = path.rpartition("/")[2]
        if name in WRONG_BUILD_FILES:
            yield Problem(path, 0, f"`{name}` is not used here", f"name it `{name[:-6]}`")
        elif name.partition(".")[0] in VAGUE:
            yield Problem(path, 0, f"the file name `{name}` says nothing", "name the concept")


CHECK = Check("names", "no vague names, `BUILD` and never `BUILD.bazel`", find)
