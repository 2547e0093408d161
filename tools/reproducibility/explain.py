# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What diffoscope says of the files that differ."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .wheels import Comparison, extracted

#: Files explained, most lines of each explanation, and seconds for one.
_FILES, _LINES, _SECONDS = 3, 100, 300

_PROGRAM = "from diffoscope.main import main; main()"


def explain(
    comparison: Comparison, folder: Path, command: Sequence[str] | None = None
) -> dict[str, str]:
    """Explanations of the first files whose content differs, by path.

    RECORD is explained only where it alone differs. A failure of diffoscope is told in place of its
    explanation: what differs is known without it.

    Args:
        comparison: of two wheels.
        folder: that of the comparison.
        command: what runs diffoscope. Default: the release that this tool depends on.
    """
    paths = [path for path in comparison.contents if not path.endswith(".dist-info/RECORD")]
    command = command or (sys.executable, "-c", _PROGRAM)
    return {
        path: _run(command, folder, path) for path in (paths or list(comparison.contents))[:_FILES]
    }


def _run(command: Sequence[str], folder: Path, path: str) -> str:
    options = ["--no-progress", "--diff-context=1", "--text-color=never", "--text=-"]
    files = [str(place.relative_to(folder)) for place in extracted(folder, path)]
    try:
        done = subprocess.run(
            [*command, *options, *files],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"diffoscope did not end within {_SECONDS} s\n"
    except OSError as error:
        return f"diffoscope cannot be run: {error}\n"
    if done.returncode not in (0, 1) or (done.returncode and not done.stdout):
        messages = done.stderr.decode(errors="replace").strip().splitlines()
        return f"diffoscope failed: {[f'exit code {done.returncode}', *messages][-1]}\n"
    lines = done.stdout.decode(errors="replace").splitlines(keepends=True)
    left = len(lines) - _LINES
    return "".join(lines[:_LINES]) + (f"... {left} more lines\n" if left > 0 else "")


def _environment() -> dict[str, str]:
    """That of diffoscope: our modules, and the shared libraries of its packages."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    magic, archive = _package("pylibmagic"), _package("extractcode_libarchive")
    if magic and archive:
        environment["LIBARCHIVE"] = str(archive / "lib" / "libarchive.so")
        environment["MAGIC"] = str(magic / "magic.mgc")
        environment["LD_LIBRARY_PATH"] = str(magic)
    return environment


def _package(name: str) -> Path | None:
    """The folder of a package, which is not imported."""
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else None
