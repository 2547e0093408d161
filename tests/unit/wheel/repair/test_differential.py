# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The same wheel through auditwheel's command line and through ours."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.inspection.facts import WheelFacts
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.cli import main

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
PLATFORM = "manylinux_2_27_x86_64"
EXTENSION = "pkg/_C.cpython-312-x86_64-linux-gnu.so"

FILES = {
    EXTENSION: TinyElf(
        needed=("libpkg.so", "libfoo.so.3", "libc.so.6"),
        rpath="$ORIGIN/lib",
        versions={"libc.so.6": ("GLIBC_2.17",)},
        defines=("PyInit__C",),
    ),
    "pkg/lib/libpkg.so": TinyElf(soname="libpkg.so", needed=("libbar.so.1", "libc.so.6")),
    "pkg/plain.so": TinyElf(rpath="$ORIGIN", needed=("libc.so.6",)),
}
LIBRARIES = {
    "libfoo.so.3": TinyElf(soname="libfoo.so.3", needed=("libbar.so.1", "libc.so.6")),
    "libbar.so.1": TinyElf(soname="libbar.so.1", needed=("libc.so.6",)),
}


@pytest.fixture
def patchelf() -> Path:
    found = os.environ.get("PATCHELF") or shutil.which("patchelf")
    assert found, "set PATCHELF, or put `patchelf` on PATH"
    return Path(found).absolute()


def _by_auditwheel(wheel: Path, libraries: Path, patchelf: Path, out: Path) -> WheelFacts:
    programs = out / "bin"
    programs.mkdir(parents=True)
    (programs / "patchelf").symlink_to(patchelf)
    command = [sys.executable, "-m", "auditwheel", "repair", "--plat", PLATFORM, "--only-plat"]
    subprocess.run(
        [*command, "--ldpaths", str(libraries), "-w", str(out), str(wheel)],
        env={"PATH": str(programs), "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    (repaired,) = out.glob("*.whl")
    return read_wheel(repaired)


def _by_us(wheel: Path, libraries: Path, out: Path) -> WheelFacts:
    arguments = [str(wheel), "--plat", PLATFORM, "-w", str(out)]
    arguments += ["--library-folder", str(libraries), "--allow-grafted", "*"]
    assert main(arguments) == 0
    (repaired,) = out.glob("*.whl")
    return read_wheel(repaired)


def test_repair_does_to_elf_files_what_auditwheel_does(tmp_path: Path, patchelf: Path) -> None:
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    for name, elf in LIBRARIES.items():
        (libraries / name).write_bytes(elf.build())
    wheel = write_tiny_wheel(tmp_path, NAME, {path: elf.build() for path, elf in FILES.items()})
    theirs = _by_auditwheel(wheel, libraries, patchelf, tmp_path / "theirs")
    ours = _by_us(wheel, libraries, tmp_path / "ours")

    assert (ours.name, ours.metadata.tags) == (theirs.name, theirs.metadata.tags)
    assert {path for path in ours.paths if "/sboms/" not in path} == theirs.paths
    for path, found in ours.elf_files.items():
        other = theirs.elf_files[path]
        assert (found.soname, found.needed, found.search_path) == (
            other.soname,
            other.needed,
            other.search_path,
        ), path
    # Files that nothing was copied for are not even touched.
    assert ours.hashes["pkg/plain.so"] == theirs.hashes["pkg/plain.so"]
