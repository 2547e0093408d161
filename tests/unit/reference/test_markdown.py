# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from tools.reference.markdown import page
from tools.reference.model import Entry, Item, Section

ENTRY = Entry(
    "f",
    "function",
    "Does :class:`~a.B` and ``x``.\n\n>>> f(1)\n2",
    "f(x: dict[str, int], " + "y: int, " * 12 + "z)",
    (Section("Args", (Item("x, *y", "text", "int"),)), Section("Returns", text="a thing.")),
)


def test_page_entry_is_rendered() -> None:
    text = page("Title", "p/f.py", "Intro.", [ENTRY], "python")
    assert text.startswith("<!-- Made from the sources")
    assert "# Title\n\nMade from `p/f.py`.\n\nIntro.\n\n## f\n" in text
    assert "Does `a.B` and `x`.\n\n```python\n>>> f(1)\n2\n```\n" in text
    assert "**Args**\n\n* `x`, `y` (int): text\n" in text
    assert text.endswith("**Returns:** a thing.\n")


def test_page_long_signature_has_one_parameter_a_line() -> None:
    text = page("Title", "p/f.py", "", [ENTRY], "python")
    assert "```python\nf(\n    x: dict[str, int],\n    y: int,\n" in text
    assert "    z\n)\n```" in text
