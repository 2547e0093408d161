# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The script `tools/bazel`: which Bazel it starts."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

import tools.launcher
from tools.launcher import __main__ as main

SCRIPT = Path(tools.launcher.__file__).parent.parent / "bazel"


def stand_in(folder: Path, name: str) -> Path:
    """A Bazel that prints its name and arguments, one a line, and exits with 5."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {name}\nprintf '%s\\n' \"$@\"\nexit 5\n")
    path.chmod(0o755)
    return path


def run(*arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/bash", str(SCRIPT), *arguments]
    environ.setdefault("PATH", "/usr/bin:/bin")
    return subprocess.run(
        command, cwd=cwd, env=environ, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("variable", ["BAZEL_REAL", "TILEWRIGHT_BAZEL"])
def test_named_bazel_gets_the_arguments_as_they_are(tmp_path: Path, variable: str) -> None:
    real = stand_in(tmp_path, "real")
    result = run("build", "//a b", "--x=*", cwd=tmp_path, **{variable: str(real)})
    assert result.stdout == "real\nbuild\n//a b\n--x=*\n"
    assert (result.returncode, result.stderr) == (5, "")


def test_own_setting_wins_over_bazelisks(tmp_path: Path) -> None:
    ours, real = stand_in(tmp_path, "ours"), stand_in(tmp_path, "real")
    result = run("info", cwd=tmp_path, TILEWRIGHT_BAZEL=str(ours), BAZEL_REAL=str(real))
    assert result.stdout == "ours\ninfo\n"


def test_failure_of_the_launcher_is_explained_and_has_its_exit_code(tmp_path: Path) -> None:
    if Path("/etc/tilewright-root-manifest").exists():
        pytest.skip("inside the root file system the script starts its Bazel directly")
    result = run("info", cwd=tmp_path, HOME="relative")
    assert result.returncode == 119
    assert result.stderr == (
        "tilewright: `HOME` is `relative`, which is not an absolute path\n"
        "  set HOME to an absolute path\n"
    )


def test_bazel_command_puts_startup_options_before_the_users() -> None:
    assert main.bazel_command("/ws/c.bazelrc", "0123", ["--batch", "info"]) == [
        "/usr/bin/bazel",
        "--bazelrc=/ws/c.bazelrc",
        "--host_jvm_args=-Dtilewright.mounts=0123",
        "--batch",
        "info",
    ]


def test_every_launcher_source_compiles_for_the_oldest_python() -> None:

    sources = sorted(SCRIPT.parent.glob("launcher/*.py"))
    assert len(sources) > 5
    for source in sources:
        ast.parse(source.read_text(), str(source), feature_version=(3, 8))
