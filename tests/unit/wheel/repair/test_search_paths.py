# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The way to excluded libraries: what is planned, what is written, what the loader finds."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import read_members, write_tiny_wheel
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.cli import main
from tools.wheel.repair.plan import Options, RepairPlan, plan_repair

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
REPAIRED = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
PLATFORM = "manylinux_2_27_x86_64"
TOP, DEEP = "pkg/_C.so", "pkg/lib/libpkg.so"
RUNTIME_12, RUNTIME_13 = "nvidia-cuda-runtime-cu12", "nvidia-cuda-runtime"
CUDART_12, CUDART_13 = TinyElf(needed=("libcudart.so.12",)), TinyElf(needed=("libcudart.so.13",))


def _wheel(folder: Path, files: Mapping[str, TinyElf], *requires: str) -> Path:
    lines = ["Metadata-Version: 2.1", "Name: pkg", "Version: 1.0"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    content = {path: elf.build() for path, elf in files.items()}
    metadata = {"pkg-1.0.dist-info/METADATA": ("\n".join(lines) + "\n").encode()}
    return write_tiny_wheel(folder, NAME, {**content, **metadata})


def _plan(folder: Path, files: Mapping[str, TinyElf], *requires: str) -> RepairPlan:
    options = Options(PLATFORM, ("cuda", "torch", "tvm", "tvm_ffi"))
    return plan_repair(read_wheel(_wheel(folder, files, *requires)), options)


def _paths(plan: RepairPlan) -> dict[str, tuple[str, ...]]:
    return {path: edit.search_path for path, edit in plan.edits.own.items()}


@pytest.mark.parametrize(
    ("path", "library", "requirement", "entry"),
    [
        (TOP, "libcudart.so.12", RUNTIME_12, "$ORIGIN/../nvidia/cuda_runtime/lib"),
        (DEEP, "libcudart.so.12", RUNTIME_12, "$ORIGIN/../../nvidia/cuda_runtime/lib"),
        (TOP, "libcudart.so.13", RUNTIME_13, "$ORIGIN/../nvidia/cu13/lib"),
        (DEEP, "libcudart.so.13", RUNTIME_13, "$ORIGIN/../../nvidia/cu13/lib"),
        ("_top.so", "libcudart.so.13", RUNTIME_13, "$ORIGIN/nvidia/cu13/lib"),
        ("nvidia/cu13/lib/libown.so", "libcudart.so.13", RUNTIME_13, "$ORIGIN"),
        (
            "pkg-1.0.data/platlib/pkg/_C.so",
            "libcudart.so.13",
            RUNTIME_13,
            "$ORIGIN/../nvidia/cu13/lib",
        ),
        (TOP, "libcudart.so.13", f'{RUNTIME_13}; extra == "cuda13"', "$ORIGIN/../nvidia/cu13/lib"),
        (TOP, "libcudart.so.13", "cuda-toolkit[cudart]==13.*", "$ORIGIN/../nvidia/cu13/lib"),
        (DEEP, "libtorch.so", "torch>=2.5", "$ORIGIN/../../torch/lib"),
        (DEEP, "libtvm_ffi.so", "apache-tvm-ffi", "$ORIGIN/../../tvm_ffi/lib"),
        (TOP, "libtvm_runtime.so", "apache-tvm", "$ORIGIN/../tvm/lib"),
        (TOP, "libcusparseLt.so.0", "nvidia-cusparselt-cu12<0.7", "$ORIGIN/../cusparselt/lib"),
    ],
)
def test_plan_search_paths_entry_counts_from_the_files_own_depth(
    tmp_path: Path, path: str, library: str, requirement: str, entry: str
) -> None:
    plan = _plan(tmp_path, {path: TinyElf(needed=(library, "libc.so.6"))}, requirement)
    assert _paths(plan) == {path: (entry,)}


@pytest.mark.parametrize(
    ("elf", "requires"),
    [
        # Nothing is required, or another library, or versions of which the table knows none.
        (CUDART_13, []),
        (CUDART_13, [RUNTIME_12]),
        (CUDART_13, [f"{RUNTIME_13}<13"]),
        # The driver is no package, and what lies nowhere under its soname is not found.
        (TinyElf(needed=("libcuda.so.1",)), [RUNTIME_13]),
        (TinyElf(needed=("libnvvm.so.4",)), ["nvidia-cuda-nvcc-cu12"]),
        # An entry leads there, however it is spelled.
        (
            TinyElf(needed=("libcudart.so.13",), rpath="${ORIGIN}/..//./nvidia/cu13/lib/"),
            [RUNTIME_13],
        ),
        (TinyElf(needed=("libcudart.so.13",), runpath="$ORIGIN/../nvidia/cu13/lib"), [RUNTIME_13]),
    ],
)
def test_plan_search_paths_file_that_lacks_none_is_not_edited(
    tmp_path: Path, elf: TinyElf, requires: list[str]
) -> None:
    assert _plan(tmp_path, {TOP: elf}, *requires).edits.own == {}


def test_plan_search_paths_script_gets_none(tmp_path: Path) -> None:
    """Its folder is not below site-packages, so no relative path leads there for sure."""
    files = {"pkg-1.0.data/scripts/run": CUDART_13, TOP: CUDART_13}
    assert set(_paths(_plan(tmp_path, files, RUNTIME_13))) == {TOP}


def test_plan_search_paths_own_entries_stay_in_front_and_folders_come_once(tmp_path: Path) -> None:
    needed = ("libcudnn.so.9", "libcublas.so.13", "libcudart.so.13")
    elf = TinyElf(needed=needed, runpath="$ORIGIN/lib:$ORIGIN")
    requires = ["nvidia-cudnn-cu13", "nvidia-cublas", RUNTIME_13]
    plan = _plan(tmp_path, {TOP: elf}, *requires)
    assert _paths(plan)[TOP] == (
        "$ORIGIN/lib",
        "$ORIGIN",
        "$ORIGIN/../nvidia/cu13/lib",
        "$ORIGIN/../nvidia/cudnn/lib",
    )
    assert plan.edits.as_json()[0]["added"] == [
        {
            "entry": "$ORIGIN/../nvidia/cu13/lib",
            "for": [
                {"library": "libcublas.so.13", "package": "nvidia-cublas"},
                {"library": "libcudart.so.13", "package": RUNTIME_13},
            ],
        },
        {
            "entry": "$ORIGIN/../nvidia/cudnn/lib",
            "for": [{"library": "libcudnn.so.9", "package": "nvidia-cudnn-cu13"}],
        },
    ]


def test_plan_search_paths_folder_of_the_newest_version_comes_first(tmp_path: Path) -> None:
    files = {TOP: TinyElf(needed=("libcusparseLt.so.0",))}
    assert _paths(_plan(tmp_path, files, "nvidia-cusparselt-cu12"))[TOP] == (
        "$ORIGIN/../nvidia/cusparselt/lib",
        "$ORIGIN/../cusparselt/lib",
    )


@pytest.mark.parametrize(
    ("needed", "folders"),
    [
        (("libcudart.so.12", "libcurand.so.10"), ("cuda_runtime", "curand")),
        (("libcudart.so.13", "libcurand.so.10"), ("cu13",)),
        # Nothing tells which of the two it is for.
        (("libcurand.so.10",), ("cu13", "curand")),
    ],
)
def test_plan_search_paths_soname_of_two_toolkits_is_taken_from_the_files_own(
    tmp_path: Path, needed: tuple[str, ...], folders: tuple[str, ...]
) -> None:
    requires = [RUNTIME_12, RUNTIME_13, "nvidia-curand-cu12", "nvidia-curand"]
    plan = _plan(tmp_path, {TOP: TinyElf(needed=needed)}, *requires)
    assert _paths(plan)[TOP] == tuple(f"$ORIGIN/../nvidia/{folder}/lib" for folder in folders)


@pytest.mark.parametrize(
    ("other", "rpath"), [(TinyElf(runpath="$ORIGIN"), False), (TinyElf(rpath="$ORIGIN"), True)]
)
def test_plan_search_paths_kind_is_that_of_the_wheel(
    tmp_path: Path, other: TinyElf, rpath: bool
) -> None:
    plan = _plan(tmp_path, {TOP: CUDART_13, "pkg/other.so": other}, RUNTIME_13)
    assert plan.edits.own[TOP].rpath == rpath


def _repair(folder: Path, wheel: Path, *arguments: str) -> Path:
    out = ["-w", str(folder / "out")]
    assert main([str(wheel), "--plat", PLATFORM, "--exclude-family", "cuda", *out, *arguments]) == 0
    return folder / "out" / REPAIRED


def test_main_libraries_of_both_toolkits_are_found_by_the_loader(tmp_path: Path) -> None:
    """At two depths, and from a library copied in; as it is built, the loader finds none."""
    grafted = TinyElf(soname="libcopied.so.3", needed=("libcudart.so.13",))
    (tmp_path / "libcopied.so.3").write_bytes(grafted.build())
    files = {
        TOP: CUDART_12,
        "pkg/_D.so": CUDART_13,
        DEEP: TinyElf(needed=("libcudart.so.12",), runpath="$ORIGIN"),
        "pkg/lib/libpkg13.so": CUDART_13,
        "pkg/lib/libuser.so": TinyElf(needed=("libcopied.so.3",)),
    }
    wheel = _wheel(tmp_path, files, RUNTIME_12, RUNTIME_13)
    graft = ["--library-folder", str(tmp_path), "--allow-grafted", "libcopied.so.3"]
    repaired = _repair(tmp_path, wheel, *graft)
    copied = next(path for path in read_wheel(repaired).elf_files if path.startswith("pkg.libs/"))
    assert read_wheel(repaired).elf_files[copied].runpath == ("$ORIGIN/../nvidia/cu13/lib",)
    (tmp_path / "libcopied.so.3").unlink()

    runtimes = {
        f"nvidia/{folder}/lib/libcudart.so.{major}": TinyElf(
            soname=f"libcudart.so.{major}", defines=("tiny_runtime",)
        ).build()
        for folder, major in (("cuda_runtime", 12), ("cu13", 13))
    }

    def loads(archive: Path, path: str) -> bool:
        site = tmp_path / archive.stem
        for place, content in {**read_members(archive), **runtimes}.items():
            (site / place).parent.mkdir(parents=True, exist_ok=True)
            (site / place).write_bytes(content)
        # The symbol tells these libraries from those that the machine may have.
        load = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).tiny_runtime"
        return subprocess.run([sys.executable, "-c", load, site / path]).returncode == 0

    assert [path for path in files if loads(wheel, path)] == []
    assert [path for path in files if not loads(repaired, path)] == []


