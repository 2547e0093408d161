# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`words`: text that must not be committed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree


@dataclass(frozen=True)
class Forbidden:
    """A kind of text that must not be committed.

    Attributes:
        pattern: what it looks like.
        kind: what it is, for the message.
        hint: what to write instead.
        allowed_in: start of the paths of files where it is in its place.
    """

    pattern: re.Pattern[str]
    kind: str
    hint: str
    allowed_in: str | None = None


FORBIDDEN = (
    Forbidden(
        re.compile(r"(?<![\w.$~-])/work/[\w.-]"),
        "a path of one machine",
        "use a path relative to the repository, or a placeholder such as `DIR`",
    ),
    Forbidden(
        re.compile(r"(?<![\w.$~-])/(?:root|home/[a-z]\w*|Users/\w+)/[\w.-]"),
        "a path of one person",
        "use a path relative to the repository, or `$HOME`",
        allowed_in="tests/",  # tests invent people
    ),
    Forbidden(
        re.compile(
            r"\b(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com"
            r"|(?:deb|ftp[\w.]*|security|snapshot)\.debian\.org|crates\.io)\b"
        ),
        "the host name of a package registry",
        "name the package; the client's own settings say where it comes from",
    ),
    Forbidden(
        re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b"),
        "a marker of unfinished work",
        "finish it, or say in plain words what holds and why",
    ),
    Forbidden(
        re.compile(r"^(?:<{7}|>{7}|={7})(?: |$)"),
        "a merge conflict marker",
        "resolve the conflict",
    ),
)


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of lines with forbidden text."""
    for path in tree.files:
        contents = tree.contents(path)
        if b"\0" in contents:
            continue
        for number, line in enumerate(contents.decode(errors="replace").splitlines(), 1):
            for forbidden in FORBIDDEN:
                if forbidden.allowed_in and path.startswith(forbidden.allowed_in):
                    continue
                match = forbidden.pattern.search(line)
                if match:
                    yield Problem(
                        path, number, f"`{match[0].strip()}` is {forbidden.kind}", forbidden.hint
                    )


CHECK = Check("words", "no machine paths, registry hosts or leftover markers", find)
