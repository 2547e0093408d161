# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The table of exit codes in the reference against the error classes."""

import os
import re
from pathlib import Path

from tools.wheel.archive import errors as archive
from tools.wheel.assemble import errors as assemble
from tools.wheel.audit import errors as audit
from tools.wheel.elf import errors as elf
from tools.wheel.platforms import errors as platforms
from tools.wheel.providers import errors as providers
from tools.wheel.repair import errors as repair

REFERENCE = Path(os.environ.get("WHEEL_EXIT_CODES", "docs/reference/wheel_exit_codes.md"))
USAGE = 2


def test_exit_codes_each_class_has_its_own_and_stands_in_the_reference() -> None:
    classes = {
        value
        for module in (archive, assemble, audit, elf, platforms, providers, repair)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, archive.ToolError)
    } - {archive.ToolError}
    codes = sorted(item.exit_code for item in classes)
    table = [int(code) for code in re.findall(r"^\| (\d+) \|", REFERENCE.read_text(), re.M)]
    assert len(codes) == len(set(codes))
    assert table == [USAGE, *codes]
