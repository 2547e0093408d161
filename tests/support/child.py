# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Fresh interpreters that see the same packages as this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

__all__ = ["run_python"]


def run_python(
    *arguments: str, first: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the interpreter with `arguments`, such as `-c` and code.

    Args:
        arguments: of the interpreter.
        first: folders to put before this process's `sys.path`.
        environment: variables to set beside the inherited ones.
    """
    path = os.pathsep.join([*first, *(entry for entry in sys.path if entry)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
