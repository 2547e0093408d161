# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tools.toolchains.python.discovery.inspection import (
    RejectedError,
    ask,
    header_folders,
    inspect,
    judge,
)


def write_headers(include: Path, version: str, config: str = "#define HAVE_A 1\n") -> None:
    include.mkdir(parents=True)
    (include / "Python.h").write_text("")
    (include / "patchlevel.h").write_text(f'#define PY_VERSION  "{version}"\n')
    (include / "pyconfig.h").write_text(config)


@pytest.fixture
def answers(tmp_path: Path) -> dict[str, Any]:
    """What a sound CPython 3.12 answers."""
    write_headers(tmp_path / "include" / "python3.12", "3.12.4")
    return {
        "implementation": "cpython",
        "version": [3, 12, 4],
        "full_version": "3.12.4",
        "machine": "x86_64",
        "bits": 64,
        "debug": False,
        "free_threaded": False,
        "soabi": "cpython-312-x86_64-linux-gnu",
        "ext_suffix": ".cpython-312-x86_64-linux-gnu.so",
        "include": str(tmp_path / "include" / "python3.12"),
        "multiarch": "x86_64-linux-gnu",
        "executable": "/opt/python/bin/python3.12",
        "failed_modules": {},
    }


def test_judge_with_a_sound_interpreter_gives_its_tags(answers: dict[str, Any]) -> None:
    found = judge(answers)
    assert found.version == "3.12"
    assert found.full_version == "3.12.4"
    assert found.python_tag == "cp312"
    assert found.abi_tag == "cp312"
    assert found.ext_suffix == ".cpython-312-x86_64-linux-gnu.so"
    assert found.path == "/opt/python/bin/python3.12"
    assert found.arch_include == ""


def test_judge_with_a_free_threaded_build_gives_a_version_of_its_own(
    answers: dict[str, Any],
) -> None:
    answers.update(free_threaded=True, soabi="cpython-312t-x86_64-linux-gnu")
    found = judge(answers)
    assert (found.version, found.python_tag, found.abi_tag) == ("3.12t", "cp312", "cp312t")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"implementation": "pypy"}, "is pypy, not CPython"),
        ({"version": [3, 9, 1], "full_version": "3.9.1"}, r"is 3\.9\.1, older than 3\.10"),
        ({"machine": "aarch64"}, "is for aarch64"),
        ({"bits": 32}, "with 32 bits"),
        ({"debug": True, "soabi": "cpython-312d-x86_64-linux-gnu"}, "debug build"),
        ({"soabi": "cpython-312-x86_64-linux-musl"}, "for glibc"),
        ({"soabi": None}, "for glibc"),
        ({"failed_modules": {"ctypes": "no libffi"}}, "cannot import `ctypes`: no libffi"),
        ({"executable": "/opt/my python/bin/python3"}, "`#!` line"),
        ({"executable": "/opt/" + "x" * 250}, "`#!` line"),
        ({"executable": "python3"}, "`#!` line"),
        ({"include": "/nonexistent"}, "no headers: `/nonexistent/Python.h` is absent"),
    ],
)
def test_judge_with_an_unusable_interpreter_says_why(
    answers: dict[str, Any], change: dict[str, Any], reason: str
) -> None:
    answers.update(change)
    with pytest.raises(RejectedError, match=reason):
        judge(answers)


def test_header_folders_with_a_split_pyconfig_gives_both(answers: dict[str, Any]) -> None:
    include = Path(answers["include"])
    (include / "pyconfig.h").write_text("#include <x86_64-linux-gnu/python3.12/pyconfig.h>\n")
    arch = include.parent / "x86_64-linux-gnu" / "python3.12"
    with pytest.raises(RejectedError, match="incomplete headers"):
        header_folders(answers)
    write_headers(arch, "3.12.4")
    assert header_folders(answers) == (str(include), str(arch))


def test_header_folders_of_another_version_are_rejected(
    answers: dict[str, Any], tmp_path: Path
) -> None:
    write_headers(tmp_path / "other", "3.11.2")
    answers["include"] = str(tmp_path / "other")
    with pytest.raises(RejectedError, match="another version's"):
        header_folders(answers)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'libpython3.12.so.1.0: cannot open' >&2; exit 127", "libpython3.12.so.1.0: cannot"),
        ("exit 3", "exit code 3"),
        ("echo hello", "something else than asked"),
    ],
)
def test_ask_with_a_program_that_does_not_run_says_why(
    tmp_path: Path, script: str, reason: str
) -> None:
    program = tmp_path / "python3"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(RejectedError, match=reason):
        ask(str(program), {}, str(tmp_path))


def test_ask_with_a_file_that_is_no_program_says_why(tmp_path: Path) -> None:
    program = tmp_path / "python3"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    with pytest.raises(RejectedError, match="does not run"):
        ask(str(program), {}, str(tmp_path))


def test_inspect_with_the_running_interpreter_finds_it_usable(tmp_path: Path) -> None:
    found = inspect(sys.executable, {}, str(tmp_path))
    assert found.version == ".".join(map(str, sys.version_info[:2]))
    assert Path(found.include, "Python.h").is_file()
