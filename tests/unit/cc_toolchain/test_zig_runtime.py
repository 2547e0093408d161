# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Copying zig's runtime libraries out, with a stand-in for zig."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.toolchains.cc import zig_runtime


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def stand_in(folder: Path, script: str) -> Path:
    path = folder / "zig"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return path


def test_final_link_gives_the_files_of_the_linkers_command_line(tmp_path: Path, work: Path) -> None:
    library, start = tmp_path / "libc++.a", tmp_path / "crti.o"
    library.touch()
    start.touch()
    line = f"ld.lld --error-limit=0 -o probe {start} '{library}' -lm /absent/libx.a"
    zig = stand_in(tmp_path, f'echo "compile probe" >&2; echo "{line}" >&2\n')
    assert zig_runtime.final_link(zig, "x86_64-linux-gnu.2.27", "c++", ["-shared"], work) == {
        "libc++.a": library,
        "crti.o": start,
    }


@pytest.mark.parametrize(
    ("script", "code"),
    [("echo 'error: no such target' >&2; exit 1\n", 1), ("echo 'error: no such target' >&2\n", 0)],
    ids=["failing", "without a link"],
)
def test_final_link_that_gives_no_command_line_ends_with_zigs_message(
    tmp_path: Path, work: Path, script: str, code: int
) -> None:
    zig = stand_in(tmp_path, script)
    message = (
        rf"(?s)`{re.escape(str(zig))} cc .*` failed with exit code {code}\nerror: no such target"
    )
    with pytest.raises(SystemExit, match=message):
        zig_runtime.final_link(zig, "nowhere", "cc", [], work)


AR = """\
case "$2" in
  t) printf '/zig/cache/o/1/a.o\\n/zig/cache/o/2/b.o\\n' ;;
  x) : ;;
  rcsD) archive="$3"; shift 3; echo "$@" > "$archive" ;;
esac
"""


def test_copy_archive_keeps_the_members_and_no_folder(tmp_path: Path, work: Path) -> None:
    source, output = tmp_path / "libc++.a", tmp_path / "output.a"
    source.touch()
    output.write_text("from an earlier call")
    zig_runtime.copy_archive(stand_in(tmp_path, AR), source, output, work)
    assert output.read_text() == "a.o b.o\n"


def test_copy_archive_with_two_members_of_one_name_fails(tmp_path: Path, work: Path) -> None:
    source = tmp_path / "libc++.a"
    source.touch()
    zig = stand_in(tmp_path, AR.replace("2/b.o", "2/a.o"))
    with pytest.raises(SystemExit, match=r"has several members of one name: a\.o, a\.o"):
        zig_runtime.copy_archive(zig, source, tmp_path / "output.a", work)


def test_stubs_are_found_by_the_names_that_linkers_look_for(tmp_path: Path) -> None:
    for name in ("libdl.so.2", "libm.so.6", "libc_nonshared.a", "crti.o"):
        (tmp_path / name).write_text(name)
    zig_runtime.add_linker_names(tmp_path)
    assert (tmp_path / "libdl.so").read_text() == "libdl.so.2"
    added = {path.name for path in tmp_path.iterdir() if path.name.endswith(".so")}
    assert added == {"libdl.so", "libm.so"}