def test_main_second_repair_changes_nothing(tmp_path: Path) -> None:
    first = _repair(tmp_path, _wheel(tmp_path, {TOP: CUDART_13, DEEP: CUDART_13}, RUNTIME_13))
    assert _repair(tmp_path / "again", first).read_bytes() == first.read_bytes()


def test_main_no_search_paths_leaves_files_alone(tmp_path: Path) -> None:
    wheel = _wheel(tmp_path, {TOP: CUDART_13}, RUNTIME_13)
    repaired = _repair(tmp_path, wheel, "--no-search-paths")
    assert read_members(repaired)[TOP] == read_members(wheel)[TOP]
    assert read_members(_repair(tmp_path, wheel))[TOP] != read_members(wheel)[TOP]


def test_main_dry_run_lists_entries_with_library_and_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = _wheel(tmp_path, {DEEP: CUDART_13}, RUNTIME_13)
    arguments = [str(wheel), "--plat", PLATFORM, "--exclude-family", "cuda", "--dry-run"]
    assert main(arguments) == 0
    entry = "$ORIGIN/../../nvidia/cu13/lib"
    assert json.loads(capsys.readouterr().out)["edits"] == [
        {
            "path": DEEP,
            "soname": None,
            "replaced": {},
            "rpath": [entry],
            "added": [
                {"entry": entry, "for": [{"library": "libcudart.so.13", "package": RUNTIME_13}]}
            ],
            "dropped": [],
        }
    ]
    assert main([*arguments, "--no-search-paths"]) == 0
    assert json.loads(capsys.readouterr().out)["edits"] == []


