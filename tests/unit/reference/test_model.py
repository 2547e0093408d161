# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from tools.reference.model import Item, Section, parse_docstring

DOCSTRING = """One line.

    More text: with a colon.

    Args:
        x: first line
            and second.
        y, z: both.

    Returns:
        a thing
        of two lines.

    Source: somebody, 2019.
    """


def test_parse_docstring_sections_are_split_off() -> None:
    text, sections = parse_docstring(DOCSTRING)
    assert text == "One line.\n\nMore text: with a colon.\n\nSource: somebody, 2019."
    assert sections == (
        Section("Args", (Item("x", "first line and second."), Item("y, z", "both."))),
        Section("Returns", text="a thing of two lines."),
    )


def test_parse_docstring_no_section_gives_text_alone() -> None:
    assert parse_docstring("Only text.\n\nNote: that is text too.") == (
        "Only text.\n\nNote: that is text too.",
        (),
    )
