# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import pathlib

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.audit.cli import main

PURE = "pkg-1.0-py3-none-any.whl"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no pyproject.toml is."""
    monkeypatch.chdir(tmp_path)


def test_audit_command_passes_a_sound_wheel(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_tiny_wheel(tmp_path, PURE, {"pkg/__init__.py": b""})
    assert main([str(wheel)]) == 0
    output = capsys.readouterr()
    assert output.out.startswith(f"{PURE}\n")
    assert "passed: 0 errors" in output.out
    assert output.err == ""


def test_audit_command_fails_with_the_code_of_the_finding(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_tiny_wheel(tmp_path, PURE, {"pkg/a.py": b""}, record="")
    code = main(["--json", str(wheel)])
    (report,) = json.loads(capsys.readouterr().out)["wheels"]
    assert code == report["exit_code"] == report["findings"][0]["exit_code"] != 0


def test_audit_command_ends_with_the_first_code_of_all_wheels(tmp_path: pathlib.Path) -> None:
    native = write_tiny_wheel(tmp_path, PURE, {"pkg/a.so": TinyElf(stack_flags=7).build()})
    stale = write_tiny_wheel(tmp_path, "b-1.0-py3-none-any.whl", {"b/a.py": b""}, record="")
    codes = [main([str(wheel)]) for wheel in (native, stale)]
    assert codes[0] > codes[1] > 0
    assert main([str(native), str(stale)]) == main([str(stale), str(native)]) == codes[1]


def test_audit_command_names_an_absent_wheel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([PURE]) == 11
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"tilewright-audit: cannot read `{PURE}`: ")
    assert "\nhint: " in output.err


@pytest.mark.parametrize("majors", ["", "12,", "cu12", "12.4"])
def test_audit_command_refuses_bad_majors(majors: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"--cuda={majors}", PURE]) == 50
    assert f"`--cuda {majors}` is no list of CUDA majors" in capsys.readouterr().err


def test_audit_command_lists_its_checks(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--list-checks"])
    assert end.value.code == 0
    assert " 70 error    elf-executable-stack: No file asks" in capsys.readouterr().out


def test_audit_command_runs_single_checks(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_tiny_wheel(tmp_path, PURE, {"pkg/a.py": b""}, record="")
    assert main(["--only", "elf-executable-stack", str(wheel)]) == 0
    assert "; 1 checks\n" in capsys.readouterr().out
    assert main(["--only", "elf-other", str(wheel)]) == 50
    assert "there is no check `elf-other`\nhint: " in capsys.readouterr().err


def test_audit_command_writes_its_verdict_for_build_actions(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_tiny_wheel(tmp_path, PURE, {"pkg/a.py": b""}, record="")
    report, code = tmp_path / "report", tmp_path / "code"
    assert main(["--output", str(report), "--exit-code-file", str(code), str(wheel)]) == 0
    assert report.read_text().startswith(f"{PURE}\n  error ")
    assert code.read_text() == f"{main([str(wheel)])}\n" != "0\n"


def test_audit_command_takes_what_may_be_copied(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "pkg-1.0-py3-none-manylinux_2_27_x86_64.whl"
    files = {"pkg.libs/liba-0123abcd.so": TinyElf(), "pkg.libs/libgfortran.so.5": TinyElf()}
    wheel = write_tiny_wheel(tmp_path, name, {path: elf.build() for path, elf in files.items()})
    run = ["--only=library-grafted", str(wheel)]
    assert main(run) == 95
    assert "copy of `liba.so`; nothing allows it" in capsys.readouterr().out
    assert main([*run, "--allow-grafted=liba.so*", "--allow-grafted=libgfortran.so.*"]) == 0
    assert main([*run, "--allow-grafted=liba.so*"]) == 95
    (tmp_path / "pyproject.toml").write_text("[tool.tilewright-audit]\nallow-grafted = ['lib*']\n")
    assert main(run) == 0


@pytest.mark.parametrize("output", ["absent/report", ".", "/dev/full"])
def test_audit_command_names_an_output_that_cannot_be_written(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    wheel = write_tiny_wheel(tmp_path, PURE, {"pkg/a.py": b""})
    assert main(["--output", output, str(wheel)]) == 15
    assert capsys.readouterr().err.startswith("tilewright-audit: [Errno ")


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("--policy=manylinux_99999999999999_1", "there is no policy for the platform"),
        ("--policy=manylinux_" + "9" * 5000 + "_1", "there is no policy for the platform"),
        ("--policy=manylinux", "there is no policy for the platform `manylinux`"),
        ("--archs=", "`archs` holds ``, which is no GPU code"),
        ("--max-size=-5", "`max-size` is -5, below zero"),
    ],
)
def test_audit_command_refuses_declarations_that_no_wheel_can_keep(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], flag: str, message: str
) -> None:
    wheel = write_tiny_wheel(tmp_path, PURE, {"pkg/a.py": b""})
    assert main([flag, str(wheel)]) == 50
    assert message in capsys.readouterr().err
