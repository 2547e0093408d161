# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a reference page tells, whatever language it is read from."""

from __future__ import annotations

import inspect
import itertools
import re
from dataclasses import dataclass, field

SECTION = re.compile(r"^(?P<name>[A-Z][a-z]+):\s*$")
ITEM = re.compile(r"^(?P<names>[*`\w., \[\]]+?):\s+(?P<text>.*)$")


@dataclass(frozen=True)
class Item:
    """A named thing with its description: an argument, an attribute, a field, an exception.

    Attributes:
        name: its name.
        text: its description, on one line.
        facts: type, default and the like; empty where there are none.
    """

    name: str
    text: str
    facts: str = ""


@dataclass(frozen=True)
class Section:
    """A headed list of a docstring, for example of the arguments.

    Attributes:
        title: its heading.
        items: the list; empty where the section is running text.
        text: the running text.
    """

    title: str
    items: tuple[Item, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Entry:
    """One public symbol.

    Attributes:
        name: its name.
        kind: `rule`, `macro`, `function`, `class` and the like.
        text: its description in Markdown.
        signature: how it is called; empty where attributes say it.
        sections: lists of its docstring, attributes or fields.
    """

    name: str
    kind: str
    text: str
    signature: str = ""
    sections: tuple[Section, ...] = field(default=())


def parse_docstring(docstring: str) -> tuple[str, tuple[Section, ...]]:
    """Description and sections of a Google-style docstring."""
    lines = inspect.cleandoc(docstring).splitlines()
    heads = [
        number
        for number, line in enumerate(lines)
        if SECTION.match(line) and number + 1 < len(lines) and lines[number + 1].startswith(" ")
    ]
    text = "\n".join(lines[: heads[0]] if heads else lines).strip()
    sections = []
    for head, end in itertools.pairwise([*heads, len(lines)]):
        body_end = next(
            (n for n in range(head + 1, end) if lines[n] and not lines[n].startswith(" ")), end
        )
        sections.append(_section(lines[head].rstrip(": "), lines[head + 1 : body_end]))
        trailing = "\n".join(lines[body_end:end]).strip()
        text = f"{text}\n\n{trailing}".strip() if trailing else text
    return text, tuple(sections)


def _section(title: str, lines: list[str]) -> Section:
    body = inspect.cleandoc("\n".join(["", *lines])).splitlines()
    if title in ("Returns", "Yields"):
        return Section(title, text=" ".join(line.strip() for line in body if line.strip()))
    items: list[Item] = []
    for line in body:
        match = None if line.startswith(" ") else ITEM.match(line)
        if match:
            items.append(Item(match["names"], match["text"].strip()))
        elif line.strip() and items:
            last = items[-1]
            items[-1] = Item(last.name, f"{last.text} {line.strip()}")
    return Section(title, tuple(items))
