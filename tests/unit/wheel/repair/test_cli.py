# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The whole tool on tiny wheels, auditwheel's policies included."""

import ctypes
import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import read_members, write_tiny_wheel
from tools.wheel.archive.reader import open_wheel
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.providers.families import original_name
from tools.wheel.repair.cli import main

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
REPAIRED = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
EXTENSION = "pkg/_C.cpython-312-x86_64-linux-gnu.so"
PLATFORM = ["--plat", "manylinux_2_27_x86_64"]

CUDA_WHEEL = {
    EXTENSION: TinyElf(
        needed=("libpkg.so", "libc.so.6"), runpath="$ORIGIN/lib", defines=("PyInit__C",)
    ).build(),
    "pkg/lib/libpkg.so": TinyElf(soname="libpkg.so").build(),
    "pkg/lib/libpkg_cuda13.so": TinyElf(
        soname="libpkg_cuda13.so",
        needed=("libcudart.so.13", "libc.so.6"),
        runpath="$ORIGIN/../../nvidia/cu13/lib",
        versions={"libc.so.6": ("GLIBC_2.17",)},
    ).build(),
}


def test_main_cuda_wheel_is_retagged_and_left_alone(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, CUDA_WHEEL)
    output = tmp_path / REPAIRED
    arguments = [str(wheel), *PLATFORM, "--exclude-family", "cuda", "--output", str(output)]
    assert main(arguments) == 0
    members = read_members(output)
    assert {path: members[path] for path in CUDA_WHEEL} == CUDA_WHEEL
    assert read_wheel(output).metadata.tags == ("cp312-cp312-manylinux_2_27_x86_64",)
    assert sorted(members) == sorted(read_members(wheel))


def test_main_tags_of_before_are_replaced(tmp_path: Path) -> None:
    """A claim that nobody measured does not survive."""
    old = "pkg-1.0-cp312-cp312-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
    wheel = write_tiny_wheel(tmp_path, old, {EXTENSION: TinyElf().build()})
    out = tmp_path / "out"
    assert main([str(wheel), *PLATFORM, "-w", str(out)]) == 0
    assert read_wheel(out / REPAIRED).metadata.tags == ("cp312-cp312-manylinux_2_27_x86_64",)


def _graft_from(folder: Path) -> list[str]:
    """The arguments that let every library of a folder be copied."""
    return ["--library-folder", str(folder), "--allow-grafted", "*"]


def test_main_repeated_repair_gives_same_bytes(tmp_path: Path) -> None:
    """Wherever the wheel lies, with any number of threads, in whatever order sets iterate."""
    for library in ("libfoo.so.3", "libbar.so.1", "libbaz.so"):
        others = ("libbar.so.1", "libbaz.so") if library == "libfoo.so.3" else ()
        elf = TinyElf(soname=library, needed=others, runpath="$ORIGIN")
        (tmp_path / library).write_bytes(elf.build())
    needed = ("libfoo.so.3", "libbar.so.1", "libbaz.so", "libc.so.6")
    files = {EXTENSION: TinyElf(needed=needed).build()}
    digests = set()
    for number in range(4):
        folder = tmp_path / str(number) / ("deep" * number)
        folder.mkdir(parents=True)
        wheel = write_tiny_wheel(folder, NAME, files)
        arguments = [*PLATFORM, *_graft_from(tmp_path), "-w", str(folder)]
        subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from tools.wheel.repair.cli import main; sys.exit(main())",
                str(wheel),
                *arguments,
                f"--jobs={number + 1}",
            ],
            env={**os.environ, "PYTHONHASHSEED": str(number)},
            check=True,
        )
        digests.add(hashlib.sha256((folder / REPAIRED).read_bytes()).hexdigest())
    assert len(digests) == 1


def test_main_library_from_named_folder_is_grafted_and_loads(tmp_path: Path) -> None:
    library = TinyElf(soname="libfoo.so.3", defines=("foo",)).build()
    (tmp_path / "libfoo.so.3").write_bytes(library)
    files = {EXTENSION: TinyElf(needed=("libfoo.so.3",), defines=("PyInit__C",)).build()}
    wheel = write_tiny_wheel(tmp_path, NAME, files)
    out = tmp_path / "out"
    arguments = [str(wheel), *PLATFORM, *_graft_from(tmp_path), "-w", str(out)]
    assert main(arguments) == 0
    report = read_wheel(out / REPAIRED)
    grafted = [path for path in report.elf_files if path.startswith("pkg.libs/")]
    assert grafted == [f"pkg.libs/libfoo-{hashlib.sha256(library).hexdigest()[:8]}.so.3"]
    assert report.elf_files[EXTENSION].rpath == ("$ORIGIN/../pkg.libs",)
    sbom = "pkg-1.0.dist-info/sboms/tilewright-repair.cdx.json"
    assert [path for path in report.hashes if "sboms" in path] == [sbom]
    for path, content in read_members(out / REPAIRED).items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(content)
    # Reached through the extension alone: the loader found the copy beside it.
    assert ctypes.CDLL(str(out / EXTENSION)).foo


