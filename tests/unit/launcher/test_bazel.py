# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The script `tools/bazel`: which Bazel it starts."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path

import pytest

import tools.launcher
from tools.launcher import __main__ as main
from tools.launcher import errors

MANIFEST = "/etc/tilewright-root-manifest"
SCRIPT = Path(tools.launcher.__file__).parent.parent / "bazel"


def stand_in(folder: Path, name: str) -> Path:
    """A Bazel that prints its name and arguments, one a line, and exits with 5."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {name}\nprintf '%s\\n' \"$@\"\nexit 5\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """The script as it is outside the root file system, also where the test runs inside."""
    checkout = tmp_path / "checkout/tools"
    checkout.mkdir(parents=True)
    (checkout / "launcher").symlink_to(SCRIPT.parent / "launcher")
    text = SCRIPT.read_text()
    assert text.count(MANIFEST) == 1
    (checkout / "bazel").write_text(text.replace(MANIFEST, "/nonexistent"))
    return checkout / "bazel"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def run(
    *arguments: str, cwd: Path, script: Path | str = SCRIPT, **environ: str
) -> subprocess.CompletedProcess[str]:
    command = ["/bin/bash", str(script), *arguments]
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


@pytest.mark.parametrize("variable", ["BAZEL_REAL", "TILEWRIGHT_BAZEL"])
def test_named_bazel_reads_the_remote_caches_flags(tmp_path: Path, variable: str) -> None:
    real, cache = stand_in(tmp_path, "real"), "grpcs://cache.example"
    environ = {variable: str(real), "TILEWRIGHT_REMOTE_CACHE": cache, "HOME": str(tmp_path)}
    result = run("build", "//a", cwd=tmp_path, **environ)
    name, option, *arguments = result.stdout.splitlines()
    assert (name, arguments, result.returncode) == ("real", ["build", "//a"], 5)
    (file,) = tmp_path.glob(".cache/tilewright/remote-cache/*")
    assert option == f"--bazelrc={file}"
    assert file.read_text() == (
        f'build:ci "--remote_cache={cache}"\nbuild:ci "--noremote_upload_local_results"\n'
    )


@pytest.mark.parametrize("variable", ["BAZEL_REAL", "TILEWRIGHT_BAZEL"])
def test_named_bazel_is_not_run_with_a_wrong_remote_cache(tmp_path: Path, variable: str) -> None:
    environ = {variable: str(stand_in(tmp_path, "real")), "HOME": str(tmp_path)}
    result = run("build", cwd=tmp_path, TILEWRIGHT_REMOTE_CACHE="cache.example", **environ)
    assert (result.returncode, result.stdout) == (119, "")
    assert result.stderr == (
        "tilewright: `TILEWRIGHT_REMOTE_CACHE` is `cache.example`, which is no address of a cache\n"
        "  hint: write it like `https://cache.example/tilewright` or `grpcs://cache.example:8980`\n"
    )


@pytest.mark.parametrize("variable", ["BAZEL_REAL", "TILEWRIGHT_BAZEL"])
@pytest.mark.parametrize("name", ["/nonexistent/bazel", "nonexistent-bazel", "/usr", "/etc/passwd"])
def test_named_bazel_that_is_no_program_is_explained(empty: Path, variable: str, name: str) -> None:
    result = run("info", cwd=empty, **{variable: name})
    assert result.returncode == 119
    assert result.stderr == (
        f"tilewright: `{variable}` is `{name}`, which is not a program\n"
        f"  hint: set {variable} to a Bazel, or unset it\n"
    )


def test_named_bazel_that_is_the_script_itself_is_refused(outside: Path, tmp_path: Path) -> None:
    outside.chmod(0o755)
    (tmp_path / "bazel").symlink_to(outside)
    for name, path in (("./bazel", "/usr/bin:/bin"), ("bazel", f"{tmp_path}:/usr/bin")):
        environ = {"TILEWRIGHT_BAZEL": name, "PATH": path}
        result = run("info", cwd=tmp_path, script=outside, **environ)
        assert result.returncode == 119
        assert f"`{name}`, which is this script itself" in result.stderr


def test_missing_home_is_refused_and_not_made(outside: Path, empty: Path) -> None:
    result = run("info", cwd=empty, script=outside, HOME=str(empty / "home"))
    assert (result.returncode, list(empty.iterdir())) == (119, [])


def test_closed_standard_error_keeps_the_exit_code(outside: Path, empty: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as closed:
        result = subprocess.run(
            ["/bin/bash", str(outside), "info"],
            cwd=empty,
            env={"PATH": "/usr/bin:/bin", "HOME": "relative"},
            stderr=closed,
            check=False,
            timeout=60,
        )
    assert result.returncode == 119


@pytest.mark.parametrize(("home", "cache"), [("relative", ""), ("/nonexistent", "relative")])
def test_relative_cache_folder_does_not_appear_in_the_current_folder(
    outside: Path, empty: Path, home: str, cache: str
) -> None:
    run("info", cwd=empty, script=outside, HOME=home, XDG_CACHE_HOME=cache)
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize(("folder", "script"), [(".", "tools/bazel"), ("tools", "bazel")])
def test_script_with_cdpath_exported_finds_the_launcher(
    outside: Path, empty: Path, folder: str, script: str
) -> None:
    (empty / "tools").mkdir()
    cwd = outside.parent.parent / folder
    result = run("info", cwd=cwd, script=script, CDPATH=str(empty), HOME="relative")
    assert "`HOME` is `relative`" in result.stderr


@pytest.mark.parametrize(
    ("cache", "message"),
    [
        ("/proc/nope", "tilewright: `/proc/nope`: No such file or directory\n"),
        ("/dev/null", "tilewright: `/dev/null/tilewright`: Not a directory\n"),
    ],
)
def test_unusable_cache_folder_is_explained(
    outside: Path, empty: Path, cache: str, message: str
) -> None:
    result = run("info", cwd=empty, script=outside, HOME="/usr", XDG_CACHE_HOME=cache)
    assert result.returncode == 110
    assert result.stderr.startswith(message)
    assert "set XDG_CACHE_HOME" in result.stderr
    assert len(result.stderr.splitlines()) == 2


def test_failure_of_the_launcher_is_explained_and_has_its_exit_code(
    outside: Path, empty: Path
) -> None:
    result = run("info", cwd=empty, script=outside, HOME="relative")
    assert result.returncode == 119
    assert result.stderr == (
        "tilewright: `HOME` is `relative`, which is not an absolute path\n"
        "  hint: set HOME to an absolute path\n"
    )


def test_bazel_command_puts_startup_options_before_the_users() -> None:
    assert main.bazel_command(["/ws/c.bazelrc"], "0123", ["--batch", "info"]) == [
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


def test_unreadable_file_is_named_with_the_next_step() -> None:
    error = PermissionError(13, "Permission denied", "/etc/corp.conf")
    assert str(errors.FileAccessError.of(error)).startswith(
        "`/etc/corp.conf`: Permission denied\n  hint: make it accessible"
    )


def test_refused_system_call_is_told_without_a_file() -> None:
    error = BlockingIOError(11, "Resource temporarily unavailable")
    assert errors.FileAccessError.of(error).message == "Resource temporarily unavailable"
