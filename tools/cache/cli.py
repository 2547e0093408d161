# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command line of `serve`: reads it, and does what it says."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from tools.cache import access, certificate, clean, door, errors, programs, supervise
from tools.cache import folder as folders
from tools.cache.buildgrid import server as buildgrid
from tools.cache.folder import Folder
from tools.cache.nginx import server as nginx
from tools.cache.options import Options, parse_age, parse_size
from tools.cache.programs import Root
from tools.cache.supervise import Program
from tools.launcher.progress import say


class Server(Protocol):
    """What the module of a server has."""

    SCHEMES: tuple[str, str]

    def root(self) -> Root | None:
        """The root file system with the programs; None where the machine's own will do."""

    def plan(
        self,
        options: Options,
        folder: Folder,
        root: Root | None,
        certificate: tuple[str, str] | None,
    ) -> list[Program]:
        """Writes the configuration; gives the programs to run."""

    def begin(self, folder: Folder) -> None:
        """Does once what a new start asks for, while clients are served already."""

    def note_usage(self, folder: Folder, send: Callable[[signal.Signals], None]) -> None:
        """Notes what was used since the last call."""

    def shrink(self, folder: Folder, most: int, age: float) -> clean.Outcome:
        """Cleans."""


SERVERS: dict[str, Server] = {"nginx": nginx, "buildgrid": buildgrid}
USAGE_INTERVAL = 60.0
CLEAN_INTERVAL = 600.0
NEVER = "36500d"


def parser() -> argparse.ArgumentParser:
    """The command line's parser."""
    result = argparse.ArgumentParser(
        prog="serve", description="Serves a remote cache for Bazel; runs in the foreground."
    )
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in (
        ("nginx", "a cache over HTTP: nginx, the machine's or Debian's"),
        ("buildgrid", "a cache over gRPC: BuildGrid behind Debian's nginx"),
    ):
        _add_server_options(commands.add_parser(name, help=text, description=text))
    text = "largest upload: 2G (default: no bound)"
    commands.choices["nginx"].add_argument("--max-entry", metavar="SIZE", help=text)
    text = "removes the least recently used entries; servers also do it by themselves"
    cleaning = commands.add_parser("clean", help=text, description=text)
    cleaning.add_argument("--root", metavar="DIR", required=True, help="folder of the cache")
    text = "down to this (default: 50G)"
    cleaning.add_argument("--max-size", metavar="SIZE", default="50G", help=text)
    text = "also what was not used for so long: 30d"
    cleaning.add_argument("--older-than", metavar="TIME", default=NEVER, help=text)
    text = "adds a user to a password file, or changes the password; prints a line for NETRC"
    passwords = commands.add_parser("htpasswd", help=text, description=text)
    passwords.add_argument("file", metavar="FILE", help="made if it does not exist")
    passwords.add_argument("user", metavar="USER")
    text = "read the password from standard input (default: make a random one)"
    passwords.add_argument("--password-stdin", action="store_true", help=text)
    text = "the cache's name in the printed line"
    passwords.add_argument("--machine", metavar="HOST", default="HOST", help=text)
    return result


def _add_server_options(command: argparse.ArgumentParser) -> None:
    text = (
        "folder of the cache; made if it does not exist. Started as root, the server runs as its "
        "owner, `nobody` at first"
    )
    command.add_argument("--root", metavar="DIR", required=True, help=text)
    text = "where clients connect: 0.0.0.0:8443"
    command.add_argument("--listen", metavar="HOST:PORT", required=True, help=text)
    transport = command.add_mutually_exclusive_group(required=True)
    text = "certificate chain and key, PEM"
    transport.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"), help=text)
    text = "make a certificate, once, that clients then have to trust"
    transport.add_argument("--self-signed", action="store_true", help=text)
    text = "no TLS: passwords and entries can be read and changed on the way"
    transport.add_argument("--plaintext", action="store_true", help=text)
    text = "password file of those who may write (see `serve htpasswd`); they read too"
    command.add_argument("--writers", metavar="FILE", required=True, help=text)
    text = "password file of those who may only read (default: everybody may)"
    command.add_argument("--readers", metavar="FILE", help=text)
    text = "by what name clients know this machine (default: HOST of --listen, or its own name)"
    command.add_argument("--name", metavar="HOST", help=text)
    text = "the least recently used entries go above this (default: 50G)"
    command.add_argument("--max-size", metavar="SIZE", default="50G", help=text)
    text = "entries that were not used for so long go: 30d (default: never)"
    command.add_argument("--older-than", metavar="TIME", default=NEVER, help=text)
    command.set_defaults(max_entry="0")


def options_of(arguments: argparse.Namespace) -> Options:
    """The options of a server from its command line.

    Raises:
        OptionError: one cannot be used.
    """
    tls = arguments.tls
    if arguments.name is not None:
        door.check_host("--name", arguments.name)
    return Options(
        root=folders.absolute("--root", arguments.root),
        listen=door.parse_address(arguments.listen),
        name=arguments.name,
        tls=(folders.absolute("--tls", tls[0]), folders.absolute("--tls", tls[1])) if tls else None,
        self_signed=arguments.self_signed,
        writers=os.path.abspath(arguments.writers),
        readers=os.path.abspath(arguments.readers) if arguments.readers else None,
        max_size=parse_size("--max-size", arguments.max_size),
        max_age=parse_age("--older-than", arguments.older_than),
        max_entry=parse_size("--max-entry", arguments.max_entry),
    )


