# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Make the root file system: under a lock, aside, and renamed when it is whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from types import FrameType

from tools.launcher import errors, mmdebstrap, requirements, rootfs
from tools.launcher import host as host_facts
from tools.launcher.host import Host
from tools.launcher.progress import Progress
from tools.launcher.rootfs import Recipe

STAGE_PREFIX = "making-"
TEMPORARY_NOTE = "temporary-folder"
"""File in a stage that names the folder mmdebstrap works in, for whoever cleans up."""
TEMPORARY_PREFIX = "tilewright-"


class Terminated(BaseException):
    """SIGTERM or SIGHUP came while the root was being made."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def ensure(host: Host, recipe: Recipe, root: str) -> str:
    """Bring up what one call needs; returns the path of bubblewrap.

    Args:
        host: the caller's surroundings.
        recipe: what goes into the root.
        root: absolute folder it is to have.

    Raises:
        LauncherError: any of its kinds.
    """
    progress = Progress()
    os.makedirs(host.roots, exist_ok=True)
    with locked(os.path.join(host.roots, "lock"), progress) as lock:
        is_made = os.path.exists(os.path.join(root, rootfs.MANIFEST))
        needed = requirements.needed_programs(host, is_made)
        requirements.ensure_programs(host, needed, progress.step)
        bwrap = host_facts.find_program("bwrap")
        assert bwrap is not None
        if not is_made:
            remove_stages(host.roots)
            remove_tree(root)  # without its manifest it is not whole: someone deleted a part
            requirements.check_disk(host.roots, recipe.space)
            requirements.check_namespaces(host, bwrap)
            requirements.check_subordinate_ids(host)
            make(host, recipe, root, lock, progress)
            mention_other_roots(host.roots, root, progress)
    return bwrap


@contextlib.contextmanager
def locked(path: str, progress: Progress) -> Iterator[int]:
    """Hold the lock file; gives its descriptor. Says so while another call holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        waiting = False
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not waiting:
                    progress.step("waiting for another call that makes the root file system")
                    waiting = True
                progress.alive()
                time.sleep(0.2)
        yield descriptor
    finally:
        os.close(descriptor)


def mounts_below(folder: str, mountinfo: str) -> list[str]:
    """Mount points under `folder`, from the text of /proc/self/mountinfo."""
    points = (line.split()[4] for line in mountinfo.splitlines() if len(line.split()) > 4)
    return [point for point in points if point.startswith(folder.rstrip("/") + "/")]


def remove_tree(folder: str) -> None:
    """Delete a folder of ours, whoever owns what mmdebstrap put there.

    Raises:
        BootstrapError: something is mounted below it (deleting would reach the host's files).
    """
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as stream:
        mounted = mounts_below(os.path.realpath(folder), stream.read())
    if mounted:
        raise errors.BootstrapError(
            f"`{mounted[0]}` is still mounted, so `{folder}` is not removed",
            f"unmount it: umount {shlex.quote(mounted[0])}",
        )
    command = ["rm", "-rf", "--one-file-system", "--", folder]
    subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    mmdebstrap = host_facts.find_program("mmdebstrap")
    if os.path.exists(folder) and mmdebstrap is not None:  # files of subordinate ids
        subprocess.run(
            [mmdebstrap, "--unshare-helper", *command], stderr=subprocess.DEVNULL, check=False
        )
        shutil.rmtree(folder, ignore_errors=True)


def remove_stages(roots: str) -> None:
    """Delete what interrupted calls left. Only with the lock held."""
    for name in sorted(os.listdir(roots)):
        if not name.startswith(STAGE_PREFIX):
            continue
        stage = os.path.join(roots, name)
        temporary = noted_folder(stage)
        if temporary is not None:
            remove_tree(temporary)
        remove_tree(stage)


def note_folder(stage: str, folder: str) -> None:
    """Note in a stage, whole or not at all, the folder that mmdebstrap works in."""
    note = os.path.join(stage, TEMPORARY_NOTE)
    with open(note + ".new", "wb") as stream:
        stream.write(os.fsencode(folder))
    os.replace(note + ".new", note)


def noted_folder(stage: str) -> str | None:
    """The folder that a stage's note names; None without a note, or with one of something else."""
    try:
        with open(os.path.join(stage, TEMPORARY_NOTE), "rb") as stream:
            folder = os.fsdecode(stream.read())
    except FileNotFoundError:
        return None
    is_ours = os.path.isabs(folder) and os.path.basename(folder).startswith(TEMPORARY_PREFIX)
    return folder if is_ours else None


