# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import pathlib
import sys
from typing import Any

import pytest

import tilewright
from tests.support.child import run_python
from tests.support.installation import Installation
from tilewright._internal.extension import REINSTALL
from tilewright.doctor.cli import main
from tilewright.doctor.diagnose import diagnose
from tilewright.doctor.report import Cuda, Facts, File, Problem, Report, Tvm, Versions
from tilewright.doctor.text import render

NO_DRIVER = "`libcuda.so.1` could not be opened"
GPU = {
    "index": 0,
    "name": "NVIDIA H200",
    "compute_capability": [9, 0],
    "total_memory_bytes": 150_000_000_000,
}


def tvm_library(*, problem: str | None = None, matches_record: bool | None = True) -> File:
    return File("libtilewright_tvm.so", "/lib/libtilewright_tvm.so", problem, matches_record)


def healthy_facts(**changes: Any) -> Facts:
    """Of a machine with a driver, a GPU and everything in place."""
    facts = Facts(
        versions=Versions(
            tilewright="1.2.3",
            metadata="1.2.3",
            python="CPython 3.12.1",
            executable="/usr/bin/python3",
            platform="Linux 6.1 x86_64",
            glibc="glibc 2.36",
            packages={"numpy": "2.5.0", "torch": None},
        ),
        files=[tvm_library()],
        extension_error=None,
        cpu={"isa": "avx2", "threads": 2, "error": None},
        cuda=cuda(),
        tvm=Tvm(
            report={"version": "0.25", "path": "/lib/libtilewright_tvm.so", "tried": []},
            load_error=None,
        ),
    )
    return dataclasses.replace(facts, **changes)


def cuda(
    *,
    driver_error: str | None = None,
    override: str | None = None,
    devices: tuple[dict[str, Any], ...] = (GPU,),
    devices_error: str | None = None,
    load_error: str | None = None,
) -> Cuda:
    candidate = {
        "major": 13,
        "min_driver": 13000,
        "driver_ok": True,
        "kernel_library": {"path": "/lib/libtilewright_cuda13.so", "exists": True},
        "runtime": "/nvidia/libcudart.so.13",
        "tried": [{"path": "/nvidia/libcudart.so.13", "result": "opened"}],
    }
    report = {
        "driver": {"path": "/lib/libcuda.so.1", "version": 13010, "error": driver_error},
        "override": override,
        "candidates": [candidate],
        "chosen": None if load_error else 13,
        "reason": None if load_error else "the newest",
        "runtime_version": None if load_error else 13000,
        "runtime_path": None if load_error else "/nvidia/libcudart.so.13",
        "min_compute_capability": None if load_error else [8, 0],
    }
    return Cuda(report, list(devices), devices_error, load_error)


def test_diagnose_healthy_machine_has_no_problem() -> None:
    assert diagnose(healthy_facts()) == []


@pytest.mark.parametrize(
    "without",
    [
        cuda(driver_error=NO_DRIVER, devices=(), devices_error=NO_DRIVER, load_error="no driver"),
        cuda(devices=(), devices_error="`cuInit` failed: error 100 (no device)", load_error="none"),
        cuda(devices=(), load_error="no CUDA runtime"),
    ],
    ids=["no driver", "no device", "no device listed"],
)
def test_diagnose_machine_without_a_gpu_has_no_problem(without: Cuda) -> None:
    assert diagnose(healthy_facts(cuda=without)) == []


def test_diagnose_gpu_without_a_runtime_is_a_problem_with_the_librarys_hint() -> None:
    broken = cuda(load_error="no libcudart; tried:\n  /a: not found\nhint: pip install it")
    assert diagnose(healthy_facts(cuda=broken)) == [
        Problem(what="no libcudart; tried:\n  /a: not found", fix="pip install it")
    ]


def test_diagnose_cuda_asked_for_by_name_and_unavailable_is_a_problem_even_without_a_gpu() -> None:
    broken = cuda(
        driver_error=NO_DRIVER,
        override="11",
        devices=(),
        devices_error=NO_DRIVER,
        load_error="`TILEWRIGHT_CUDA` is `11`\nhint: unset it",
    )
    assert diagnose(healthy_facts(cuda=broken)) == [
        Problem(what="`TILEWRIGHT_CUDA` is `11`", fix="unset it")
    ]


