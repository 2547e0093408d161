# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Make the root file system: under a lock, aside, and renamed when it is whole."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from types import FrameType
from typing import IO

from tools.launcher import errors, requirements, rootfs
from tools.launcher import host as host_facts
from tools.launcher.host import Host
from tools.launcher.progress import Progress
from tools.launcher.rootfs import Recipe

STAGE_PREFIX = "making-"
TEMPORARY_NOTE = "temporary-folder"
"""File in a stage that names the folder mmdebstrap works in, for whoever cleans up."""

NAMESPACES = [
    "unshare",
    "--mount",
    "--propagation",
    "private",
    "--pid",
    "--mount-proc",
    "--fork",
    "--kill-child",
    "--",
]

PR_SET_PDEATHSIG = 1

NETWORK_SIGNS = (
    "Temporary failure resolving",
    "Could not resolve",
    "Could not connect",
    "Cannot initiate the connection",
    "Network is unreachable",
    "Connection timed out",
    "Connection failed",
    "Failed to fetch",
)
SIGNATURE_SIGNS = ("NO_PUBKEY", "is not signed", "Missing key", "keyring")


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
    requirements.ensure_programs(host, progress.step)
    bwrap = host_facts.find_program("bwrap")
    assert bwrap is not None
    os.makedirs(host.roots, exist_ok=True)
    with locked(os.path.join(host.roots, "lock"), progress) as lock:
        if not os.path.exists(os.path.join(root, rootfs.MANIFEST)):
            remove_stages(host.roots)
            requirements.check_disk(host.roots, requirements.ROOT_SPACE)
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
    with open("/proc/self/mountinfo", encoding="utf-8") as stream:
        mounted = mounts_below(os.path.realpath(folder), stream.read())
    if mounted:
        raise errors.BootstrapError(
            f"`{mounted[0]}` is still mounted, so `{folder}` is not removed",
            f"unmount it: umount {mounted[0]}",
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
        try:
            with open(os.path.join(stage, TEMPORARY_NOTE), encoding="utf-8") as stream:
                remove_tree(stream.read())
        except FileNotFoundError:
            pass
        remove_tree(stage)


def mention_other_roots(roots: str, root: str, progress: Progress) -> None:
    """Say which roots of other recipes lie about."""
    others = [
        path
        for path in (os.path.join(roots, name) for name in sorted(os.listdir(roots)))
        if os.path.isdir(path) and path != root
    ]
    if others:
        progress.step(f"older root file systems can go: rm -rf {' '.join(others)}")


def mmdebstrap_command(mmdebstrap: str, recipe: Recipe, uid: int, target: str) -> list[str]:
    """Command that makes the root: root fills the folder `target`, a user writes a tar to stdout.

    Args:
        mmdebstrap: absolute path of the program.
        recipe: suite and packages.
        uid: the caller's user id.
        target: folder to fill.
    """
    # As root its mounts would be the machine's and outlive a kill: give it namespaces of its own,
    # whose end takes processes and mounts along. As a user it makes such namespaces itself.
    command = (
        [*NAMESPACES, mmdebstrap, "--mode=root"] if uid == 0 else [mmdebstrap, "--mode=unshare"]
    )
    command += [
        "--variant=apt",
        "--architectures=amd64",
        # The mirrors' copy of a testing suite may be older than its Valid-Until.
        '--aptopt=Acquire::Check-Valid-Until "false"',
        "--include=" + ",".join(recipe.packages),
    ]
    if uid == 0:
        command += ["--format=directory", recipe.suite, target]
    else:
        command += ["--format=tar", recipe.suite, "-"]
    mirror = os.environ.get("TILEWRIGHT_DEBIAN_MIRROR")
    return [*command, mirror] if mirror else command


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
        f"making the root file system with Bazel, once (Debian {recipe.suite}, about 1.4 GB, "
        "a minute or two)"
    )
    old_umask = os.umask(0o022)
    stage = tempfile.mkdtemp(prefix=STAGE_PREFIX, dir=host.roots)
    temporary = ""
    try:
        with _signals_raise():
            target = os.path.join(stage, "root")
            if host.uid != 0:
                temporary = _temporary_folder(stage)
            _run_mmdebstrap(host, recipe, target, temporary, lock, progress)
            progress.step("finishing")
            version = finish(target)
            os.chmod(target, 0o755)
            os.rename(target, root)
        progress.step(f"Bazel {version} from Debian {recipe.suite} is ready in {root}")
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
    base = os.environ.get("TMPDIR") or "/var/tmp"
    requirements.check_disk(base, requirements.TEMPORARY_SPACE)
    folder = tempfile.mkdtemp(prefix="tilewright-", dir=base)
    with open(os.path.join(stage, TEMPORARY_NOTE), "w", encoding="utf-8") as stream:
        stream.write(folder)
    os.chmod(folder, 0o755)
    return folder


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


def _die_with_parent() -> None:
    end = signal.SIGKILL if os.getuid() == 0 else signal.SIGTERM
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, end)


