# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two builds, with a program in place of Bazel."""

import os
import tarfile
from pathlib import Path

import pytest

from tools.reproducibility.build import build_twice
from tools.reproducibility.errors import BuildError, SourceError
from tools.reproducibility.sources import archive_head
from tools.reproducibility.surroundings import FIRST, SECOND

#: Notes what it sees, and makes what it is told to.
_BAZEL = """#!/bin/sh
set -e
echo "$@" >> "$HOME/commands"
case "$2" in
build) mkdir -p out; echo "$PWD|$HOME|$USER|$TZ|$LANG|$PATH|$(umask)" > "out/pkg.whl" ;;
cquery) {listed} ;;
esac
{end}
"""


def workspace(folder: Path, listed: str = "echo out/pkg.whl", end: str = "exit 0") -> Path:
    program = folder / "workspace" / "tools" / "bazel"
    program.parent.mkdir(parents=True)
    program.write_text(_BAZEL.format(listed=listed, end=end))
    program.chmod(0o755)
    return folder / "workspace"


def pack(source: Path, archive: Path) -> None:
    with tarfile.open(archive, "w") as stream:
        stream.add(source, arcname=".")


def work(folder: Path) -> Path:
    place = folder / "work"
    place.mkdir()
    return place


def test_build_twice_sees_other_surroundings(tmp_path: Path) -> None:
    place = work(tmp_path)
    wheels = build_twice(workspace(tmp_path), "//:w", place, pack)
    assert wheels == (place / "first" / "pkg.whl", place / "second" / "pkg.whl")
    first, second = (wheel.read_text().strip().split("|") for wheel in wheels)
    for one, other in zip(first, second, strict=True):
        assert one != other
    assert first[0].count("/") + 3 == second[0].count("/")


def test_build_twice_leaves_the_wheels_alone(tmp_path: Path) -> None:
    place = work(tmp_path)
    mask = os.umask(0o022)
    try:
        wheels = build_twice(workspace(tmp_path), "//:w", place, pack)
    finally:
        assert os.umask(mask) == 0o022
    assert sorted(path for path in place.rglob("*") if path.is_file()) == sorted(wheels)


def test_build_takes_no_result_from_a_cache(tmp_path: Path) -> None:
    source = workspace(tmp_path, end='cp "$HOME/commands" "$0.seen"; cp "$0.seen" {}/seen')
    program = source / "tools" / "bazel"
    program.write_text(program.read_text().replace("{}", str(tmp_path)))
    place = work(tmp_path)
    build_twice(source, "//:w", place, pack)
    build, cquery, shutdown = (tmp_path / "seen").read_text().splitlines()
    root = f"--output_user_root={place}/second/likewise/deep/output-of-bazel"
    assert build == f"{root} build --jobs=HOST_CPUS*.5 --disk_cache= --remote_cache= //:w"
    assert cquery == f"{root} cquery --output=files //:w"
    assert shutdown == f"{root} shutdown"
    seen = SECOND.environment(
        {"TILEWRIGHT_REMOTE_CACHE": "grpc://x", "PIP_INDEX_URL": "y"}, tmp_path
    )
    assert "TILEWRIGHT_REMOTE_CACHE" not in seen
    assert seen["PIP_INDEX_URL"] == "y"


def test_build_without_a_wheel_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        build_twice(workspace(tmp_path, listed="echo out/lib.so"), "//:w", work(tmp_path), pack)
    assert str(caught.value) == (
        "`//:w` must make one wheel, and makes none\n"
        "hint: name a target of rule py_wheel or repaired_wheel"
    )


def test_build_of_several_wheels_is_an_error(tmp_path: Path) -> None:
    listed = "echo out/a.whl; echo out/b.whl"
    with pytest.raises(BuildError, match="makes `a.whl`, `b.whl`"):
        build_twice(workspace(tmp_path, listed=listed), "//:w", work(tmp_path), pack)


def test_build_that_fails_is_an_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = work(tmp_path)
    with pytest.raises(BuildError) as caught:
        build_twice(workspace(tmp_path, end="exit 3"), "//:w", place, pack)
    assert caught.value.what == "`build` of the first build ended with exit code 3"
    assert list(place.iterdir()) == []
    assert "== first: build" in capfd.readouterr().err


def test_build_without_room_for_the_sources_leaves_nothing(tmp_path: Path) -> None:
    def pack_half(_: Path, archive: Path) -> None:
        archive.write_bytes(b"half")
        raise SourceError("no room", hint="make room")

    place = work(tmp_path)
    with pytest.raises(SourceError, match="no room"):
        build_twice(workspace(tmp_path), "//:w", place, pack_half)
    assert list(place.iterdir()) == []


def test_build_of_an_earlier_run_is_not_overwritten(tmp_path: Path) -> None:
    place = work(tmp_path)
    (place / SECOND.name).mkdir()
    with pytest.raises(SourceError) as caught:
        build_twice(workspace(tmp_path), "//:w", place, pack)
    assert str(caught.value) == (
        f"`{place}/second` exists\nhint: remove it, or name another folder with --work"
    )
    assert not (place / FIRST.name).exists()


def test_sources_without_a_commit_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho 'fatal: not a git repository' >&2; exit 128\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SourceError) as caught:
        archive_head(tmp_path, tmp_path / "sources.tar")
    assert str(caught.value) == (
        f"cannot read HEAD of `{tmp_path}`: fatal: not a git repository\n"
        "hint: run it in a git work tree with a commit; what is committed is built"
    )
