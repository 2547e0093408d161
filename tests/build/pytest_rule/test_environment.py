# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a test sees of the machine when Bazel runs it."""

import os
import site
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def test_import_of_a_dependency_comes_from_the_declared_wheel() -> None:
    assert ".runfiles/" in pytest.__file__


def test_search_path_has_no_site_packages() -> None:
    assert [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))] == []
    assert sys.flags.no_site == 1


def test_import_of_an_undeclared_package_fails() -> None:
    with pytest.raises(ModuleNotFoundError):
        __import__("pip")


def test_home_is_the_tests_own() -> None:
    assert os.environ["HOME"] == os.environ["TEST_TMPDIR"]
    assert not Path(site.getusersitepackages()).exists()


def test_child_interpreter_sees_what_the_test_sees() -> None:
    code = "import pytest, sys; print(pytest.__file__)"
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.strip() == pytest.__file__


def test_network_is_blocked() -> None:
    with pytest.raises(OSError), socket.create_connection(("192.0.2.1", 80), timeout=2):
        pass


def test_interpreter_is_the_chosen_one() -> None:
    launcher = Path(__file__).with_name("environment_test")
    shebang = launcher.read_text().splitlines()[0]
    assert shebang == f"#!{sys.executable} -IS"
