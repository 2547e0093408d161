# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel twice, in surroundings that differ."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .errors import BuildError, SourceError
from .sources import archive_head, unpack
from .surroundings import FIRST, SECOND, Surroundings

#: Neither build may take results from anywhere.
_FROM_NOTHING = ("--disk_cache=", "--remote_cache=")


def build_twice(
    workspace: Path,
    target: str,
    work: Path,
    archive: Callable[[Path, Path], None] = archive_head,
) -> tuple[Path, Path]:
    """Build HEAD of a workspace twice from nothing; returns the wheels, which are in `work`.

    Args:
        workspace: a git work tree with `tools/bazel`.
        target: label of a target that makes one wheel.
        work: existing folder; checkouts and outputs are removed from it again.
        archive: writes the sources of a workspace into a tar archive.

    Raises:
        SourceError: there are no sources, or `work` holds an earlier run.
        BuildError: a build fails, or makes no wheel.
    """
    for surroundings in (FIRST, SECOND):
        folder = work / surroundings.name
        if folder.exists():
            raise SourceError(
                f"`{folder}` exists", hint="remove it, or name another folder with --work"
            )
    sources = work / "sources.tar"
    try:
        archive(workspace, sources)
        return _build(sources, target, work, FIRST), _build(sources, target, work, SECOND)
    finally:
        sources.unlink(missing_ok=True)


def _build(sources: Path, target: str, work: Path, surroundings: Surroundings) -> Path:
    folder = work / surroundings.name
    old_umask = os.umask(surroundings.umask)
    try:
        machine = _Machine(surroundings, folder)
        unpack(sources, machine.checkout)
        (folder / surroundings.home).mkdir(parents=True)
        try:
            machine.bazel("build", f"--jobs={surroundings.jobs}", *_FROM_NOTHING, target)
            listed = machine.bazel("cquery", "--output=files", target, read=True)
            return machine.keep(target, listed.splitlines())
        finally:
            machine.remove()
    finally:
        os.umask(old_umask)


@dataclass(frozen=True)
class _Machine:
    """One build: a checkout, and a Bazel of its own."""

    surroundings: Surroundings
    folder: Path

    @property
    def checkout(self) -> Path:
        return self.folder / self.surroundings.checkout

    @property
    def output(self) -> Path:
        return self.folder / self.surroundings.output

    def bazel(self, command: str, *arguments: str, read: bool = False) -> str:
        """Run a command; returns what it printed, where that is to be read."""
        name = self.surroundings.name
        line = ["./tools/bazel", f"--output_user_root={self.output}", command, *arguments]
        print(f"== {name}: {command} {' '.join(arguments)}", file=sys.stderr, flush=True)
        started = time.monotonic()
        try:
            done = subprocess.run(
                self.surroundings.command(line),
                cwd=self.checkout,
                env=self.surroundings.environment(os.environ, self.folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if read else sys.stderr,
                check=False,
            )
        except OSError as error:
            raise BuildError(
                f"cannot run `tools/bazel` of the committed sources: {error}",
                hint="run it in a workspace whose `tools/bazel` is committed and executable",
            ) from error
        print(f"== {name}: {command}: {time.monotonic() - started:.0f} s", file=sys.stderr)
        if done.returncode:
            raise BuildError(
                f"`{command}` of the {name} build ended with exit code {done.returncode}",
                hint="see its messages above; what is committed is built, and nothing else",
            )
        return os.fsdecode(done.stdout) if read else ""

    def keep(self, target: str, outputs: list[str]) -> Path:
        """Copy the wheel out of Bazel's output."""
        wheels = [path for path in outputs if path.endswith(".whl")]
        if len(wheels) != 1:
            found = ", ".join(f"`{Path(path).name}`" for path in wheels) or "none"
            raise BuildError(
                f"`{target}` must make one wheel, and makes {found}",
                hint="name a target of rule py_wheel or repaired_wheel",
            )
        return Path(shutil.copy2(self.checkout / wheels[0], self.folder))

    def remove(self) -> None:
        """End the Bazel and remove all but the wheel; without one, nothing is left."""
        try:
            self.bazel("shutdown")
        except BuildError as error:
            print(error, file=sys.stderr)
        for place in sorted(self.folder.iterdir()):
            if place.is_dir():
                # Bazel leaves folders that cannot be written to.
                subprocess.run(["chmod", "-R", "u+w", str(place)], check=False)
                shutil.rmtree(place)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()
