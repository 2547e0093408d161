# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.tiny_wheel import read_members
from tools.wheel.assemble.cli import main

NAME = "my_pkg-1.0-py3-none-any.whl"


def _request(folder: Path, **changes: Any) -> Path:
    source = folder / "a.py"
    source.write_text("A = 1\n")
    document = {
        "distribution": "my-pkg",
        "name": {
            "distribution": "my_pkg",
            "version": "1.0",
            "build": "",
            "python_tag": "py3",
            "abi_tag": "none",
            "platform_tag": "any",
        },
        "metadata": {"summary": "does things", "extra_requires": {"x": ["numpy"]}},
        "files": [{"source": str(source), "path": "my_pkg/a.py", "label": "//:a"}],
        "entry_points": {"console_scripts": ["run = my_pkg.a:main"]},
        "compress": True,
        **changes,
    }
    path = folder / "request.json"
    path.write_text(json.dumps(document))
    return path


def test_main_request_makes_installable_wheel(tmp_path: Path) -> None:
    output = tmp_path / NAME
    code = main(["--request", str(_request(tmp_path)), "--output", str(output)])
    members = read_members(output)
    assert code == 0
    assert members["my_pkg/a.py"] == b"A = 1\n"
    assert members["my_pkg-1.0.dist-info/entry_points.txt"] == (
        b"[console_scripts]\nrun = my_pkg.a:main\n"
    )
    assert b"Provides-Extra: x\n" in members["my_pkg-1.0.dist-info/METADATA"]


def test_main_dry_run_prints_plan_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / NAME
    code = main(["--request", str(_request(tmp_path)), "--output", str(output), "--dry-run"])
    plan = json.loads(capsys.readouterr().out)
    assert code == 0
    assert plan["wheel"] == NAME
    assert {"path": "my_pkg/a.py", "mode": "0644"} in plan["members"]
    assert not output.exists()


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"surprise": 1}, 20, "unknown key 'surprise'"),
        ({"metadata": {"licence": "MIT"}}, 20, "unknown key 'licence'"),
        ({"metadata": {"requires": ["not a requirement"]}}, 21, "cannot be read"),
        ({"files": [{"source": "/bin/sh", "path": "my_pkg/sh"}]}, 22, "is an ELF file"),
    ],
)
def test_main_bad_request_exits_with_the_errors_code(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, Any],
    code: int,
    message: str,
) -> None:
    output = tmp_path / NAME
    arguments = ["--request", str(_request(tmp_path, **changes)), "--output", str(output)]
    assert main(arguments) == code
    error = capsys.readouterr().err
    assert message in error
    assert "\nhint: " in error
    assert not output.exists()
