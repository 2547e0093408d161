# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Moves files of unpacked packages to where a table says.

usage: lay_out.py LAYOUT.json TREE_DIR

LAYOUT.json maps a folder, relative to the working directory, to the paths in TREE_DIR that it takes
in. A path that ends in a slash stands for what the folder holds. Folders merge; two different files
of one name are an error.
"""

import filecmp
import json
import pathlib
import sys


def move(source: pathlib.Path, target: pathlib.Path) -> None:
    """Moves a file or, entry by entry, a folder."""
    if source.is_dir() and not source.is_symlink():
        target.mkdir(parents=True, exist_ok=True)
        for entry in sorted(source.iterdir()):
            move(entry, target / entry.name)
    elif target.exists() and not filecmp.cmp(source, target, shallow=False):
        sys.exit(f"`{source}` and another package's file of that name differ, both for `{target}`")
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)


def main(layout_file: str, tree: str) -> None:
    """Carries out the layout."""
    layout: dict[str, list[str]] = json.loads(pathlib.Path(layout_file).read_text())
    for folder, paths in layout.items():
        for path in paths:
            source = pathlib.Path(tree, path)
            if not source.exists():
                sys.exit(
                    f"the packages have no `{path}`, wanted for `{folder}`\n"
                    "hint: compare `layout` with what they hold"
                )
            target = pathlib.Path(folder)
            move(source, target if path.endswith("/") else target / source.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
