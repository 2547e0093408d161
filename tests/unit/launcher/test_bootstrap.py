# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Making the root file system: whole or not at all, once."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.launcher import bootstrap, errors, mmdebstrap, requirements, rootfs
from tools.launcher import host as host_facts
from tools.launcher.host import Host
from tools.launcher.progress import Progress
from tools.launcher.rootfs import Recipe

RECIPE = Recipe("forky", ("bazel-bootstrap",))
STATUS = textwrap.dedent(
    """\
    Package: zlib1g
    Status: install ok installed
    Version: 1:1.3-1
    Description: compression
     Status: of a description line does not count

    Package: removed
    Status: deinstall ok config-files
    Version: 1.0

    Package: bazel-bootstrap
    Status: install ok installed
    Version: 7.7.1+ds-8
    """
)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    result = Host(0, "ada", str(tmp_path), str(tmp_path / "cache"), "/", None, "/ws")
    Path(result.roots).mkdir(parents=True)
    return result


def fill(target: str, status: str = STATUS) -> None:
    (Path(target) / "var/lib/dpkg").mkdir(parents=True)
    (Path(target) / "var/lib/dpkg/status").write_text(status)
    (Path(target) / "etc").mkdir()
    (Path(target) / "etc/resolv.conf").symlink_to("/run/nowhere/resolv.conf")


@pytest.fixture
def make_with(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], None]], None]:
    """Puts a function that fills the target in mmdebstrap's place, and lifts the machine checks."""

    def install(filler: Callable[[str], None]) -> None:
        def run(_host: Host, _recipe: Recipe, target: str, *_: object) -> None:
            filler(target)

        monkeypatch.setattr(mmdebstrap, "run", run)
        monkeypatch.setattr(requirements, "ensure_programs", lambda *_: None)
        monkeypatch.setattr(requirements, "check_namespaces", lambda *_: None)
        monkeypatch.setattr(requirements, "free_bytes", lambda _: 10**12)
        monkeypatch.setattr(host_facts, "find_program", lambda name: f"/usr/bin/{name}")

    return install


def test_ensure_on_fresh_machine_makes_the_root_and_leaves_no_stage(
    host: Host, make_with: Callable[[Callable[[str], None]], None]
) -> None:
    make_with(fill)
    root = os.path.join(host.roots, RECIPE.key)
    assert bootstrap.ensure(host, RECIPE, root) == "/usr/bin/bwrap"
    manifest = (Path(root) / rootfs.MANIFEST).read_text()
    assert manifest == "bazel-bootstrap=7.7.1+ds-8\nzlib1g=1:1.3-1\n"
    assert sorted(os.listdir(host.roots)) == [RECIPE.key, "lock"]


def test_ensure_with_root_made_does_not_make_it_again(
    host: Host, make_with: Callable[[Callable[[str], None]], None]
) -> None:
    root = os.path.join(host.roots, RECIPE.key)
    make_with(fill)
    bootstrap.ensure(host, RECIPE, root)
    make_with(lambda _: pytest.fail("made again"))
    assert bootstrap.ensure(host, RECIPE, root) == "/usr/bin/bwrap"


def test_ensure_with_part_of_a_root_deleted_makes_it_again(
    host: Host, make_with: Callable[[Callable[[str], None]], None]
) -> None:
    root = Path(host.roots, RECIPE.key)
    (root / "usr/share").mkdir(parents=True)
    make_with(fill)
    bootstrap.ensure(host, RECIPE, str(root))
    assert (root / rootfs.MANIFEST).is_file()
    assert not (root / "usr/share").exists()


def test_ensure_failing_midway_leaves_nothing_half_made(
    host: Host, make_with: Callable[[Callable[[str], None]], None]
) -> None:
    def fail(target: str) -> None:
        fill(target)
        raise errors.BootstrapError("broken", "look")

    make_with(fail)
    with pytest.raises(errors.BootstrapError, match="broken"):
        bootstrap.ensure(host, RECIPE, os.path.join(host.roots, RECIPE.key))
    assert os.listdir(host.roots) == ["lock"]


