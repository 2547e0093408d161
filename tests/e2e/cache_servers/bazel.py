# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds a small workspace with a cache server that has its troubles."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from tests.e2e.cache_servers.server import SERVE, Server, Users, note, serving, small_disk
from tests.e2e.wheels import REPOSITORY


class Workspace:
    """A small workspace, built from nothing each time with a cache."""

    ACTIONS = 12

    def __init__(self, work: pathlib.Path) -> None:
        self.folder = work / "workspace"
        self.output = work / "output"
        self.folder.mkdir()
        (self.folder / "MODULE.bazel").write_text('module(name = "cache_check")\n')
        (self.folder / ".bazelrc").write_text(
            "common --noenable_workspace --lockfile_mode=off\n"
            "build --incompatible_strict_action_env --nosandbox_debug\n"
        )
        (self.folder / "tree.bzl").write_text(
            "def _impl(ctx):\n"
            "    out = ctx.actions.declare_directory(ctx.label.name)\n"
            "    command = 'mkdir %s/x && echo one > %s/x/1 && echo two > %s/2'\n"
            "    command = command.replace('%s', out.path)\n"
            "    ctx.actions.run_shell(outputs = [out], command = command)\n"
            "    return DefaultInfo(files = depset([out]))\n"
            "tree = rule(implementation = _impl)\n"
        )
        self.change(0)

    def change(self, number: int) -> None:
        """Makes all actions new ones."""
        (self.folder / "BUILD").write_text(
            'load(":tree.bzl", "tree")\n'
            f'tree(name = "tree{number}")\n'
            f"[genrule(name = 'g%d' % i, outs = ['g%d.txt' % i], cmd = 'for n in $$(seq 40000); "
            f"do echo {number} %d $$n; done > $@' % i) for i in range({self.ACTIONS - 2})]\n"
            f"genrule(name = 'all', srcs = ['g%d.txt' % i for i in range({self.ACTIONS - 2})], "
            "outs = ['all.txt'], cmd = 'cat $(SRCS) > $@')\n"
        )

    def bazel(self, *arguments: str, netrc: pathlib.Path | None = None) -> str:
        environment = {**os.environ, "NETRC": str(netrc or "/dev/null")}
        result = subprocess.run(
            [REPOSITORY / "tools/bazel", f"--output_user_root={self.output}", *arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.returncode == 0, (arguments, result.returncode, result.stdout[-4000:])
        return result.stdout

    def build(self, server: Server, netrc: pathlib.Path | None, *flags: str) -> tuple[int, str]:
        """Builds everything; returns the number of hits, and what Bazel said."""
        self.bazel("clean")
        flags = (f"--remote_cache={server.address}", "--color=no", "--curses=no", *flags)
        if "TILEWRIGHT_REMOTE_CA" in server.settings:
            flags += (f"--tls_certificate={server.settings['TILEWRIGHT_REMOTE_CA']}",)
        output = self.bazel("build", *flags, "//...", netrc=netrc)
        found = re.search(r"(\d+) remote cache hit", output)
        assert (self.folder / "bazel-bin" / "all.txt").stat().st_size > 1_000_000
        return int(found.group(1)) if found else 0, output


def check_bazel(work: pathlib.Path, users: Users) -> None:
    workspace = Workspace(work)
    count = workspace.ACTIONS
    writer, reader = users.folder / "writer.netrc", users.folder / "reader.netrc"
    wrong = users.folder / "wrong.netrc"
    wrong.write_text("machine localhost login writer password wrong\n")
    try:
        for number, (kind, transport) in enumerate(
            # Debian's Bazel cannot do grpcs: its netty lacks ALPN.
            (("nginx", "--self-signed"), ("buildgrid", "--plaintext"))
        ):
            root = work / f"bazel-{kind}"
            options = (transport, "--readers", str(users.folder / "readers"))
            workspace.change(10 * number)
            with serving(kind, root, users, *options) as server:
                note(f"{kind}: Bazel uploads")
                assert workspace.build(server, writer)[0] == 0
                assert workspace.build(server, reader)[0] == count
            with serving(kind, root, users, *options) as server:
                note(f"{kind}: hits after a restart")
                assert workspace.build(server, reader)[0] == count
                time.sleep(2)  # valkey writes each second
                server.end(signal.SIGKILL)
            with serving(kind, root, users, *options) as server:
                note(f"{kind}: hits after a kill")
                assert workspace.build(server, reader)[0] == count
                note(f"{kind}: wrong credentials")
                for netrc in (wrong, None):
                    hits, output = workspace.build(server, netrc)
                    assert hits == 0
                    assert "WARNING: Remote Cache" in output, output
                note(f"{kind}: an upload without the right to")
                workspace.change(10 * number + 1)
                hits, output = workspace.build(server, reader)
                assert hits <= 1 and "WARNING: Remote Cache" in output, output
                hits, _ = workspace.build(server, reader, "--noremote_upload_local_results")
                assert hits <= 1, "a reader has written"
            if os.geteuid() != 0:
                note(f"{kind}: full disk LEFT OUT, it needs root")
                continue
            note(f"{kind}: a full disk")
            with (
                small_disk(work / f"full-{kind}", 20) as disk,
                serving(kind, disk / "cache", users, *options) as server,
            ):
                for change in range(2, 6):
                    workspace.change(10 * number + change)
                    workspace.build(server, writer)
                    workspace.build(server, reader)
                note(f"{kind}: {shutil.disk_usage(disk).free / 1e6:.1f} MB free; cleaning")
                output = subprocess.run(
                    [SERVE, "clean", "--root", disk / "cache", "--max-size", "1M"],
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                ).stdout
                note(f"clean: {output.strip()}")
                workspace.build(server, reader)
                workspace.change(10 * number + 6)
                workspace.build(server, writer)
                assert workspace.build(server, reader)[0] == count, "no room after cleaning"
    finally:
        workspace.bazel("shutdown")
