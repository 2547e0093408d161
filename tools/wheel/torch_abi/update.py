# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes `shims.json` anew from torch's wheels.

usage: bazel run //tools/wheel/torch_abi:update -- WHEEL...

Name one wheel of each minor release; `pip download --no-deps torch==2.9.1` fetches one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tools.wheel.torch_abi.survey import survey


def main(*arguments: str) -> int:
    """Write the file into the working tree."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if workspace is None or not arguments:
        print("usage: bazel run //tools/wheel/torch_abi:update -- WHEEL...", file=sys.stderr)
        return 2
    folder = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    text = survey(folder / argument for argument in arguments)
    Path(workspace, "tools/wheel/torch_abi/shims.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
