# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the unpacker."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..archive.command import command
from ..archive.errors import MemberPathError, ToolError
from ..archive.members import check_tree
from ..archive.names import installed_path
from ..archive.reader import open_wheel


@command("unpack")
def main(arguments: Sequence[str] | None = None) -> int:
    """Unpack one wheel; returns the exit code."""
    parser = argparse.ArgumentParser(prog="unpack", description="Unpack a wheel for importing.")
    parser.add_argument("wheel", type=Path, help="wheel to unpack")
    parser.add_argument("folder", type=Path, help="folder to write to; made if absent")
    options = parser.parse_args(arguments)
    unpack_wheel(options.wheel, options.folder)
    return 0


def unpack_wheel(path: Path, folder: Path) -> None:
    """Write what a wheel installs into site-packages below `folder`: everything or nothing.

    Raises:
        WheelNameError: the file has no wheel name.
        BadArchiveError: it cannot be read as an archive.
        MemberPathError: an entry would land outside the folder, two at one place, or on a file.
    """
    with open_wheel(path) as wheel:
        placed = {member: place for member in wheel.paths if (place := installed_path(member))}
        check_tree(map(str, placed.values()), where=f"`{path.name}` as installed")
        for place in placed.values():
            if (folder / place).exists():
                raise MemberPathError(
                    f"`{folder / place}` exists already", hint="unpack into an empty folder"
                )
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with tempfile.TemporaryDirectory(dir=folder, prefix=".unpack-") as scratch:
                staged = Path(scratch)
                for member, place in placed.items():
                    wheel.extract(member, staged / place)
                for place in placed.values():
                    (folder / place).parent.mkdir(parents=True, exist_ok=True)
                    (staged / place).rename(folder / place)
        except (ToolError, OSError):
            if made:
                shutil.rmtree(folder)
            raise