def test_main_entry_that_is_not_written_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.wheel.repair.apply.edit_elf", lambda *arguments: None)
    wheel = _wheel(tmp_path, {TOP: CUDART_13}, RUNTIME_13)
    arguments = [str(wheel), "--plat", PLATFORM, "--exclude-family", "cuda"]
    assert main([*arguments, "-w", str(tmp_path / "out")]) == 41
    message = (
        f"`{TOP}` has search path [] after the repair, and needs ['$ORIGIN/../nvidia/cu13/lib']"
    )
    assert message in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        # Out of site-packages.
        (TOP, "$ORIGIN/../../lib"),
        (DEEP, "${ORIGIN}/../../.."),
        # To a folder that the wheel's own package does not have, its libraries included.
        (TOP, "$ORIGIN/_C.so.runfiles/_main/lib"),
        (DEEP, "$ORIGIN/../csrc"),
        (TOP, "$ORIGIN/../pkg.libs"),
        # To what Bazel links against where it builds.
        (TOP, "$ORIGIN/../_solib_k8/_U_S_Slib"),
    ],
)
@pytest.mark.parametrize("tag", ["rpath", "runpath"])
def test_main_entry_that_leads_nowhere_is_dropped(
    tmp_path: Path, path: str, entry: str, tag: str
) -> None:
    files = {path: TinyElf(**{tag: f"{entry}:$ORIGIN:{entry}"})}  # type: ignore[arg-type]
    report = tmp_path / "report.json"
    repaired = _repair(tmp_path, _own(tmp_path, files), "--report", str(report))
    assert read_wheel(repaired).elf_files[path].search_path == ("$ORIGIN",)
    assert json.loads(report.read_text())["edits"] == [
        {
            "path": path,
            "soname": None,
            "replaced": {},
            tag: ["$ORIGIN"],
            "added": [],
            "dropped": [entry],
        }
    ]
    assert _repair(tmp_path / "again", repaired).read_bytes() == repaired.read_bytes()


