# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Configuration files from templates whose variables are written `@name@`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from tools.cache.folder import Folder, give

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
    target = os.path.join(folder.run, name)
    with open(source, encoding="utf-8") as stream:
        text = render(stream.read(), values)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    give(target, folder)
    return target