def mention_other_roots(roots: str, root: str, progress: Progress) -> None:
    """Say which roots of other recipes lie about."""
    others = [
        path
        for path in (os.path.join(roots, name) for name in sorted(os.listdir(roots)))
        if os.path.isdir(path) and path != root
    ]
    if others:
        progress.step(f"older root file systems can go: rm -rf {shlex.join(others)}")


def make(host: Host, recipe: Recipe, root: str, lock: int, progress: Progress) -> None:
    """Make the root aside and rename it into place.

    Args:
        host: the caller's surroundings.
        recipe: what goes in.
        root: where it ends up.
        lock: descriptor of the held lock; the helpers inherit it, so that the lock outlives a
            killed launcher until they have ended.
        progress: where to report.

    Raises:
        LauncherError: any of its kinds; nothing is left behind.
    """
    progress.step(
        f"making the root file system with {recipe.title}, once (Debian {recipe.suite}, "
        f"about {recipe.gigabytes} GB, a minute or two)"
    )
    old_umask = os.umask(0o022)
    stage = tempfile.mkdtemp(prefix=STAGE_PREFIX, dir=host.roots)
    temporary = ""
    try:
        with _signals_raise():
            target = os.path.join(stage, "root")
            if host.uid != 0:
                temporary = _temporary_folder(stage)
            mmdebstrap.run(host, recipe, target, temporary, lock, progress)
            progress.step("finishing")
            contents = finish(target, recipe)
            os.chmod(target, 0o755)
            os.rename(target, root)
        progress.step(f"the root file system with {contents} is ready in {root}")
    except Terminated as signal_received:
        raise SystemExit(128 + signal_received.number) from None
    finally:
        os.umask(old_umask)
        if temporary:
            remove_tree(temporary)
        remove_tree(stage)


def _temporary_folder(stage: str) -> str:
    """A folder that subordinate ids can reach, with space for the root; noted in the stage.

    The cache folder will not do: an ordinary HOME is closed to other ids.
    """
    choices = (os.environ.get("TMPDIR", ""), "/var/tmp", "/tmp")
    base = next(path for path in choices if path == "/tmp" or is_open_to_others(path))
    requirements.check_disk(base, requirements.TEMPORARY_SPACE)
    folder = tempfile.mkdtemp(prefix=TEMPORARY_PREFIX, dir=base)
    note_folder(stage, folder)
    os.chmod(folder, 0o755)
    return folder


def is_open_to_others(folder: str) -> bool:
    """Whether every user can pass through an absolute folder and all above it."""
    if not os.path.isabs(folder) or not os.path.isdir(folder):
        return False
    path = os.path.realpath(folder)
    while True:
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
        if path == "/":
            return True
        path = os.path.dirname(path)


@contextlib.contextmanager
def _signals_raise() -> Iterator[None]:
    def handler(number: int, _frame: FrameType | None) -> None:
        raise Terminated(number)

    old = {number: signal.signal(number, handler) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, previous in old.items():
            signal.signal(number, previous)


def finish(target: str, recipe: Recipe = rootfs.RECIPE) -> str:
    """Add mount points and the manifest to a filled root; says what it holds.

    Raises:
        BazelVersionError: the suite's Bazel is outside the supported range.
    """
    for name in rootfs.MOUNT_POINT_FILES:
        path = os.path.join(target, name)
        if os.path.islink(path):
            os.unlink(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))
    hosts = os.path.join(target, "etc/hosts")
    if os.path.getsize(hosts) == 0:
        with open(hosts, "w", encoding="utf-8") as stream:
            stream.write(rootfs.HOSTS)
    os.makedirs(os.path.join(target, "etc/xdg/pip"), exist_ok=True)
    with open(os.path.join(target, "var/lib/dpkg/status"), encoding="utf-8") as stream:
        packages = installed_packages(stream.read())
    manifest = "".join(f"{name}={version}\n" for name, version in packages)
    contents = recipe.title
    if "bazel-bootstrap" in recipe.packages:
        contents = f"Bazel {rootfs.bazel_version(manifest)}"
    with open(os.path.join(target, rootfs.MANIFEST), "w", encoding="utf-8") as stream:
        stream.write(manifest)
    return contents


def installed_packages(status: str) -> list[tuple[str, str]]:
    """Sorted (name, version) of the installed packages in dpkg's status file."""
    found = []
    for paragraph in status.split("\n\n"):
        fields = dict(
            line.split(": ", 1)
            for line in paragraph.splitlines()
            if ": " in line[1:] and line[0] != " "
        )
        if fields.get("Status", "").endswith(" installed"):
            found.append((fields["Package"], fields["Version"]))
    return sorted(found)
