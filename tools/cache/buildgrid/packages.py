# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""BuildGrid itself: installed from PyPI by the lock, once, below the machine's cache folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile

from tools.cache import programs
from tools.cache.programs import Root
from tools.launcher import bootstrap
from tools.launcher.progress import Progress

LOCK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")


def install(root: Root) -> str:
    """The folder of the installed packages; made on the first call, or when the lock has changed.

    Raises:
        ProgramError: pip failed.
    """
    with open(LOCK, "rb") as stream:
        key = hashlib.sha256(stream.read()).hexdigest()[:12]
    parent = os.path.join(root.host.cache, "buildgrid")
    # The packages fit the interpreter of one root file system.
    target = os.path.join(parent, f"{key}-{os.path.basename(root.path)}")
    if os.path.isdir(target):
        return target
    os.makedirs(parent, exist_ok=True)
    progress = Progress()
    with bootstrap.locked(os.path.join(parent, "lock"), progress):
        if os.path.isdir(target):
            return target
        progress.step("installing BuildGrid from PyPI, once (about 50 packages, a minute)")
        for name in os.listdir(parent):
            if name.startswith(bootstrap.STAGE_PREFIX):
                shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
        stage = tempfile.mkdtemp(prefix=bootstrap.STAGE_PREFIX, dir=parent)
        try:
            command = ["python3", "-m", "pip", "install", "-qq", "--no-warn-script-location"]
            command += ["--disable-pip-version-check", "--require-hashes", "--only-binary=:all:"]
            command += ["--no-deps", "--root-user-action=ignore", "--target", stage, "-r", LOCK]
            programs.run_in_root(root, command, (stage,))
            os.chmod(stage, 0o755)
            os.rename(stage, target)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        progress.step(f"BuildGrid is ready in {target}")
    return target
