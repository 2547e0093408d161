# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a repair states of the wheel, on the whole tool."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_fatbin import TinyImage, build_section
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.inspection.facts import WheelFacts
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.cli import main
from tools.wheel.repair.errors import ContentError
from tools.wheel.repair.plan import Options, RepairPlan, plan_repair
from tools.wheel.repair.statements import check_statements
from tools.wheel.sbom.cyclonedx import render_sbom

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
REPAIRED = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
EXTENSION = "pkg/_C.cpython-312-x86_64-linux-gnu.so"
CUDA_JSON = "pkg-1.0.dist-info/cuda.json"
SBOM = "pkg-1.0.dist-info/sboms/tilewright-repair.cdx.json"

FATBIN = build_section(
    [[TinyImage("elf", 80, compression="zstd"), TinyImage("elf", 90, "a"), TinyImage("ptx", 90)]]
)


def cuda_elf(**changes: object) -> bytes:
    return TinyElf(sections={".nv_fatbin": FATBIN}, **changes).build()  # type: ignore[arg-type]


def repair(wheel: Path, folder: Path, *arguments: str) -> WheelFacts:
    fixed = [str(wheel), "--plat", "manylinux_2_27_x86_64", "-w", str(folder)]
    assert main([*fixed, *arguments]) == 0
    return read_wheel(folder / REPAIRED)


def test_wheel_with_gpu_code_states_the_driver_that_it_needs(tmp_path: Path) -> None:
    files = {EXTENSION: cuda_elf(needed=("libcudart.so.12",))}
    wheel = write_tiny_wheel(tmp_path, NAME, files)
    facts = repair(wheel, tmp_path / "out", "--exclude-family", "cuda")
    assert json.loads(facts.texts[CUDA_JSON]) == {
        "schema_version": 1,
        "minimum_driver": {"12": "550.54.14"},
        "files": [
            {
                "path": EXTENSION,
                "cuda_majors": [12],
                "machine_code": ["sm_80", "sm_90a"],
                "ptx": ["compute_90"],
                "compression": ["none", "zstd"],
                "sizes": {"compute_90": 64, "sm_80": 64, "sm_90a": 64},
                "relocatable_size": 0,
                "minimum_driver": "550.54.14",
                "minimum_driver_for_ptx": "550.54.14",
            }
        ],
    }
    assert SBOM not in facts.texts


def test_wheel_without_gpu_code_loses_a_statement_of_it(tmp_path: Path) -> None:
    files = {EXTENSION: TinyElf().build(), CUDA_JSON: b'{"old": true}\n'}
    facts = repair(write_tiny_wheel(tmp_path, NAME, files), tmp_path / "out")
    assert CUDA_JSON not in facts.hashes


def test_library_copied_in_is_stated_with_both_its_hashes(tmp_path: Path) -> None:
    library = cuda_elf(soname="libfoo.so.3")
    (tmp_path / "libfoo.so.3").write_bytes(library)
    wheel = write_tiny_wheel(tmp_path, NAME, {EXTENSION: TinyElf(needed=("libfoo.so.3",)).build()})
    grafting = ["--library-folder", str(tmp_path), "--allow-grafted", "*"]
    facts = repair(wheel, tmp_path / "out", *grafting)
    original = hashlib.sha256(library).hexdigest()
    path = f"pkg.libs/libfoo-{original[:8]}.so.3"
    assert f'"path": "{path}"' in facts.texts[CUDA_JSON]
    (component,) = json.loads(facts.texts[SBOM])["components"]
    assert component["name"] == "libfoo.so.3"
    assert component["purl"] == f"pkg:generic/libfoo.so.3?checksum=sha256:{original}"
    assert component["evidence"] == {"occurrences": [{"location": path}]}
    assert component["pedigree"]["ancestors"][0]["hashes"][0]["content"] == original
    assert str(tmp_path) not in facts.texts[SBOM]

    # A second repair keeps both statements.
    assert repair(tmp_path / "out" / REPAIRED, tmp_path / "again").texts == facts.texts


def _repaired(folder: Path) -> tuple[RepairPlan, WheelFacts]:
    (folder / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    files = {EXTENSION: cuda_elf(needed=("libfoo.so.3",))}
    wheel = write_tiny_wheel(folder, NAME, files)
    grafting = ["--library-folder", str(folder), "--allow-grafted", "*"]
    options = Options("manylinux_2_27_x86_64", library_folders=(folder,), allow_grafted=("*",))
    plan = plan_repair(read_wheel(wheel), options)
    return plan, repair(wheel, folder / "out", *grafting)


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        ("{", "it is not JSON: "),
        ("[]", "its `bomFormat` is not `CycloneDX`"),
        ('{"bomFormat": "CycloneDX", "components": [{}]}', "a component has no `bom-ref`"),
    ],
)
def test_statement_of_a_repair_before_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: str, why: str
) -> None:
    (tmp_path / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    files = {EXTENSION: TinyElf(needed=("libfoo.so.3",)).build(), SBOM: kept.encode()}
    wheel = write_tiny_wheel(tmp_path, NAME, files)
    grafting = ["--library-folder", str(tmp_path), "--allow-grafted", "*"]
    fixed = [str(wheel), "--plat", "manylinux_2_27_x86_64", "-w", str(tmp_path / "out")]
    assert main([*fixed, *grafting]) == 41
    error = capsys.readouterr().err
    assert f"`{SBOM}`, of a repair before, cannot be read: {why}" in error
    assert error.endswith("\nhint: leave it out of the wheel, or build the wheel again\n")


def test_statement_is_refused_when_it_is_wrong(tmp_path: Path) -> None:
    plan, facts = _repaired(tmp_path)
    check_statements(plan, facts)
    grafted = next(iter(plan.edits.grafts))
    hashes = {**facts.hashes, grafted: "sha256=" + "A" * 43}
    for wrong, message in (
        (
            replace(facts, texts={**facts.texts, CUDA_JSON: "{}"}),
            "does not say what the files hold",
        ),
        (replace(facts, texts={**facts.texts, SBOM: ""}), f"`{SBOM}` cannot be read: "),
        (
            replace(facts, texts={**facts.texts, SBOM: render_sbom(facts.name, "x", [])}),
            f"`{SBOM}` has no entry for `{grafted}` as it is",
        ),
        (replace(facts, hashes=hashes), f"has no entry for `{grafted}` as it is"),
    ):
        with pytest.raises(ContentError, match=message.replace("`", ".").replace("[", ".")) as end:
            check_statements(plan, wrong)
        assert end.value.exit_code == 41
        assert end.value.hint == "report this with the wheel; a repair states what it has written"
