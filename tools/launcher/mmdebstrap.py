# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Run mmdebstrap: as root into a folder, as an ordinary user through a tar."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
from typing import IO

from tools.launcher import errors
from tools.launcher import host as host_facts
from tools.launcher.host import Host
from tools.launcher.progress import Progress
from tools.launcher.rootfs import Recipe

NAMESPACES = (
    *("unshare", "--mount", "--propagation", "private"),
    *("--pid", "--mount-proc", "--fork", "--kill-child", "--"),
)
"""As root, mmdebstrap's mounts would be the machine's and outlive a kill: it gets namespaces of its
own, whose end takes processes and mounts along. As a user it makes such namespaces itself."""

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
SIGNATURE_SIGNS = ("NO_PUBKEY", "is not signed", "Missing key")


def command_line(mmdebstrap: str, recipe: Recipe, uid: int, target: str) -> list[str]:
    """Command that makes the root: root fills the folder `target`, a user writes a tar to stdout.

    Args:
        mmdebstrap: absolute path of the program.
        recipe: suite and packages.
        uid: the caller's user id.
        target: folder to fill.
    """
    is_root = uid == 0
    command = [*(NAMESPACES if is_root else ()), mmdebstrap]
    command += [
        "--mode=root" if is_root else "--mode=unshare",
        "--variant=apt",
        "--architectures=amd64",
        # The mirrors' copy of a testing suite may be older than its Valid-Until.
        '--aptopt=Acquire::Check-Valid-Until "false"',
        "--include=" + ",".join(recipe.packages),
    ]
    if is_root:
        command += ["--format=directory", recipe.suite, target]
    else:
        command += ["--format=tar", recipe.suite, "-"]
    mirror = os.environ.get("TILEWRIGHT_DEBIAN_MIRROR")
    return [*command, mirror] if mirror else command


def _die_with_parent() -> None:
    end = signal.SIGKILL if os.getuid() == 0 else signal.SIGTERM
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, end)


def run(
    host: Host, recipe: Recipe, target: str, temporary: str, lock: int, progress: Progress
) -> None:
    """Fill the folder `target` with the root file system.

    Args:
        host: the caller's surroundings.
        recipe: suite and packages.
        target: absolute folder that does not exist yet.
        temporary: where an ordinary user's mmdebstrap works; empty for root.
        lock: descriptor that mmdebstrap inherits.
        progress: where to report its steps.

    Raises:
        NetworkError: packages could not be fetched.
        BootstrapError: it failed in another way.
    """
    mmdebstrap = host_facts.find_program("mmdebstrap")
    assert mmdebstrap is not None
    environ = _helper_environment(temporary)
    command = command_line(mmdebstrap, recipe, host.uid, target)
    log_path = os.path.join(host.roots, recipe.key + ".log")
    tar: subprocess.Popen[bytes] | None = None
    with open(log_path, "w", encoding="utf-8", buffering=1) as log:
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
            with process.stderr:
                lines = _follow(process.stderr, log, progress)
            code = process.wait()
            tar_code = tar.wait() if tar is not None else 0
        except BaseException:
            progress.step("stopping and cleaning up")
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
            return lines


def step_name(line: str) -> str:
    """The step that a line of mmdebstrap announces, or an empty string."""
    if line.startswith("I: ") and line.endswith("...") and "received signal" not in line:
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
