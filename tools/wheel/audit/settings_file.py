# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds and reads the settings file."""

from __future__ import annotations

import sys
from collections.abc import Set
from pathlib import Path
from typing import Any

from .errors import SettingsError
from .settings import Settings, parse_settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DEFAULT = Path("pyproject.toml")


def read_settings(path: Path | None, checks: Set[str]) -> Settings:
    """Read `[tool.tilewright-audit]`; `check_settings` looks at what flags leave of it.

    Args:
        path: the file. None for pyproject.toml of the current folder, if there is one.
        checks: ids of all checks, which suppressions must be among.

    Raises:
        SettingsError: the file cannot be read, or its table does not make sense.
    """
    if path is None and not _DEFAULT.is_file():
        return Settings()
    file = path or _DEFAULT
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(
            f"`{file}` cannot be read: {error}", hint="name a TOML file with `--settings`"
        ) from error
    table: Any = content
    for key in ("tool", "tilewright-audit"):
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise SettingsError(
                f"`{file}`: `{key}` holds {table!r:.60}, expected a table",
                hint="write the settings below `[tool.tilewright-audit]`",
            )
    settings = parse_settings(table, where=str(file))
    unknown = sorted({item.check for item in settings.suppressions} - checks)
    if unknown:
        raise SettingsError(
            f"`{file}`: a suppression names the unknown check `{unknown[0]}`",
            hint="`tilewright-audit --list-checks` names all checks",
        )
    return settings
