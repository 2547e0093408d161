# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.errors import ToolError
from tools.wheel.inspection.facts import WheelFacts
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.errors import (
    ContentError,
    ForbiddenFileError,
    NameMismatchError,
    NewSymbolError,
    RpathError,
    UnresolvedLibraryError,
)
from tools.wheel.repair.plan import Options, plan_repair
from tools.wheel.repair.verify import verify_repair

BEFORE = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
AFTER = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
LIBRARY = "pkg/lib.so"

FILES = {LIBRARY: TinyElf(needed=("libcudart.so.13",)).build(), "pkg/a.py": b"A = 1\n"}


def _report(folder: Path, name: str, files: dict[str, bytes]) -> WheelFacts:
    return read_wheel(write_tiny_wheel(folder, name, files))


def _verify(folder: Path, files: dict[str, bytes], name: str = AFTER) -> None:
    before = _report(folder, BEFORE, FILES)
    plan = plan_repair(before, Options("manylinux_2_27_x86_64", ("cuda",)))
    verify_repair(plan, before, _report(folder, name, files))


def test_verify_repair_retagged_wheel_is_accepted(tmp_path: Path) -> None:
    _verify(tmp_path, FILES)


def _with(elf: TinyElf, path: str = LIBRARY) -> dict[str, bytes]:
    return {**FILES, path: elf.build()}


@pytest.mark.parametrize(
    ("files", "error", "message"),
    [
        (_with(TinyElf(runpath="/build/lib")), RpathError, "not relative to the file"),
        (_with(TinyElf(needed=("libgomp.so.1",))), UnresolvedLibraryError, "needs `libgomp"),
        (_with(TinyElf(versions={"libc.so.6": ("GLIBC_2.38",)})), NewSymbolError, "GLIBC_2"),
        (
            _with(TinyElf(), "pkg.libs/libcudart-01234567.so.13"),
            ForbiddenFileError,
            "must not carry",
        ),
        (_with(TinyElf(), "pkg.libs/libfoo.so"), ContentError, "is new in the repaired wheel"),
        (_with(TinyElf(needed=("libcudart.so.13",), payload=b"x")), ContentError, "was changed"),
        ({**FILES, "pkg/a.py": b"A = 2\n"}, ContentError, "was changed"),
        ({LIBRARY: FILES[LIBRARY]}, ContentError, "`pkg/a.py` is missing"),
        (_with(TinyElf(needed=("libcublas.so.13",))), ContentError, "only after the repair"),
    ],
)
def test_verify_repair_unplanned_change_is_refused(
    tmp_path: Path, files: dict[str, bytes], error: type[ToolError], message: str
) -> None:
    with pytest.raises(error, match=message):
        _verify(tmp_path, files)


def test_verify_repair_lost_executable_bit_is_refused(tmp_path: Path) -> None:
    modes = {"pkg/a.py": 0o755}
    before = read_wheel(write_tiny_wheel(tmp_path, BEFORE, FILES, modes=modes))
    plan = plan_repair(before, Options("manylinux_2_27_x86_64", ("cuda",)))
    with pytest.raises(ContentError, match=r"`pkg/a\.py` is no longer executable"):
        verify_repair(plan, before, _report(tmp_path, AFTER, FILES))


def test_verify_repair_other_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NameMismatchError, match="manylinux_2_28"):
        _verify(tmp_path, FILES, "pkg-1.0-cp312-cp312-manylinux_2_28_x86_64.whl")


def test_verify_repair_tags_unlike_the_name_are_refused(tmp_path: Path) -> None:
    before = _report(tmp_path, BEFORE, FILES)
    plan = plan_repair(before, Options("manylinux_2_27_x86_64", ("cuda",)))
    after = _report(tmp_path, AFTER, FILES)
    tags = ("cp312-cp312-linux_x86_64",)
    after = replace(after, metadata=replace(after.metadata, tags=tags))
    with pytest.raises(NameMismatchError, match="linux_x86_64"):
        verify_repair(plan, before, after)