def _run_mmdebstrap(
    host: Host, recipe: Recipe, target: str, temporary: str, lock: int, progress: Progress
) -> None:
    mmdebstrap = host_facts.find_program("mmdebstrap")
    assert mmdebstrap is not None
    environ = _helper_environment(temporary)
    command = mmdebstrap_command(mmdebstrap, recipe, host.uid, target)
    log_path = os.path.join(host.roots, recipe.key + ".log")
    tar: subprocess.Popen[bytes] | None = None
    with open(log_path, "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if host.uid == 0 else subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(lock,),
            preexec_fn=_die_with_parent,
            start_new_session=True,  # when stopped, it hangs up its whole process group
        )
        try:
            if host.uid != 0:
                os.mkdir(target)
                # Device nodes are root's to make, and /dev is the host's anyway.
                options = ["--no-same-owner", "--preserve-permissions", "--exclude=./dev/*"]
                tar = subprocess.Popen(
                    ["tar", "-x", "-C", target, *options],
                    stdin=process.stdout,
                    stderr=log,
                    env=environ,
                    preexec_fn=_die_with_parent,
                )
                assert process.stdout is not None
                process.stdout.close()
            assert process.stderr is not None
            lines = _follow(process.stderr, log, progress)
            code = process.wait()
            tar_code = tar.wait() if tar is not None else 0
        except BaseException:
            for helper in (process, tar):
                if helper is not None:
                    _stop(helper)
            raise
    if code != 0 or tar_code != 0:
        raise explain_failure(code or tar_code, lines, log_path)


def _helper_environment(temporary: str) -> dict[str, str]:
    environ = {
        name: value
        for name, value in os.environ.items()
        if name.lower().endswith("_proxy") or name in ("HOME", "USER", "TERM")
    }
    environ.update(PATH=host_facts.SYSTEM_PATH, LC_ALL="C.UTF-8", TMPDIR=temporary or "/tmp")
    return environ


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a helper. As a user, mmdebstrap gets time to delete what subordinate ids own."""
    if os.getuid() == 0:
        process.kill()  # and with `unshare` its whole process namespace
    else:
        process.terminate()
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _follow(stream: IO[bytes], log: IO[str], progress: Progress) -> list[str]:
    """Copy mmdebstrap's messages to the log, name its steps; returns the lines."""
    lines: list[str] = []
    pending = b""
    descriptor = stream.fileno()
    while True:
        ready, _, _ = select.select([descriptor], [], [], 1.0)
        if not ready:
            progress.alive()
            continue
        chunk = os.read(descriptor, 65536)
        pending += chunk
        *whole, pending = pending.split(b"\n")
        if not chunk and pending:
            whole.append(pending)
        for raw in whole:
            line = raw.decode(errors="replace").split("\r")[-1].rstrip()
            lines.append(line)
            log.write(line + "\n")
            step = step_name(line)
            if step:
                progress.step(step)
        progress.alive()
        if not chunk:
            log.flush()
            return lines


def step_name(line: str) -> str:
    """The step that a line of mmdebstrap announces, or an empty string."""
    if line.startswith("I: ") and line.endswith("..."):
        return line[3:-3]
    return ""


def explain_failure(code: int, lines: list[str], log_path: str) -> errors.LauncherError:
    """The error to raise when mmdebstrap ended with `code` after printing `lines`."""
    text = "\n".join(lines)
    last = next((line for line in reversed(lines) if line.startswith("E: ")), "")
    if any(sign in text for sign in NETWORK_SIGNS):
        line = next(line for line in lines if any(sign in line for sign in NETWORK_SIGNS))
        return errors.NetworkError(
            f"Debian's packages could not be fetched: {line.strip()}",
            "check the network and http_proxy, or name a mirror you reach with "
            f"TILEWRIGHT_DEBIAN_MIRROR=URL (log: {log_path}); or {errors.BAZELISK_HINT}",
        )
    if any(sign in text for sign in SIGNATURE_SIGNS):
        return errors.BootstrapError(
            "apt does not trust Debian's archive on this machine",
            f"install or update its keys: apt-get install debian-archive-keyring (log: {log_path})",
        )
    return errors.BootstrapError(
        f"`mmdebstrap` ended with exit code {code}: {last or 'no message'}",
        f"read {log_path}; or {errors.BAZELISK_HINT}",
    )


def finish(target: str) -> str:
    """Add mount points and the manifest to a filled root; returns Bazel's version.

    Raises:
        BazelVersionError: the suite's Bazel is outside the supported range.
    """
    for name in rootfs.MOUNT_POINT_FILES:
        path = os.path.join(target, name)
        if os.path.islink(path):
            os.unlink(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))
    os.makedirs(os.path.join(target, "etc/xdg/pip"), exist_ok=True)
    with open(os.path.join(target, "var/lib/dpkg/status"), encoding="utf-8") as stream:
        packages = installed_packages(stream.read())
    manifest = "".join(f"{name}={version}\n" for name, version in packages)
    version = rootfs.bazel_version(manifest)
    with open(os.path.join(target, rootfs.MANIFEST), "w", encoding="utf-8") as stream:
        stream.write(manifest)
    return version


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
