# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""diffoscope, the real one, and what is said where it fails."""

import sys
from pathlib import Path

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.reproducibility.explain import explain
from tools.reproducibility.wheels import Comparison, compare_wheels


def compared(folder: Path, first: dict[str, bytes], second: dict[str, bytes]) -> Comparison:
    wheels = []
    for name, files in (("a", first), ("b", second)):
        (folder / name).mkdir()
        wheels.append(write_tiny_wheel(folder / name, "pkg-1.0-py3-none-any.whl", files))
    return compare_wheels(wheels[0], wheels[1], folder)


def test_explain_text_shows_the_lines(tmp_path: Path) -> None:
    comparison = compared(tmp_path, {"a.py": b"x = 1\ny = 2\n"}, {"a.py": b"x = 1\ny = 3\n"})
    assert explain(comparison, tmp_path) == {
        "a.py": "--- first/a.py\n+++ second/a.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"
    }


def test_explain_elf_takes_the_file_apart(tmp_path: Path) -> None:
    first, second = (
        {"lib.so": TinyElf(payload=b"made in " + name + bytes(9)).build()}
        for name in (b"folder_one", b"folder_two")
    )
    (text,) = explain(compared(tmp_path, first, second), tmp_path).values()
    assert "-made in folder_one\n" in text
    assert "+made in folder_two\n" in text


def test_explain_same_wheels_has_nothing_to_say(tmp_path: Path) -> None:
    comparison = compared(tmp_path, {"a.py": b""}, {"a.py": b""})
    assert explain(comparison, tmp_path) == {}


def test_explain_failure_is_told(tmp_path: Path) -> None:
    comparison = compared(tmp_path, {"a.py": b"1"}, {"a.py": b"2"})
    command = [sys.executable, "-c", "import sys; sys.exit('no libmagic')"]
    assert explain(comparison, tmp_path, command) == {"a.py": "diffoscope failed: no libmagic\n"}
    (text,) = explain(comparison, tmp_path, ["/nonexistent/diffoscope"]).values()
    assert text.startswith("diffoscope cannot be run: ")


def test_explain_long_output_is_cut(tmp_path: Path) -> None:
    comparison = compared(tmp_path, {"a.py": b"1"}, {"a.py": b"2"})
    command = [sys.executable, "-c", "print('line\\n' * 119); import sys; sys.exit(1)"]
    (text,) = explain(comparison, tmp_path, command).values()
    assert text == "line\n" * 100 + "... 20 more lines\n"