def test_diagnose_gpus_older_than_every_kernel_are_a_problem() -> None:
    old = {**GPU, "compute_capability": [7, 5]}
    (problem,) = diagnose(healthy_facts(cuda=cuda(devices=(old, old))))
    assert "no GPU here has compute capability 8.0" in problem.what
    assert diagnose(healthy_facts(cuda=cuda(devices=(old, GPU)))) == []


def test_diagnose_driver_that_fails_is_a_problem() -> None:
    broken = cuda(devices=(), devices_error="`cuInit` failed: error 803 (mismatch)")
    (problem,) = diagnose(healthy_facts(cuda=broken))
    assert "error 803 (mismatch)" in problem.what
    assert "nvidia-smi" in problem.fix


def test_diagnose_mixed_versions_are_a_problem_with_both() -> None:
    versions = dataclasses.replace(healthy_facts().versions, metadata="9.9.9")
    assert diagnose(healthy_facts(versions=versions)) == [
        Problem(
            what="files of two versions are mixed: the package is 1.2.3, its metadata says 9.9.9",
            fix=f"reinstall: {REINSTALL}",
        )
    ]


def test_diagnose_library_that_differs_from_record_is_one_problem_with_its_path() -> None:
    facts = healthy_facts(
        files=[tvm_library(matches_record=False)],
        tvm=Tvm(report={"tried": []}, load_error="`libtilewright_tvm.so` is of another version"),
    )
    assert diagnose(facts) == [
        Problem(
            what="`libtilewright_tvm.so` is not the file that was installed, its sha256 differs "
            "from RECORD's: /lib/libtilewright_tvm.so",
            fix=f"reinstall: {REINSTALL}",
        )
    ]
    assert "/lib/libtilewright_tvm.so: differs from RECORD\n" in render(Report(facts, []))


@pytest.mark.parametrize("matches", [True, None])
def test_diagnose_library_that_record_confirms_or_does_not_list_is_no_problem(
    matches: bool | None,
) -> None:
    facts = healthy_facts(files=[tvm_library(matches_record=matches)])
    assert diagnose(facts) == []
    assert "/lib/libtilewright_tvm.so\n" in render(Report(facts, []))


@pytest.mark.parametrize("wrong", ["is missing", "is empty"])
def test_diagnose_unusable_file_is_one_problem_with_its_path(wrong: str) -> None:
    facts = healthy_facts(
        files=[tvm_library(problem=wrong, matches_record=None)],
        tvm=Tvm(report={"tried": []}, load_error="`libtilewright_tvm.so` not found"),
    )
    (problem,) = diagnose(facts)
    assert problem.what == f"`libtilewright_tvm.so` {wrong}: /lib/libtilewright_tvm.so"
    assert f"/lib/libtilewright_tvm.so: {wrong}\n" in render(Report(facts, []))


def test_diagnose_unloadable_extension_is_a_problem_with_its_hint() -> None:
    facts = healthy_facts(
        extension_error="`_C` is missing\nhint: reinstall it", cpu=None, cuda=None, tvm=None
    )
    assert diagnose(facts) == [Problem(what="`_C` is missing", fix="reinstall it")]


def test_render_healthy_machine_names_the_facts() -> None:
    text = render(Report(healthy_facts(), []))
    for fact in (
        "tilewright 1.2.3",
        "CPython 3.12.1, /usr/bin/python3",
        "glibc 2.36",
        "supports CUDA 13.1, /lib/libcuda.so.1",
        "NVIDIA H200, compute capability 9.0, 139.7 GiB",
        "CUDA 13: the newest",
        "13.0, /nvidia/libcudart.so.13",
        "/nvidia/libcudart.so.13: opened",
        "no problems found",
    ):
        assert fact in text


def test_render_problem_is_followed_by_its_fix() -> None:
    text = render(Report(healthy_facts(), [Problem("first line\nsecond line", "the cure")]))
    assert text.endswith("problems: 1\n  1. first line\n     second line\n     fix: the cure\n")


