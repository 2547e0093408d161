# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the audit says of wheels with GPU code of our own compilers, CUDA 12.4 and 13.0.

Each library has two fat binaries: `twice.cu` with sm_80 and its PTX, `thrice.cu` with sm_90a.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.audit.cli import main

MAJORS = [12, 13]
DRIVERS = {12: "525.60.13", 13: "580.65.06"}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no pyproject.toml is."""
    for major in MAJORS:
        if f"LIBRARY_CUDA{major}" not in os.environ:
            pytest.skip("run it with `./tools/bazel test //tests/unit/wheel/device_code:all`")
        path = Path(os.environ[f"LIBRARY_CUDA{major}"]).resolve()
        monkeypatch.setenv(f"LIBRARY_CUDA{major}", str(path))
    monkeypatch.chdir(tmp_path)


def wheel(folder: Path, major: int, distribution: str = "pkg", package: str = "pkg") -> str:
    content = Path(os.environ[f"LIBRARY_CUDA{major}"]).read_bytes()
    name = f"{distribution}-1.0-py3-none-manylinux_2_27_x86_64.whl"
    return str(write_tiny_wheel(folder, name, {f"{package}/lib.so": content}))


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Exit code, and what was found in each place."""
    capsys.readouterr()
    code = main([*arguments, "--json"])
    reports = json.loads(capsys.readouterr().out)["wheels"]
    return code, [
        f"{found['path']}: {found['what']}" for report in reports for found in report["findings"]
    ]


@pytest.mark.parametrize("major", MAJORS)
def test_code_missing_from_a_file_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], major: int
) -> None:
    command = [wheel(tmp_path, major), "--only=device-code-missing"]
    assert findings(capsys, *command, "--archs=sm_80,sm_90a,compute_80") == (0, [])
    assert findings(capsys, *command, "--archs=sm_80,compute_90") == (
        101,
        ["pkg/lib.so: it has no compute_90; it has compute_80, sm_80, sm_90a"],
    )


@pytest.mark.parametrize("major", MAJORS)
def test_kernel_without_code_for_a_gpu_is_found_by_its_fat_binary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], major: int
) -> None:
    command = [wheel(tmp_path, major), "--only=device-code-gap"]
    # The first has PTX, which sm_90 compiles.
    assert findings(capsys, *command, "--archs=sm_90a") == (0, [])
    code, (found,) = findings(capsys, *command, "--archs=sm_80")
    assert code == 102
    assert found == (
        "pkg/lib.so: 1 of 2 fat binaries have no code for sm_80: fat binary 0 (kernel "
        "`tiny_thrice`) has sm_90a"
    )


@pytest.mark.parametrize(("major", "other"), [(12, 13), (13, 12)])
def test_code_of_another_major_than_the_name_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], major: int, other: int
) -> None:
    good = wheel(tmp_path, major, f"pkg_cu{major}")
    assert findings(capsys, good, "--only=cuda-major") == (0, [])
    bad = wheel(tmp_path, major, f"pkg_cu{other}")
    assert findings(capsys, bad, "--only=cuda-major") == (
        105,
        [
            f": it is for CUDA {other} by its name, but `pkg/lib.so` is for CUDA {major} (needs "
            f"`libcudart.so.{major}`)"
        ],
    )


@pytest.mark.parametrize("major", MAJORS)
def test_code_that_needs_a_newer_driver_than_declared_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], major: int
) -> None:
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.tilewright-audit]\ndriver = "{DRIVERS[major]}"\n'
    )
    command = [wheel(tmp_path, major), "--only=cuda-driver"]
    assert findings(capsys, *command) == (0, [])
    (tmp_path / "pyproject.toml").write_text('[tool.tilewright-audit]\ndriver = "520.61.05"\n')
    code, (found,) = findings(capsys, *command)
    assert code == 106
    compression = {12: "lz4 and none", 13: "none and zstd"}[major]
    assert found == (
        f"pkg/lib.so: it needs driver {DRIVERS[major]} (CUDA {major}, compression {compression}); "
        "declared is 520.61.05"
    )


def test_wheels_of_two_majors_with_a_common_path_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apart = [wheel(tmp_path, major, f"pkg_cu{major}", f"pkg{major}") for major in MAJORS]
    assert findings(capsys, *apart, "--only=cuda-shared-paths") == (0, [])
    together = [wheel(tmp_path, major, f"pkg_cu{major}") for major in MAJORS]
    code, found = findings(capsys, *together, "--only=cuda-shared-paths")
    assert code == 109
    assert found == [
        f"pkg/lib.so: `pkg_cu{other}-1.0-py3-none-manylinux_2_27_x86_64.whl` installs it as well; "
        "the later one wins"
        for other in (13, 12)
    ]


@pytest.mark.parametrize("major", MAJORS)
def test_size_of_each_architecture_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], major: int
) -> None:
    main([wheel(tmp_path, major), "--json", "--only=device-code-size"])
    (report,) = json.loads(capsys.readouterr().out)["wheels"]
    (file,) = report["device_code"]
    assert sorted(file["sizes"]) == ["compute_80", "sm_80", "sm_90a"]
    assert all(size > 0 for size in file["sizes"].values())
    assert report["findings"] == []
    assert main([wheel(tmp_path, major), "--only=device-code-size", "--max-size=1000"]) == 0
    text = capsys.readouterr().out
    assert "device-code-size: " in text
    assert "; of it about sm_80 0.0 MiB, sm_90a 0.0 MiB, compute_80 0.0 MiB; would " in text
