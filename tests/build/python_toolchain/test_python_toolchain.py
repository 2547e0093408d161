# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The toolchain's fields against what the running interpreter, the chosen one, says of itself."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def facts() -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads((HERE / "facts.json").read_text())
    return decoded


def test_abi_of_the_chosen_python_matches_its_sysconfig() -> None:
    major, minor = sys.version_info[:2]
    threads = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    found = facts()
    assert found["version"] == f"{major}.{minor}{threads}"
    assert found["python_tag"] == f"cp{major}{minor}"
    assert found["abi_tag"] == f"cp{major}{minor}{threads}"
    assert found["ext_suffix"] == sysconfig.get_config_var("EXT_SUFFIX")
    assert found["interpreter"] == sys.executable


def test_headers_of_the_chosen_python_are_one_folder_of_their_own() -> None:
    (include,) = facts()["include"]
    assert include.endswith(f"/include/{facts()['version']}")
    assert not include.startswith("/")


def test_extension_compiled_with_the_headers_has_the_running_version() -> None:
    spec = importlib.util.spec_from_file_location("version_probe", HERE / "version_probe.so")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert sys.hexversion == module.HEX


def test_tool_runs_on_the_tool_interpreter_whatever_is_chosen() -> None:
    assert facts()["tool"] == facts()["tool_python"]


def test_list_names_the_chosen_python_and_the_default() -> None:
    output = subprocess.check_output(["tools/toolchains/python/list"], text=True)
    usable = [line.split() for line in output.splitlines() if line.startswith("  3.")]
    assert [facts()["version"], sys.executable] in [[line[0], line[3]] for line in usable]
    assert [line[-1] for line in usable].count("default") == 1
    assert "default: `" in output


def test_launcher_names_an_interpreter_by_path() -> None:
    shebang = (HERE / "tool").read_text().splitlines()[0]
    assert shebang == f"#!{sys.executable} -IS"
