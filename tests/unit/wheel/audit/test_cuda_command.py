# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""GPU code from the bytes of a wheel to the report of the command."""

import json
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_fatbin import TinyImage, build_section
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.audit.cli import main

FATBIN = build_section(
    [
        [TinyImage("elf", 80, identifier="rms_norm.cu"), TinyImage("ptx", 80, compression="lz4")],
        [TinyImage("elf", 90, "a", identifier="gemm.cu")],
    ]
)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no pyproject.toml is."""
    monkeypatch.chdir(tmp_path)


def write_wheel(folder: Path, distribution: str, cudart: int) -> str:
    name = f"{distribution}-1.0-py3-none-manylinux_2_27_x86_64.whl"
    library = TinyElf(needed=(f"libcudart.so.{cudart}",), sections={".nv_fatbin": FATBIN})
    return str(write_tiny_wheel(folder, name, {"pkg/lib.so": library.build()}))


def test_audit_command_names_the_kernels_without_code_for_a_declared_gpu(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_wheel(tmp_path, "pkg", 12)
    checks = ["--only", "device-code-missing", "--only", "device-code-gap"]
    assert main([wheel, *checks, "--archs", "sm_80,sm_90a"]) == 102
    assert (
        "  error      device-code-gap: `pkg/lib.so`: 1 of 2 fat binaries have no code for sm_80: "
        "fat binary 1 (`gemm.cu`) has sm_90a\n"
    ) in capsys.readouterr().out
    assert main([wheel, *checks, "--archs", "sm_90a,compute_90"]) == 101
    assert main([wheel, *checks, "--archs", "sm_90a"]) == 0


def test_audit_command_reports_the_code_of_each_file_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_wheel(tmp_path, "pkg", 12)
    main([wheel, "--json", "--only", "cuda-major"])
    (report,) = json.loads(capsys.readouterr().out)["wheels"]
    (file,) = report["device_code"]
    assert file["path"] == "pkg/lib.so"
    assert file["sizes"] == {"compute_80": 64, "sm_80": 64, "sm_90a": 64}
    assert file["minimum_driver"] == "525.60.13"


def test_audit_command_holds_wheels_of_two_majors_against_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheels = [write_wheel(tmp_path, "pkg_cu12", 12), write_wheel(tmp_path, "pkg_cu13", 13)]
    assert main([*wheels, "--only", "cuda-shared-paths"]) == 109
    output = capsys.readouterr()
    assert (
        "cuda-shared-paths: `pkg/lib.so`: `pkg_cu13-1.0-py3-none-manylinux_2_27_x86_64.whl` "
        "installs it as well; the later one wins"
    ) in output.out
    assert main([wheels[0], "--only", "cuda-shared-paths"]) == 0