def serve(kind: str, options: Options) -> None:
    """Serves until a signal ends it.

    Raises:
        CacheError: any of its kinds.
    """
    os.umask(0o022)  # whatever the caller's is: the owner writes, and nobody else
    access.read_users("--writers", options.writers)
    if options.readers is not None:
        access.read_users("--readers", options.readers)
    if options.tls is not None:
        certificate.check(*options.tls)
    door.check_free(options.listen)
    server = SERVERS[kind]
    folder = folders.claim(options.root, kind)
    with folders.locked(
        folder,
        "lock",
        f"another `serve` holds `{options.root}`",
        "end it first, or give this one a folder of its own",
    ):
        folders.prepare(folder, kind)
        _warn(options)
        root = server.root()
        access.install(folder, options.writers, options.readers)
        names = door.client_names(options.listen, options.name)

        def openssl(arguments: Sequence[str], data: bytes) -> tuple[int, str]:
            return programs.openssl(root, folder, arguments, data)

        pair = authority = None
        if options.self_signed:
            pair = certificate.self_signed(folder, names, openssl)
            authority = pair[0]
        elif options.tls is not None:
            pair = certificate.install(folder, *options.tls, openssl)
        plan = server.plan(options, folder, root, pair)
        scheme = server.SCHEMES[pair is not None]

        def on_ready() -> None:
            with contextlib.suppress(OSError):  # clients are served, whoever reads this
                _show(*door.environment_lines(scheme, options.listen, names, authority))

        def on_hangup(send: Callable[[signal.Signals], None]) -> None:
            say("tilewright: SIGHUP received, reading certificates and password files again")
            _refresh(lambda: access.install(folder, options.writers, options.readers))
            tls = options.tls
            if tls is not None:
                _refresh(lambda: certificate.install(folder, *tls, openssl))
            send(signal.SIGHUP)

        supervise.run(
            plan,
            on_ready,
            on_hangup,
            lambda send, stopping: maintain(server, folder, options, send, stopping),
        )


def _warn(options: Options) -> None:
    total = shutil.disk_usage(options.root).total
    if total < options.max_size:
        say(
            f"tilewright: `{options.root}` is on a disk of {total / 1e9:.1f} GB, less than "
            f"`--max-size`; cleaning keeps a twentieth of it free"
        )


def _show(*lines: str) -> None:
    """Prints lines on standard output, at once.

    What Python keeps for a closed pipe it tries again at exit, whose code is then 120.

    Raises:
        OSError: nobody can receive them.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    os.write(sys.stdout.fileno(), "".join(line + "\n" for line in lines).encode())


def _refresh(install: Callable[[], object]) -> None:
    """Takes changed files over; a fault in them is said, and the old ones stay."""
    try:
        install()
    except errors.CacheError as error:
        say(f"tilewright: {error}")
    except OSError as error:
        say(f"tilewright: {errors.FolderError.of(error)}")


def maintain(
    server: Server,
    folder: Folder,
    options: Options,
    send: Callable[[signal.Signals], None],
    stopping: threading.Event,
) -> None:
    """Cleans, notes what is used and reads the password files, again and again."""
    next_cleaning = 0.0
    is_begun = False
    while True:
        try:
            with folders.as_owner(folder) as inside:
                if not is_begun:
                    server.begin(inside)
                    is_begun = True
                server.note_usage(inside, send)
            if time.monotonic() >= next_cleaning or clean.is_nearly_full(folder.root):
                next_cleaning = time.monotonic() + CLEAN_INTERVAL
                outcome = _clean(server, folder, options.max_size, options.max_age)
                if outcome.removed:
                    say(f"tilewright: {outcome}")
        except errors.CacheError as error:
            say(f"tilewright: {error}")
        except Exception as error:
            # Clients are served on; the next round may do better.
            say(f"tilewright: cleaning failed: {type(error).__name__}: {error}")
        if stopping.wait(USAGE_INTERVAL):
            return
        _refresh(lambda: access.install(folder, options.writers, options.readers))


def _clean(server: Server, folder: Folder, most: int, age: float) -> clean.Outcome:
    message, hint = f"`{folder.root}` is being cleaned", "wait for the other call"
    with folders.locked(folder, "clean.lock", message, hint), folders.as_owner(folder) as inside:
        outcome = server.shrink(inside, most, age)
        folders.reserve_space(inside)
        return outcome


def clean_once(root: str, max_size: str, older_than: str) -> None:
    """Cleans a cache's folder, its server running or not.

    Raises:
        CacheError: any of its kinds.
    """
    os.umask(0o022)
    folder = Folder(folders.absolute("--root", root))
    kind = folder.kind()
    if kind not in SERVERS:
        raise errors.FolderError(
            f"`{folder.root}` is no cache's folder",
            "name the folder that `serve nginx` or `serve buildgrid` has as its `--root`",
        )
    most = parse_size("--max-size", max_size)
    age = parse_age("--older-than", older_than)
    _show(str(_clean(SERVERS[kind], folder, most, age)))


def main(argv: Sequence[str]) -> int:
    """Runs `serve`; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        if arguments.command == "htpasswd":
            door.check_host("--machine", arguments.machine)
            given = None
            if arguments.password_stdin:
                given = sys.stdin.buffer.readline().decode(errors="replace").rstrip("\r\n")
            password = access.set_password(arguments.file, arguments.user, given)
            _show(f"machine {arguments.machine} login {arguments.user} password {password}")
        elif arguments.command == "clean":
            clean_once(arguments.root, arguments.max_size, arguments.older_than)
        else:
            serve(arguments.command, options_of(arguments))
    except errors.CacheError as error:
        say(f"tilewright: {error}")
        return error.exit_code
    except OSError as error:
        explained = errors.FolderError.of(error)
        say(f"tilewright: {explained}")
        return explained.exit_code
    except KeyboardInterrupt:
        return 130
    return 0
