# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the lock of BuildGrid's packages anew: `python3 -m tools.cache.buildgrid.update`.

pip resolves `requirements.in` on the interpreter that BuildGrid runs on, that of the root file
system. Index, mirrors and proxies are pip's own settings; nothing of them gets into the lock.
"""

from __future__ import annotations

import json
import os
import sys

from third_party.pypi import update as pypi
from tools.cache import programs
from tools.cache.buildgrid.packages import LOCK
from tools.launcher.progress import say

REQUIREMENTS = os.path.join(os.path.dirname(LOCK), "requirements.in")

HEADER = """\
# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
#
# Written by `python3 -m tools.cache.buildgrid.update` from `requirements.in`; `via` names what
# needs a package.
"""


def main() -> int:
    """Rewrites the lock."""
    root = programs.ensure_root("")
    command = ["python3", "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed"]
    command += ["--target=unused", "--only-binary=:all:", "--report=-", "-r", REQUIREMENTS]
    report = json.loads(programs.run_in_root(root, command, ()))
    text = HEADER + pypi.render(report["install"])[len(pypi.HEADER) :]
    with open(LOCK, encoding="utf-8") as stream:
        unchanged = stream.read() == text
    with open(LOCK, "w", encoding="utf-8") as stream:
        stream.write(text)
    say(f"`{LOCK}`: {'unchanged' if unchanged else 'written'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
