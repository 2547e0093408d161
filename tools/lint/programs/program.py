# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`Program`: an outside program, found and run in one way."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.lint.errors import ProgramError

FIX_HINT = "./tools/bazel run //tools/lint:fix"


@dataclass(frozen=True)
class Program:
    """An executable.

    Attributes:
        name: what people call it.
        path: absolute path of the file.
    """

    name: str
    path: Path

    def run(
        self, arguments: Sequence[str], *, folder: Path, accepted: tuple[int, ...] = (0,)
    ) -> subprocess.CompletedProcess[str]:
        """Run it and give back its output.

        Args:
            arguments: the command line after the program.
            folder: the working directory.
            accepted: exit codes that are an answer; any other is a failure.

        Raises:
            ProgramError: it cannot be started, or ends with another exit code.
        """
        command = [str(self.path), *arguments]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise ProgramError(
                f"cannot start `{self.name}` at `{self.path}`: {error.strerror}",
                "run lint through Bazel, which brings its programs: `bazel run //tools/lint:check`",
            ) from error
        if done.returncode not in accepted:
            output = (done.stdout + done.stderr).strip()
            raise ProgramError(
                f"`{self.name}` failed with exit code {done.returncode}\n{output}",
                "run it by hand with the same files: " + " ".join(command[:6]),
            )
        return done
