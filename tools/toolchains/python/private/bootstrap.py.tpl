%shebang%
# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Starts `%main%`, the main program of `%target%`.

The program sees the standard library, its own repository and what its target depends on: neither the interpreter's
site-packages nor the caller's PYTHON* variables. Children get the same folders through PYTHONPATH.
"""

import os
import re
import runpy
import sys

MAIN = os.path.normpath("%main%")
IMPORTS = "%imports%"
INTERPRETER = "%python_binary%"
WORKSPACE = "%workspace_name%"


def runfiles():
    """Returns the folder of the files that the program declares."""
    script = os.path.abspath(sys.argv[0])
    if os.path.isdir(script + ".runfiles"):
        return script + ".runfiles"
    caller = os.environ.get("RUNFILES_DIR", "")
    if caller and os.path.exists(os.path.join(caller, MAIN)):
        return os.path.abspath(caller)
    for _ in range(40):
        around = re.match(r"(.*\.runfiles)/", script)
        if around and os.path.exists(os.path.join(around.group(1), MAIN)):
            return around.group(1)
        if not os.path.islink(script):
            break
        script = os.path.join(os.path.dirname(script), os.readlink(script))
        if os.path.isdir(script + ".runfiles"):
            return script + ".runfiles"
    sys.exit(
        "no runfiles folder beside `{}`\n"
        "hint: build with runfiles (`--enable_runfiles`), or run it with `bazel run %target%`".format(sys.argv[0])
    )


def main():
    if not (sys.flags.isolated and sys.flags.no_site):
        os.execv(INTERPRETER, [INTERPRETER, "-IS"] + sys.argv)
    root = runfiles()
    program = os.path.join(root, MAIN)
    folders = [MAIN.split("/")[0], WORKSPACE] + [folder for folder in IMPORTS.split(":") if folder]
    paths = list(dict.fromkeys(os.path.join(root, folder) for folder in folders))
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]
    os.environ.pop("RUNFILES_MANIFEST_FILE", None)
    os.environ.update(
        PYTHONNOUSERSITE="1",
        PYTHONPATH=os.pathsep.join(paths),
        PYTHONSAFEPATH="1",
        RUNFILES_DIR=root,
    )
    # Bytecode never lands beside the sources; a test keeps it for its children.
    if "TEST_TMPDIR" in os.environ:
        sys.pycache_prefix = os.path.join(os.environ["TEST_TMPDIR"], "pycache")
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    else:
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.path[:0] = paths
    sys.argv[0] = program
    runpy.run_path(program, run_name="__main__")


main()
