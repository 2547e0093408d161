# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import json
import zipfile
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
        "name": NAME,
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


@pytest.mark.parametrize("compress", [True, False])
def test_main_wheel_for_development_is_stored(tmp_path: Path, compress: bool) -> None:
    output = tmp_path / NAME
    request = _request(tmp_path, compress=compress)
    (tmp_path / "a.py").write_text("A = 1\n" * 100)
    assert main(["--request", str(request), "--output", str(output)]) == 0
    (entry,) = [
        item for item in zipfile.ZipFile(output).infolist() if item.filename == "my_pkg/a.py"
    ]
    assert entry.compress_type == (zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED)
    assert (entry.compress_size < entry.file_size) == compress


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


def test_main_requirement_files_add_to_the_lists(tmp_path: Path) -> None:
    (tmp_path / "base.txt").write_text("# base\nscipy>=1  # fast\n\n  pip @ https://a.org/p#b=c\n")
    (tmp_path / "x.txt").write_text("torch; python_version > '3.10'\n")
    request = _request(
        tmp_path,
        metadata={"requires": ["numpy"], "extra_requires": {"x": ["jax"]}},
        requires_file=str(tmp_path / "base.txt"),
        extra_requires_files={"x": [str(tmp_path / "x.txt")], "y": [str(tmp_path / "x.txt")]},
    )
    output = tmp_path / "absent" / NAME
    assert main(["--request", str(request), "--output", str(output)]) == 0
    metadata = read_members(output)["my_pkg-1.0.dist-info/METADATA"].decode()
    assert [line for line in metadata.splitlines() if line.startswith(("Requires", "Prov"))] == [
        "Requires-Dist: numpy",
        "Requires-Dist: scipy>=1",
        "Requires-Dist: pip @ https://a.org/p#b=c",
        "Provides-Extra: x",
        'Requires-Dist: jax ; extra == "x"',
        'Requires-Dist: torch ; (python_version > "3.10") and extra == "x"',
        "Provides-Extra: y",
        'Requires-Dist: torch ; (python_version > "3.10") and extra == "y"',
    ]


def test_main_option_in_requirement_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "base.txt").write_text("numpy\n-r other.txt\n")
    request = _request(tmp_path, requires_file=str(tmp_path / "base.txt"))
    assert main(["--request", str(request), "--output", str(tmp_path / NAME)]) == 21
    assert "line 2: `-r other.txt` is an option" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_main_jobs_below_one_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    arguments = ["--request", str(_request(tmp_path)), "--output", str(tmp_path / NAME)]
    with pytest.raises(SystemExit) as caught:
        main([*arguments, f"--jobs={jobs}"])
    assert caught.value.code == 2
    assert f"`{jobs}` is not a whole number from 1 on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"name": "my_pkg-1.0-py3-none-macosx-10.9.whl"}, 10, "is not a wheel file name"),
        ({"name": {"version": "1.0"}}, 20, "cannot use request"),
        ({"description_file": "/absent"}, 20, "cannot read `/absent`"),
        ({"requires_file": "/absent"}, 20, "cannot read `/absent`"),
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
