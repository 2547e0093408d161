# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`doc_links`: links in the documentation lead somewhere, and paths it names exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

FENCE = re.compile(r"^\s*(?:```|~~~)")
INLINE_CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s+(\S+)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
EXTERNAL = re.compile(r"^[a-z][a-z+.-]*:")

ROOMS = ("csrc", "docs", "news", "python", "tests", "third_party", "tools", ".ci")
REPOSITORY_PATH = re.compile(rf"(?:{'|'.join(map(re.escape, ROOMS))})(?:/[\w.-]+)+/?")
"""Inline code of this shape, wholly, is taken for a path of this repository."""


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of links and paths without a target. The web is not asked."""
    for path in tree.matching("*.md"):
        for number, prose in _prose(tree.text(path)):
            for match in LINK.finditer(INLINE_CODE.sub("", prose)):
                message = _dead(tree, path, match[1] or match[2])
                if message:
                    yield Problem(path, number, message, "mend the link or drop it")
            for code in INLINE_CODE.findall(prose):
                if REPOSITORY_PATH.fullmatch(code) and not tree.exists(code):
                    yield Problem(
                        path, number, f"`{code}` does not exist", "name what is there today"
                    )


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines outside fenced code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def _dead(tree: SourceTree, path: str, target: str) -> str:
    """What is wrong with a link; empty where nothing is."""
    if EXTERNAL.match(target) or target.startswith("//"):
        return ""
    place, _, anchor = target.partition("#")
    if place.startswith("/"):
        return f"the link `{target}` is absolute, which works on no page"
    resolved = _resolve(path, place) if place else path
    if resolved is None or not tree.exists(resolved):
        return f"the link `{target}` leads nowhere"
    if anchor and resolved.endswith(".md") and anchor not in anchors(tree.text(resolved)):
        return f"the link `{target}` names a heading that `{resolved}` does not have"
    return ""


def _resolve(path: str, target: str) -> str | None:
    """`target` as seen from the file `path`, relative to the root; None above the root."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / target).parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts) or "."


def anchors(text: str) -> frozenset[str]:
    """Anchors that a renderer makes from the headings of a Markdown `text`."""
    found: set[str] = set()
    for _, line in _prose(text):
        match = HEADING.match(line)
        if match:
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).replace("`", "").lower()
            slug = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
            anchor, again = slug, 0
            while anchor in found:
                again += 1
                anchor = f"{slug}-{again}"
            found.add(anchor)
    return frozenset(found)


CHECK = Check("doc_links", "links and paths in Markdown lead somewhere", find)