@pytest.mark.parametrize(
    ("number", "exception", "code"),
    [(signal.SIGTERM, SystemExit, 143), (signal.SIGINT, KeyboardInterrupt, None)],
)
def test_ensure_interrupted_by_signal_leaves_nothing_half_made(
    host: Host,
    make_with: Callable[[Callable[[str], None]], None],
    number: signal.Signals,
    exception: type[BaseException],
    code: int | None,
) -> None:
    def interrupt(target: str) -> None:
        fill(target)
        os.kill(os.getpid(), number)
        time.sleep(5)

    make_with(interrupt)
    with pytest.raises(exception) as caught:
        bootstrap.ensure(host, RECIPE, os.path.join(host.roots, RECIPE.key))
    assert getattr(caught.value, "code", None) == code
    assert os.listdir(host.roots) == ["lock"]


def test_ensure_with_other_bazel_version_fails_and_leaves_nothing(
    host: Host, make_with: Callable[[Callable[[str], None]], None]
) -> None:
    make_with(lambda target: fill(target, STATUS.replace("7.7.1", "8.1.0")))
    with pytest.raises(errors.BazelVersionError, match=r"now has Bazel 8\.1\.0"):
        bootstrap.ensure(host, RECIPE, os.path.join(host.roots, RECIPE.key))
    assert os.listdir(host.roots) == ["lock"]


