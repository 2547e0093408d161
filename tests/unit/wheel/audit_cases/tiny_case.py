# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A check on two wheels made from text, one that it finds fault with and one that passes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.audit.checks import CHECKS
from tools.wheel.audit.cli import main

__all__ = ["DIST_INFO", "Case", "assert_case", "metadata"]

DIST_INFO = "pkg-1.0.dist-info"


@dataclass(frozen=True)
class Case:
    """What the command says of one check."""

    #: Id of the check.
    check: str
    #: Files of the wheel at fault, and of the one that passes.
    bad: Mapping[str, bytes | TinyElf]
    good: Mapping[str, bytes | TinyElf]
    #: What the report says of the first, from the place on.
    says: str
    name: str = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
    #: Content of `[tool.tilewright-audit]`.
    settings: str = ""
    #: RECORD of the wheel at fault. Default: a correct one.
    record: str | None = None
    #: Further wheels, audited with both.
    beside: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.check


def metadata(*lines: str, name: str = "pkg", version: str = "1.0") -> dict[str, bytes]:
    """METADATA with further lines."""
    text = "\n".join([f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}", *lines, ""])
    return {f"{DIST_INFO}/METADATA": text.encode()}


def assert_case(case: Case, folder: Path) -> None:
    """Run the command on both wheels; the exit code of the first is that of the check."""
    (check,) = [check for check in CHECKS if check.id == case.check]
    settings = folder / "pyproject.toml"
    settings.write_text(f"[tool.tilewright-audit]\n{case.settings}\n")
    others = [str(write_tiny_wheel(folder, name, files)) for name, files in case.beside.items()]
    found = []
    for files, record in ((case.bad, case.record), (case.good, None)):
        content = {
            path: data.build() if isinstance(data, TinyElf) else data
            for path, data in files.items()
        }
        wheel = write_tiny_wheel(folder, case.name, content, record=record)
        command = [str(wheel), *others, "--strict", f"--settings={settings}", f"--only={check.id}"]
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = main(command)
        _, *lines = output.getvalue().partition("\npassed")[0].partition("\nFAILED")[0].splitlines()
        found.append((code, "\n".join(line[13:] for line in lines)))
    fails = check.severity.value != "note"
    head = f"{check.id}: "
    assert found[0] == (check.exit_code if fails else 0, head + case.says)
    assert found[1] == (0, "")