def test_render_facts_without_extension_or_driver() -> None:
    bare = healthy_facts(cpu=None, cuda=None, tvm=None)
    assert "CUDA" not in render(Report(bare, []))
    broken = healthy_facts(
        cuda=cuda(driver_error=NO_DRIVER, devices=(), devices_error=NO_DRIVER, load_error="none"),
        tvm=Tvm({"tried": [{"path": "/a.so", "result": "not found"}]}, "missing"),
    )
    text = render(Report(broken, []))
    assert f"none: {NO_DRIVER}" in text
    assert "/a.so: not found" in text


def test_doctor_json_describes_this_installation() -> None:
    child = run_python("-m", "tilewright", "doctor", "--json")
    report = json.loads(child.stdout)
    assert child.returncode == (0 if report["ok"] else 1)
    assert report["ok"] == (report["problems"] == [])
    assert report["versions"]["tilewright"] == tilewright.__version__
    assert report["versions"]["executable"] == sys.executable
    assert report["versions"]["packages"]["numpy"] is not None
    assert {file["name"] for file in report["files"]} >= {
        "libtilewright.so",
        "libtilewright_cuda12.so",
        "libtilewright_cuda13.so",
        "libtilewright_ffi.so",
        "libtilewright_tvm.so",
    }
    assert report["cpu"]["threads"] >= 1
    assert {candidate["major"] for candidate in report["cuda"]["report"]["candidates"]} == {12, 13}


def test_doctor_imports_no_array_library() -> None:
    code = (
        "import sys\nfrom tilewright.doctor.cli import main\nmain(['doctor'])\n"
        "assert not {'numpy', 'torch', 'jax', 'cupy'} & set(sys.modules)"
    )
    child = run_python("-c", code)
    assert child.returncode == 0, child.stderr


def test_doctor_search_path_with_entries_that_are_no_strings_changes_nothing() -> None:
    code = (
        "import sys\n"
        "from tilewright.doctor.inspect import inspect\n"
        "before = inspect()\n"
        "sys.path += [None, 0, b'/']\n"
        "assert inspect() == before\n"
        "assert before.versions.packages['numpy'] is not None"
    )
    child = run_python("-c", code)
    assert child.returncode == 0, child.stderr


def test_doctor_bad_override_is_a_problem_that_names_the_allowed_values() -> None:
    child = run_python("-m", "tilewright", "doctor", environment={"TILEWRIGHT_CUDA": "11"})
    assert child.returncode == 1
    assert child.stderr == ""
    assert "`TILEWRIGHT_CUDA` is `11`, expected 12 or 13" in child.stdout


def test_doctor_bad_number_of_threads_is_a_problem_that_names_the_allowed_values() -> None:
    environment = {"TILEWRIGHT_NUM_THREADS": "two"}
    child = run_python("-m", "tilewright", "doctor", environment=environment)
    assert child.returncode == 1
    assert child.stderr == ""
    assert "`TILEWRIGHT_NUM_THREADS` is `two`, expected a whole number from 1" in child.stdout
    assert "fix: unset it" in child.stdout


@pytest.mark.parametrize("rows", [1, 4096])
def test_operator_bad_number_of_threads_is_refused_for_any_size(rows: int) -> None:
    code = (
        "import numpy, tilewright\n"
        f"x = numpy.ones(({rows}, 64), numpy.float32)\n"
        "try: tilewright.rms_norm(x, x[0])\n"
        "except tilewright.errors.InvalidArgumentError as error: print(error)"
    )
    child = run_python("-c", code, environment={"TILEWRIGHT_NUM_THREADS": "two"})
    assert "`TILEWRIGHT_NUM_THREADS` is `two`" in child.stdout, child.stderr


def test_doctor_installation_is_complete() -> None:
    report = json.loads(run_python("-m", "tilewright", "doctor", "--json").stdout)
    assert [file for file in report["files"] if file["problem"] is not None] == []
    assert [file for file in report["files"] if file["matches_record"] is False] == []
    assert report["tvm"]["load_error"] is None


