# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pathlib

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.install.main import main


def wheel(folder: pathlib.Path, name: str, content: str, requires: str = "") -> str:
    """A wheel with one module; returns the argument that names it."""
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    if requires:
        metadata += f"Requires-Dist: {requires}\n"
    files = {
        f"{name}/__init__.py": content.encode(),
        f"{name}-1.0.dist-info/METADATA": metadata.encode(),
    }
    return f"--wheel={write_tiny_wheel(folder, f'{name}-1.0-py3-none-any.whl', files)}"


def test_install_imports_modules_and_runs_scripts_outside_the_sources(
    tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "probe.py"
    script.write_text(
        "import os, sys, mine, needed\nprint(os.getcwd(), mine.__file__.startswith(sys.prefix))\n"
    )
    arguments = [
        wheel(tmp_path, "mine", "import needed", requires="needed"),
        wheel(tmp_path, "needed", ""),
        "--import=mine",
        f"--script={script}",
    ]
    assert main(arguments) == 0
    output = capfd.readouterr().out
    assert "imported mine\n" in output
    assert "/ True\n" in output


def test_install_environment_has_none_of_the_callers_packages(tmp_path: pathlib.Path) -> None:
    # pytest runs this very test.
    assert main([wheel(tmp_path, "mine", "import pytest"), "--import=mine"]) == 1


def test_install_fails_where_a_requirement_is_not_among_the_wheels(
    tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([wheel(tmp_path, "mine", "", requires="absent"), "--import=mine"]) != 0
    assert "absent" in capfd.readouterr().err


def test_install_fails_where_an_import_crashes(
    tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    crash = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"
    assert main([wheel(tmp_path, "mine", crash), "--import=mine"]) == 1
    assert "failed with exit code -11: " in capfd.readouterr().err


def test_install_requirement_comes_from_pips_sources(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(tmp_path, "needed", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert main([wheel(tmp_path, "mine", ""), "--requirement=needed", "--import=needed"]) == 0