def test_main_linked_library_is_grafted_under_the_name_that_is_needed(tmp_path: Path) -> None:
    """As Bazel's sandbox has it: each input is a link to a file elsewhere, with any name."""
    elsewhere, linked = tmp_path / "elsewhere", tmp_path / "linked"
    elsewhere.mkdir()
    linked.mkdir()
    # Needed by the other library alone.
    (elsewhere / "b.bin").write_bytes(TinyElf(soname="libbar.so.1", defines=("bar",)).build())
    (elsewhere / "f.bin").write_bytes(
        TinyElf(soname="libfoo.so.3", needed=("libbar.so.1",)).build()
    )
    (linked / "libbar.so.1").symlink_to(elsewhere / "b.bin")
    (linked / "libfoo.so.3").symlink_to(elsewhere / "f.bin")
    wheel = write_tiny_wheel(tmp_path, NAME, {EXTENSION: TinyElf(needed=("libfoo.so.3",)).build()})
    out = tmp_path / "out"
    arguments = [str(wheel), *PLATFORM, *_graft_from(linked), "-w", str(out)]
    assert main(arguments) == 0
    grafted = {path for path in read_wheel(out / REPAIRED).elf_files if path != EXTENSION}
    assert {original_name(path) for path in grafted} == {"libfoo.so.3", "libbar.so.1"}


def test_main_executable_files_stay_executable(tmp_path: Path) -> None:
    modes = {"pkg/run.sh": 0o775, "pkg/a.py": 0o664}
    wheel = write_tiny_wheel(
        tmp_path, NAME, {EXTENSION: TinyElf().build(), **dict.fromkeys(modes, b"#!")}, modes=modes
    )
    output = tmp_path / "absent" / REPAIRED
    assert main([str(wheel), *PLATFORM, "--output", str(output)]) == 0
    with zipfile.ZipFile(output) as archive:
        found = {path: archive.getinfo(path).external_attr >> 16 & 0o777 for path in modes}
    assert found == {"pkg/run.sh": 0o755, "pkg/a.py": 0o644}


def test_main_dry_run_prints_plan_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, CUDA_WHEEL)
    assert main([str(wheel), *PLATFORM, "--exclude-family", "cuda", "--dry-run"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["wheel"] == REPAIRED
    assert plan["families"] == ["driver", "cuda"]
    assert {
        "library": "libcudart.so.13",
        "outcome": "excluded",
        "source": "cuda",
        "needed_by": ["pkg/lib/libpkg_cuda13.so"],
        "chain": ["pkg/lib/libpkg_cuda13.so", "libcudart.so.13"],
    } in plan["dependencies"]
    assert list(tmp_path.iterdir()) == [wheel]


def test_main_report_is_written_beside_the_wheel(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, CUDA_WHEEL)
    report = tmp_path / "report.json"
    arguments = [str(wheel), *PLATFORM, "--exclude-family", "cuda", "-w", str(tmp_path / "out")]
    assert main([*arguments, "--report", str(report)]) == 0
    assert json.loads(report.read_text())["platform"] == "manylinux_2_27_x86_64"
    assert str(tmp_path) not in report.read_text()


@pytest.mark.parametrize(
    ("files", "arguments", "code", "message"),
    [
        (CUDA_WHEEL, [], 35, "needs `libcudart.so.13`"),
        (CUDA_WHEEL, ["--exclude", "libcudart.so"], 35, "needs `libcudart.so.13`"),
        (
            CUDA_WHEEL,
            ["--exclude-family", "cuda", "--exclude", "libfoo.so.*"],
            43,
            "exclude pattern `libfoo.so.*` matches no library that the wheel needs",
        ),
        (CUDA_WHEEL, ["--exclude-family", "cud"], 30, "unknown exclude family `cud`"),
        ({"pkg/a.py": b""}, [], 32, "holds no shared object"),
        ({EXTENSION: b"\x7fELF"}, [], 33, "is no readable ELF file"),
        (
            {EXTENSION: TinyElf(runpath="/usr/local/cuda/lib64/stubs:/home/bob/build").build()},
            [],
            40,
            "'/usr/local/cuda/lib64/stubs', which is not relative",
        ),
        # Found by name alone; no search path of the extension leads to it.
        (
            {
                EXTENSION: TinyElf(needed=("libpkg.so",), defines=("PyInit__C",)).build(),
                "pkg/lib/libpkg.so": TinyElf().build(),
            },
            [],
            35,
            "in the wheel at `pkg/lib/libpkg.so`, where its search path [] does not lead",
        ),
    ],
)
def test_main_wheel_that_cannot_be_repaired_leaves_nothing(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, bytes],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, files)
    out = tmp_path / "out"
    out.mkdir()
    output = ["--output", str(out / REPAIRED)]
    assert main([str(wheel), *PLATFORM, *output, *arguments]) == code
    error = capsys.readouterr().err
    assert message in error
    assert "\nhint: " in error
    assert list(out.iterdir()) == []


def test_main_output_with_other_name_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, CUDA_WHEEL)
    output = tmp_path / "pkg-1.0-cp312-cp312-manylinux_2_28_x86_64.whl"
    arguments = [str(wheel), *PLATFORM, "--exclude-family", "cuda", "--output", str(output)]
    assert main(arguments) == 39
    assert f"the repaired wheel is `{REPAIRED}`" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-w", "--output"])
