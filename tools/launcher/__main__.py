# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`tools/bazel` without a Bazel of the user's own: find or make the root, run Bazel in it."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":  # the interpreter runs isolated: it has no folder of ours on its path
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tools.launcher import environment, errors, mounts, remote_cache, rootfs, supervise
from tools.launcher import host as host_facts
from tools.launcher.progress import say

WORKSPACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def bazel_command(rc_files: list[str], fingerprint: str, arguments: list[str]) -> list[str]:
    """Bazel's command line: our startup options before the user's.

    The property has no meaning to Bazel. Startup options that differ make it replace its server,
    and a server of another root or with other mounts must be replaced.
    """
    return [
        "/usr/bin/bazel",
        *("--bazelrc=" + path for path in rc_files),
        "--host_jvm_args=-Dtilewright.mounts=" + fingerprint,
        *arguments,
    ]


def main(arguments: list[str]) -> int:
    """Run Bazel with `arguments`; returns the exit code."""
    environ = os.environ
    host = host_facts.inspect(environ, WORKSPACE)
    root = os.path.join(host.roots, rootfs.RECIPE.key)
    bwrap = host_facts.find_program("bwrap")
    if bwrap is None or not os.path.exists(os.path.join(root, rootfs.MANIFEST)):
        from tools.launcher import bootstrap

        bwrap = bootstrap.ensure(host, rootfs.RECIPE, root)
    outputs = mounts.output_folders(arguments)
    for folder in outputs:
        os.makedirs(folder, exist_ok=True)
    plan = mounts.plan(host, environ, root, outputs)
    mounts.make_mount_points(plan, root)
    rc_files = [
        *remote_cache.rc_files(environ, host.cache),
        os.path.join(WORKSPACE, "tools/launcher/container.bazelrc"),
    ]
    fingerprint = mounts.fingerprint(plan)
    command = bazel_command(rc_files, fingerprint, arguments)
    options = mounts.bwrap_options(plan, host.cwd)
    return supervise.run(bwrap, options, command, environment.plan(host, environ, fingerprint))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except errors.LauncherError as error:
        say(f"tilewright: {error}")
        sys.exit(error.exit_code)
    except OSError as error:
        explained = errors.FileAccessError.of(error)
        say(f"tilewright: {explained}")
        sys.exit(explained.exit_code)
    except KeyboardInterrupt:
        say("tilewright: interrupted")
        sys.exit(130)
