# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import pathlib

import pytest
from packaging.requirements import Requirement

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tests.unit.wheel.audit.tiny_facts import elf_file, metadata, wheel_facts
from tools.wheel.audit.cli import main
from tools.wheel.audit.diff import Change, compare
from tools.wheel.audit.settings import Settings
from tools.wheel.inspection.facts import WheelFacts

NAME = "pkg-{}-cp312-cp312-manylinux_2_27_x86_64.whl"


def wheel(*needed: str, requires: tuple[str, ...] = (), copies: tuple[str, ...] = ()) -> WheelFacts:
    files = [elf_file("pkg/_C.so", needed=needed), *(elf_file(path) for path in copies)]
    requirements = tuple(Requirement(text) for text in requires)
    return wheel_facts(files, metadata=metadata(requires_dist=requirements))


def test_compare_finds_a_library_that_came_to_light() -> None:
    (change,) = compare(wheel("libc.so.6"), wheel("libc.so.6", "libcublas.so.13"), Settings())
    assert change == Change(
        "libcublas.so.13", "", "from nowhere known", ("pkg/_C.so", "libcublas.so.13")
    )
    assert change.is_new


def test_compare_finds_a_library_that_is_now_copied() -> None:
    copy = "pkg.libs/libgomp-0123abcd.so.1"
    old = wheel("libgomp.so.1", copies=("pkg/libgomp.so.1",))
    new = wheel("libgomp-0123abcd.so.1", copies=(copy,))
    (change,) = compare(old, new, Settings())
    assert (change.library, change.before, change.after) == (
        "libgomp.so.1",
        "in the wheel",
        "copied into the wheel",
    )


def test_compare_finds_what_is_gone_and_does_not_call_it_new() -> None:
    old = wheel("libcudart.so.13", requires=("nvidia-cuda-runtime",))
    (change,) = compare(old, wheel(), Settings())
    assert (change.before, change.after) == ("from `nvidia-cuda-runtime`", "")
    assert not change.is_new


def test_compare_does_not_call_new_what_the_wheel_or_the_platform_brings() -> None:
    old = wheel("libc.so.6")
    new = wheel("libc.so.6", "libm.so.6", "libown.so", copies=("pkg/libown.so",))
    own, platform = reversed(compare(old, new, Settings()))
    assert (platform.library, platform.is_new) == ("libm.so.6", False)
    assert (own.library, own.after, own.is_new) == ("libown.so", "in the wheel", False)


def test_compare_of_a_wheel_with_itself_is_empty() -> None:
    one = wheel("libcudart.so.13", "libcuda.so.1")
    assert compare(one, one, Settings()) == ()


def _write(folder: pathlib.Path, version: str, *needed: str) -> str:
    module = TinyElf(needed=("libc.so.6", *needed)).build()
    return str(write_tiny_wheel(folder, NAME.format(version), {"pkg/_C.so": module}))


def test_diff_command_fails_and_shows_the_chain_of_a_new_library(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = _write(tmp_path, "1.0"), _write(tmp_path, "1.1", "libcuda.so.1")
    assert main(["diff", old, new]) == 51
    output = capsys.readouterr()
    assert output.out == (
        f"{NAME.format('1.0')} -> {NAME.format('1.1')}\n"
        "  new      `libcuda.so.1`, from the driver\n"
        "           chain: pkg/_C.so -> libcuda.so.1\n"
    )
    assert output.err == (
        f"tilewright-audit: `{NAME.format('1.1')}` reaches what `{NAME.format('1.0')}` did not, or "
        "from elsewhere: `libcuda.so.1`\n"
        "hint: follow the chains: a file left out, or linked no more, brings others to light\n"
    )


def test_diff_command_of_equal_wheels_says_so(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wheel = _write(tmp_path, "1.0")
    assert main(["diff", wheel, wheel]) == 0
    assert capsys.readouterr().out.endswith("\n  no difference in the libraries that are reached\n")


def test_diff_command_passes_where_nothing_is_new(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = _write(tmp_path, "1.0", "libcuda.so.1"), _write(tmp_path, "1.1")
    assert main(["diff", "--json", old, new]) == 0
    (change,) = json.loads(capsys.readouterr().out)["changes"]
    assert change == {
        "library": "libcuda.so.1",
        "before": "from the driver",
        "after": "",
        "chain": ["pkg/_C.so", "libcuda.so.1"],
    }
