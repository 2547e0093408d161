# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Renders entries as a Markdown page."""

from __future__ import annotations

import re
import textwrap

from tools.reference.model import Entry, Item, Section

ROLE = re.compile(r":\w+:`~?([^`]+)`")
SIGNATURE_WIDTH = 96


def page(title: str, source: str, text: str, entries: list[Entry], language: str) -> str:
    """A page.

    Args:
        title: its heading.
        source: the file that it is made from, relative to the repository.
        text: the description below the heading.
        entries: one section each.
        language: of the signatures, for the renderer's colours.
    """
    parts = [
        "<!-- Made from the sources by `bazel run //tools/lint:fix -- reference`; not edited. -->",
        f"# {title}",
        f"Made from `{source}`.",
        _prose(text),
    ]
    for entry in entries:
        parts += _entry(entry, language)
    return "\n\n".join(part for part in parts if part) + "\n"


def _entry(entry: Entry, language: str) -> list[str]:
    parts = [f"## {entry.name}", f"*{entry.kind}*" if not entry.signature else ""]
    if entry.signature:
        parts.append(f"```{language}\n{_wrapped(entry.signature)}\n```")
    parts.append(_prose(entry.text))
    for section in entry.sections:
        parts.append(_section(section))
    return parts


def _section(section: Section) -> str:
    if section.text:
        return f"**{section.title}:** {_prose(section.text)}"
    items = "\n".join(_item(item) for item in section.items)
    return f"**{section.title}**\n\n{items}"


def _item(item: Item) -> str:
    names = ", ".join(f"`{name.strip('`* ')}`" for name in item.name.split(","))
    facts = f" ({item.facts})" if item.facts else ""
    return f"* {names}{facts}: {_prose(item.text)}" if item.text else f"* {names}{facts}"


def _prose(text: str) -> str:
    """Docstring text as Markdown: roles and double backticks become code, examples are fenced."""
    paragraphs = ROLE.sub(r"`\1`", text).replace("``", "`").split("\n\n")
    return "\n\n".join(
        f"```python\n{paragraph}\n```" if paragraph.startswith(">>>") else paragraph
        for paragraph in paragraphs
    )


def _wrapped(signature: str) -> str:
    """A signature, one parameter a line where it is too long for one."""
    head, bracket, rest = signature.partition("(")
    if len(signature) <= SIGNATURE_WIDTH or not bracket:
        return signature
    inside, tail = rest.rsplit(")", 1)
    return f"{head}(\n{textwrap.indent(_one_a_line(inside), '    ')}\n){tail}"


def _one_a_line(parameters: str) -> str:
    lines, depth = [""], 0
    for character in parameters:
        depth += (character in "([{") - (character in ")]}")
        lines[-1] += character
        if character == "," and depth == 0:
            lines.append("")
    return "\n".join(line.strip() for line in lines if line.strip())
