# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs a program that embeds the interpreter that runs this script.

usage: run_embedded.py PROGRAM [ARGUMENT...]
"""

import os
import pathlib
import sys
import sysconfig


def main(command: list[str]) -> None:
    """Replaces this process by the program, with the interpreter's library loaded."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    folders = [sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LIBPL")]
    multiarch = sysconfig.get_config_var("MULTIARCH")
    if multiarch:
        folders.insert(0, f"{sys.base_prefix}/lib/{multiarch}")
    candidates = [pathlib.Path(folder, name) for folder in folders if folder and ".so" in name]
    library = next((path for path in candidates if path.is_file()), None)
    if library is None:
        looked = ", ".join(f"`{path}`" for path in candidates) or f"`{name}`, a static library"
        sys.exit(
            f"`{sys.executable}` has no shared library to embed; looked for {looked}\n"
            "hint: install its library (Debian: libpython3-dev), or choose another Python"
        )
    os.environ["LD_PRELOAD"] = str(library)
    os.environ["PYTHONHOME"] = sys.base_prefix
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