def write_record(installation: Installation, record: bytes | None) -> None:
    """Makes the copy an installed distribution, with this RECORD or none."""
    information = installation.site / f"tilewright-{tilewright.__version__}.dist-info"
    information.mkdir(exist_ok=True)
    metadata = f"Metadata-Version: 2.1\nName: tilewright\nVersion: {tilewright.__version__}\n"
    (information / "METADATA").write_text(metadata)
    if record is not None:
        (information / "RECORD").write_bytes(record)


def files_of(installation: Installation) -> dict[str, dict[str, Any]]:
    report = json.loads(installation.run("-m", "tilewright", "doctor", "--json").stdout)
    return {file["name"]: file for file in report["files"]}


def test_doctor_library_with_another_sha256_than_in_record_is_a_problem(
    tmp_path: pathlib.Path,
) -> None:
    installation = Installation(tmp_path)
    rows = []
    for library in sorted(installation.libraries.iterdir()):
        digest = hashlib.sha256(library.read_bytes()).digest()
        recorded = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        rows.append(f"tilewright/lib/{library.name},sha256={recorded},{library.stat().st_size}\n")
    write_record(installation, "".join(rows).encode())
    files = files_of(installation)
    assert files["libtilewright_ffi.so"]["matches_record"] is True
    assert files["libtilewright_tvm.so"]["matches_record"] is True

    changed = installation.libraries / "libtilewright_ffi.so"
    with changed.open("ab") as file:
        file.write(b"of another build")
    doctor = installation.run("-m", "tilewright", "doctor")
    assert doctor.returncode == 1
    assert (
        "problems: 1\n  1. `libtilewright_ffi.so` is not the file that was installed, its sha256 "
        f"differs from RECORD's: {changed}\n     fix: reinstall: {REINSTALL}\n"
    ) in doctor.stdout
    files = files_of(installation)
    assert files["libtilewright_ffi.so"]["matches_record"] is False
    assert files["libtilewright_tvm.so"]["matches_record"] is True


def test_doctor_library_without_a_hash_in_record_is_not_judged(tmp_path: pathlib.Path) -> None:
    installation = Installation(tmp_path)
    rows = b"tilewright/lib/libtilewright_ffi.so,,\ntilewright/lib/libtilewright_tvm.so\n"
    for record in (None, b"", b"__editable__.tilewright.pth,sha256=x,1\n", rows, b"\xff,\0\n"):
        write_record(installation, record)
        for name, file in files_of(installation).items():
            assert (file["problem"], file["matches_record"]) == (None, None), (record, name)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_doctor_report_that_cannot_be_written_exits_with_3(options: list[str]) -> None:
    code = (
        "import os, sys\n"
        "stdout = os.environ['STDOUT']\n"
        "read, write = os.pipe()\n"
        "os.close(read)\n"
        "if stdout == 'closed': os.close(1)\n"
        "else: os.dup2(write if stdout == 'pipe' else os.open(stdout, os.O_WRONLY), 1)\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'tilewright', 'doctor', *sys.argv[1:]])"
    )
    for stdout, said in {"/dev/full": "No space left on device", "pipe": "", "closed": ""}.items():
        child = run_python("-c", code, *options, environment={"STDOUT": stdout})
        assert child.returncode == 3, child.stderr
        assert said in child.stderr
        assert child.stderr.count("\n") == bool(said)


def test_doctor_path_that_stdout_cannot_express_is_escaped(tmp_path: pathlib.Path) -> None:
    installation = Installation(tmp_path / "grüße")
    environment = {"PYTHONIOENCODING": "ascii"}
    child = installation.run("-m", "tilewright", "doctor", environment=environment)
    assert "gr\\xfc\\xdfe" in child.stdout, child.stderr


@pytest.mark.parametrize("arguments", [[], ["nurse"], ["doctor", "--xml"]])
def test_cli_bad_arguments_exit_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2
    assert "usage: python -m tilewright" in capsys.readouterr().err


def test_cli_version_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["--version"])
    assert exit_info.value.code == 0
    assert capsys.readouterr().out.strip() == tilewright.__version__