def test_ensure_with_too_little_disk_fails_before_making(
    host: Host,
    make_with: Callable[[Callable[[str], None]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_with(lambda _: pytest.fail("made"))

    def full(folder: str, needed: int) -> None:
        raise errors.DiskSpaceError(f"{folder} {needed}", "")

    monkeypatch.setattr(requirements, "check_disk", full)
    with pytest.raises(errors.DiskSpaceError, match=f"{host.roots} 4000000000"):
        bootstrap.ensure(host, RECIPE, os.path.join(host.roots, RECIPE.key))


KILLED = """
import sys
from tools.launcher import bootstrap, mmdebstrap, requirements
from tools.launcher.host import Host
from tools.launcher.rootfs import Recipe
cache, program = sys.argv[1:]
mmdebstrap.NAMESPACES = ()
mmdebstrap.host_facts.find_program = lambda name: program
requirements.ensure_programs = lambda *_: None
requirements.check_namespaces = lambda *_: None
requirements.check_disk = lambda *_: None
host = Host(0, "ada", cache, cache, "/", None, "/ws")
bootstrap.ensure(host, Recipe("forky", ("bazel-bootstrap",)), host.roots + "/key")
"""


def test_ensure_after_kill_in_the_middle_cleans_up_and_makes_the_root(
    host: Host, make_with: Callable[[Callable[[str], None]], None], tmp_path: Path
) -> None:
    program = tmp_path / "mmdebstrap"
    program.write_text(
        '#!/bin/sh\nfor last; do :; done\nmkdir "$last"\n: > "$last/half"\nexec sleep 60\n'
    )
    program.chmod(0o755)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", KILLED, host.cache, str(program)]
    with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 20
        while not list(Path(host.roots).glob("making-*/root/half")):
            assert time.monotonic() < deadline, "the stand-in did not start"
            assert process.poll() is None, "the launcher ended early"
            time.sleep(0.02)
        process.kill()
    assert not (Path(host.roots) / "key").exists()
    make_with(fill)
    bootstrap.ensure(host, RECIPE, os.path.join(host.roots, "key"))
    left = {name for name in os.listdir(host.roots) if not name.endswith(".log")}
    assert left == {"key", "lock"}


def test_lock_held_by_another_is_waited_for_and_said(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(other, fcntl.LOCK_EX)
    shown: list[str] = []
    release = threading.Timer(0.3, os.close, [other])
    release.start()
    start = time.monotonic()
    with bootstrap.locked(str(path), Progress(shown.append)):
        waited = time.monotonic() - start
    release.join()
    assert waited >= 0.25
    assert "waiting for another call" in shown[0]


def test_lock_free_is_taken_silently(tmp_path: Path) -> None:
    shown: list[str] = []
    with bootstrap.locked(str(tmp_path / "lock"), Progress(shown.append)) as descriptor:
        second = os.open(tmp_path / "lock", os.O_RDWR)
        with pytest.raises(BlockingIOError):
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(second)
        assert descriptor > 2
    assert shown == []


def test_finish_replaces_links_by_mount_points(tmp_path: Path) -> None:
    fill(str(tmp_path))
    bootstrap.finish(str(tmp_path))
    for name in rootfs.MOUNT_POINT_FILES:
        path = tmp_path / name
        assert path.is_file(), name
        assert not path.is_symlink(), name


def test_finish_without_hosts_file_names_localhost(tmp_path: Path) -> None:
    fill(str(tmp_path))
    bootstrap.finish(str(tmp_path))
    assert "127.0.0.1 localhost\n" in (tmp_path / "etc/hosts").read_text()


def test_finish_with_hosts_file_keeps_it(tmp_path: Path) -> None:
    fill(str(tmp_path))
    (tmp_path / "etc/hosts").write_text("127.0.0.1 localhost here\n")
    bootstrap.finish(str(tmp_path))
    assert (tmp_path / "etc/hosts").read_text() == "127.0.0.1 localhost here\n"


def test_finish_of_a_recipe_without_bazel_wants_none(tmp_path: Path) -> None:
    fill(str(tmp_path))
    (tmp_path / "var/lib/dpkg/status").write_text(
        "Package: nginx-light\nStatus: install ok installed\nVersion: 1.26\n"
    )
    recipe = rootfs.Recipe("trixie", ("nginx-light",), "nginx")
    assert bootstrap.finish(str(tmp_path), recipe) == "nginx"
    assert (tmp_path / rootfs.MANIFEST).read_text() == "nginx-light=1.26\n"


def test_remove_tree_with_mount_below_refuses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stage = tmp_path / "making-x"
    stage.mkdir()
    monkeypatch.setattr(bootstrap, "mounts_below", lambda *_: [f"{stage}/root/dev"])
    with pytest.raises(errors.BootstrapError, match="is still mounted") as caught:
        bootstrap.remove_tree(str(stage))
    assert caught.value.hint == f"unmount it: umount {stage}/root/dev"
    assert stage.is_dir()


def test_mounts_below_are_read_from_mountinfo() -> None:
    mountinfo = (
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
        "2 1 0:5 / /cache/making-a/root/dev rw - tmpfs none rw\n"
        "3 1 0:6 / /cache/making-ab rw - tmpfs none rw\n"
    )
    assert bootstrap.mounts_below("/cache/making-a", mountinfo) == ["/cache/making-a/root/dev"]


def test_stage_of_an_earlier_call_is_removed_with_its_temporary_folder(
    host: Host, tmp_path: Path
) -> None:
    stage, temporary = Path(host.roots) / "making-old", tmp_path / "tilewright-old"
    stage.mkdir()
    temporary.mkdir()
    (temporary / "file").write_text("")
    bootstrap.note_folder(str(stage), str(temporary))
    (Path(host.roots) / "kept").mkdir()
    bootstrap.remove_stages(host.roots)
    assert os.listdir(host.roots) == ["kept"]
    assert not temporary.exists()


@pytest.mark.parametrize("note", ["", "tilewright-relative", "{tmp_path}/other", "{tmp_path}"])
def test_stage_whose_note_names_no_folder_of_ours_is_removed_alone(
    host: Host, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, note: str
) -> None:
    for name in ("other", "tilewright-relative"):
        (tmp_path / name).mkdir()
    stage = Path(host.roots) / "making-old"
    stage.mkdir()
    (stage / bootstrap.TEMPORARY_NOTE).write_text(note.format(tmp_path=tmp_path))
    monkeypatch.chdir(tmp_path)
    removed: list[str] = []
    monkeypatch.setattr(bootstrap, "remove_tree", removed.append)
    bootstrap.remove_stages(host.roots)
    assert removed == [str(stage)]


def test_note_cut_short_while_written_is_no_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        bootstrap.note_folder(str(tmp_path), "/var/tmp/tilewright-x")
    assert bootstrap.noted_folder(str(tmp_path)) is None


def test_open_to_others_needs_every_folder_above(tmp_path: Path) -> None:
    folder = tmp_path / "closed" / "inner"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o700)
    assert bootstrap.is_open_to_others(str(folder)) is False
    assert bootstrap.is_open_to_others("/") is True
    assert bootstrap.is_open_to_others("relative") is False


def test_older_roots_are_mentioned_with_the_command(host: Host) -> None:
    for name in ("old", "of others", "new"):
        (Path(host.roots) / name).mkdir()
    shown: list[str] = []
    bootstrap.mention_other_roots(host.roots, f"{host.roots}/new", Progress(shown.append))
    assert shown[0].endswith(f"rm -rf '{host.roots}/of others' {host.roots}/old")
