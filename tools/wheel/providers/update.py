# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes table.json: `bazel run //tools/wheel/providers:update [-- PACKAGE...]`.

Reads the wheels of the packages in packages.py, oldest to newest, from the index that pip uses.
What the table has already is not read again; `--afresh` forgets it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.wheel.archive.errors import ToolError
from tools.wheel.providers.packages import PACKAGES, WITHDRAWN
from tools.wheel.providers.registry import list_versions, read_package
from tools.wheel.providers.survey import survey
from tools.wheel.providers.table import (
    TABLE,
    Content,
    Package,
    Table,
    parse_table,
    render_table,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Update the table; it is written after each package, so that a run can be resumed."""
    names = {name: family for family, members in PACKAGES.items() for name in members}
    parser = argparse.ArgumentParser(prog="update", description="Update the table of providers.")
    parser.add_argument(
        "packages",
        nargs="*",
        type=Requirement,
        metavar="PACKAGE",
        help="a name, with the versions to look at where not all: `torch<=2.14.1` (default: all)",
    )
    parser.add_argument("--afresh", action="store_true", help="read again what the table has")
    options = parser.parse_args(arguments)
    table_file = _source(TABLE)
    table = (
        parse_table(table_file.read_text(encoding="utf-8")) if table_file.exists() else Table({})
    )
    packages = {name: table.packages[name] for name in names if name in table.packages}
    try:
        for requirement in options.packages or map(Requirement, names):
            name = canonicalize_name(requirement.name)
            known = () if options.afresh or name not in packages else packages[name].releases

            def read(version: str, name: str = name) -> Content:
                print(f"reading {name} {version}", file=sys.stderr, flush=True)
                return read_package(name, version, names)

            versions = [
                version
                for version in requirement.specifier.filter(list_versions(name))
                if version not in WITHDRAWN.get(name, ())
            ]
            releases = survey(versions, read, known)
            packages[name] = Package(name, names[name], releases)
            ordered = {item: packages[item] for item in sorted(packages)}
            table_file.write_text(render_table(Table(ordered)), encoding="utf-8")
    except ToolError as error:
        print(f"update: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _source(path: Path) -> Path:
    """The file in the source tree: `bazel run` starts in a copy of it."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    return Path(workspace, "tools/wheel/providers", path.name) if workspace else path


if __name__ == "__main__":
    sys.exit(main())