def test_main_output_that_is_the_wheel_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    wheel = write_tiny_wheel(tmp_path, REPAIRED, {EXTENSION: TinyElf(rpath="$ORIGIN/x").build()})
    before = wheel.read_bytes()
    output = f"{tmp_path}/../{tmp_path.name}" + (f"/{REPAIRED}" if option == "--output" else "")
    assert main([str(wheel), *PLATFORM, option, output]) == 15
    assert capsys.readouterr().err == (
        f"tilewright-repair: the repaired wheel would take the place of `{wheel}`, which has its "
        "name\nhint: give another folder; the wheel to repair is left as it is\n"
    )
    assert wheel.read_bytes() == before


def _write_grafting_wheel(folder: Path) -> list[str]:
    """The arguments that repair a wheel whose extension needs a library from elsewhere."""
    (folder / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    wheel = write_tiny_wheel(folder, NAME, {EXTENSION: TinyElf(needed=("libfoo.so.3",)).build()})
    return [str(wheel), *PLATFORM, *_graft_from(folder), "-w", str(folder / "out")]


def test_main_absent_library_folder_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([NAME, *PLATFORM, "--dry-run", "--library-folder", str(tmp_path / "absent")])
    assert end.value.code == 2
    assert "there is no folder `" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["-w", "file"],
        ["-w", "/proc/absent"],
        ["-w", "out", "--report", "."],
        ["-w", "taken"],
    ],
)
def test_main_place_that_cannot_be_written_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "taken" / REPAIRED).mkdir(parents=True)
    wheel = write_tiny_wheel(tmp_path, NAME, CUDA_WHEEL)
    assert main([str(wheel), *PLATFORM, "--exclude-family", "cuda", *arguments]) == 15
    assert capsys.readouterr().err.startswith("tilewright-repair: [Errno ")


def test_main_file_that_cannot_be_edited_is_named_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = _write_grafting_wheel(tmp_path)
    elf = bytearray(TinyElf(needed=("libfoo.so.3",)).build())
    elf[0x28:0x30], elf[0x3C:0x40] = bytes(8), bytes(4)
    write_tiny_wheel(tmp_path, NAME, {EXTENSION: bytes(elf)})
    assert main(arguments) == 42
    message = (
        f"tilewright-repair: `{EXTENSION}` cannot be edited: no section header tells whether there "
        "is room for a program header\nhint: link the file so that it needs no edit"
    )
    assert message in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


def test_main_file_that_is_not_edited_keeps_its_deflated_bytes(tmp_path: Path) -> None:
    arguments = _write_grafting_wheel(tmp_path)
    wheel = write_tiny_wheel(
        tmp_path,
        NAME,
        {
            EXTENSION: TinyElf(needed=("libfoo.so.3",)).build(),
            "pkg/other.so": TinyElf(payload=b"abc" * 5000).build(),
        },
    )
    assert main(arguments) == 0
    with open_wheel(wheel) as before, open_wheel(tmp_path / "out" / REPAIRED) as after:
        raw = b"".join(before.archived("pkg/other.so", "").raw_chunks())
        assert b"".join(after.archived("pkg/other.so", "").raw_chunks()) == raw


def test_main_level_zero_stores_every_file(tmp_path: Path) -> None:
    assert main([*_write_grafting_wheel(tmp_path), "--level", "0"]) == 0
    with zipfile.ZipFile(tmp_path / "out" / REPAIRED) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}


def test_main_runpath_of_the_wheel_stays_runpath(tmp_path: Path) -> None:
    arguments = _write_grafting_wheel(tmp_path)
    elf = TinyElf(needed=("libfoo.so.3",), runpath="$ORIGIN/lib")
    write_tiny_wheel(tmp_path, NAME, {EXTENSION: elf.build()})
    assert main(arguments) == 0
    found = read_wheel(tmp_path / "out" / REPAIRED).elf_files[EXTENSION]
    assert (found.rpath, found.runpath) == ((), ("$ORIGIN/lib", "$ORIGIN/../pkg.libs"))


def test_main_record_that_differs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = "pkg-1.0.dist-info/RECORD,,\n"
    wheel = write_tiny_wheel(tmp_path, NAME, CUDA_WHEEL, record=record)
    assert main([str(wheel), *PLATFORM, "-w", str(tmp_path / "out")]) == 13
    assert "is not listed in RECORD" in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


def test_main_surroundings_are_left_as_they_were(tmp_path: Path) -> None:
    before, where = dict(os.environ), Path.cwd()
    test_main_cuda_wheel_is_retagged_and_left_alone(tmp_path)
    assert dict(os.environ) == before
    assert Path.cwd() == where