def _own(folder: Path, files: Mapping[str, TinyElf]) -> Path:
    """A wheel whose package `pkg` is no other wheel's."""
    content = {path: elf.build() for path, elf in files.items()}
    return write_tiny_wheel(folder, NAME, {**content, "pkg/__init__.py": b""})


def test_main_last_entry_that_leads_nowhere_takes_the_tag_along(tmp_path: Path) -> None:
    repaired = _repair(tmp_path, _own(tmp_path, {TOP: TinyElf(runpath="$ORIGIN/../../lib")}))
    assert read_wheel(repaired).elf_files[TOP].runpath == ()


@pytest.mark.parametrize("entry", ["$ORIGIN", "$ORIGIN/lib", "$ORIGIN/../other/lib", "$ORIGIN/.."])
def test_main_entry_that_may_lead_somewhere_stays(tmp_path: Path, entry: str) -> None:
    wheel = _own(tmp_path, {TOP: TinyElf(rpath=entry), DEEP: TinyElf()})
    assert read_members(_repair(tmp_path, wheel))[TOP] == read_members(wheel)[TOP]


def test_main_way_to_copies_does_not_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    elf = TinyElf(needed=("libfoo.so.3",), rpath="$ORIGIN/../pkg.libs")
    graft = ["--library-folder", str(tmp_path), "--allow-grafted", "*"]
    repaired = _repair(tmp_path, _own(tmp_path, {TOP: elf}), *graft)
    assert read_wheel(repaired).elf_files[TOP].rpath == ("$ORIGIN/../pkg.libs",)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("/usr/lib", "'/usr/lib', which is not relative to the file"),
        ("$ORIGIN:", "'', which is not relative to the file"),
        ("lib", "'lib', which is not relative to the file"),
        (
            "$ORIGIN/../cu13/stubs",
            "'$ORIGIN/../cu13/stubs', where libraries have no code and serve",
        ),
    ],
)
def test_main_entry_of_another_machine_is_refused_though_nothing_is_edited(
    tmp_path: Path, entry: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = _own(tmp_path, {TOP: TinyElf(runpath="$ORIGIN", rpath=entry)})
    assert main([str(wheel), "--plat", PLATFORM, "--dry-run"]) == 40
    assert f"`{TOP}` has search path entry {message}" in capsys.readouterr().err


def test_main_no_search_paths_refuses_what_leaves_site_packages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = _own(tmp_path, {TOP: TinyElf(rpath="$ORIGIN/../../lib")})
    assert main([str(wheel), "--plat", PLATFORM, "--dry-run", "--no-search-paths"]) == 40
    assert "'$ORIGIN/../../lib', which leaves site-packages" in capsys.readouterr().err
