# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Configuration files from templates whose variables are written `@name@`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tools.cache.folder import Folder

VARIABLE = re.compile(r"@([a-z_]+)@")


def render(text: str, values: Mapping[str, str]) -> str:
    """Fills a template.

    Args:
        text: the template.
        values: a value for each variable; a template need not use all.

    Raises:
        KeyError: the template has a variable without a value.
    """
    return VARIABLE.sub(lambda match: values[match.group(1)], text)


def write(source: str, values: Mapping[str, str], folder: Folder, name: str) -> str:
    """Fills the template file `source` into a file of the run, for the folder's owner alone.

    Returns:
        Its path.
    """
    with open(source, encoding="utf-8") as stream:
        return folder.write(name, render(stream.read(), values).encode())
