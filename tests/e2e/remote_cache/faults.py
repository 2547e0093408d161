# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Breaks a remote cache in every way that one breaks, and builds with it.

usage: python3 -m tests.e2e.remote_cache.faults [--work DIR] {nginx,buildgrid} [--only FAULT ...]

Machine A fills the cache. Then, fault by fault, machine B builds the wheel from nothing but its
fetched packages. Each build must end well and give a wheel with A's sha256. Takes up to an hour;
some of the builds can use no cache. As root a full disk is played on a tmpfs; without root that is
left out, visibly. Needs the package `zstandard`. Exit code 0 when all holds.
"""

import argparse
import contextlib
import dataclasses
import pathlib
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator

from tests.e2e import machines
from tests.e2e.cache_servers.server import Server, Users, serving, small_disk
from tests.e2e.machines import WHEEL, Machine
from tests.e2e.remote_cache.check import Failures, make_machines, server_options
from tests.e2e.remote_cache.execution import Run, bazel

#: Of five entries one is damaged, so that hits, faults and what is executed meet in one build.
ONE_IN = 5

#: An ActionResult with an exit code of 0 and no outputs; its bytes are the field `exit_code`.
NO_OUTPUTS = b"\x20\x00"


@dataclasses.dataclass
class Cache:
    """The cache under test and who uses it.

    Attributes:
        kind: of the server.
        work: folder of everything.
        users: who may do what.
        server: it, running or not.
        reader: machine B.
        wheel: sha256 that every build must come to.
        keys: of the action results that a build asks for.
        middle: bytes that have passed in the middle of a build from the full cache.
    """

    kind: str
    work: pathlib.Path
    users: Users
    server: Server
    reader: Machine
    wheel: str
    keys: list[str]
    middle: int

    @property
    def root(self) -> pathlib.Path:
        return self.work / "cache"

    def restart(self) -> None:
        """Ends the server, if it runs, and starts it on the same port with the same folder."""
        if self.server.process.poll() is None:
            self.server.end()
        self.server = Server(
            self.kind, self.root, self.users, *server_options(self.users), port=self.server.port
        )

    def blobs(self) -> list[pathlib.Path]:
        """The files of blobs, sorted."""
        folder = {"nginx": "cas", "buildgrid": "blobs"}[self.kind]
        return sorted(path for path in (self.root / "data" / folder).rglob("*") if path.is_file())

    def files(self) -> set[pathlib.Path]:
        """Every file of the cache."""
        return {path for path in (self.root / "data").rglob("*") if path.is_file()}


def build(machine: Machine, name: str) -> Run:
    """Builds the wheel from no outputs; a failure of the build ends the script."""
    machine.bazel("clean")
    return bazel(machine, name, "build", WHEEL)


class Proxy:
    """A port that passes on to another one.

    Attributes:
        port: where it listens.
        delay: seconds before each piece.
        flows: while clear, nothing passes and connections stay open.
        passed: bytes that have passed.
    """

    PIECE = 64 << 10

    def __init__(self, port: int, delay: float = 0.0) -> None:
        self.delay = delay
        self.flows = threading.Event()
        self.flows.set()
        self.passed = 0
        self._fault: tuple[int, Callable[[], object]] | None = None
        self._lock = threading.Lock()
        self._port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self.flows.set()
        self._listening.close()

    def at(self, passed: int, fault: Callable[[], object]) -> None:
        """Calls `fault` once, when so many bytes have passed."""
        self._fault = passed, fault

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._port))
                except OSError:
                    client.close()
                    continue
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(self.PIECE):
                time.sleep(self.delay)
                self.flows.wait()
                self._count(len(data))
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def _count(self, size: int) -> None:
        with self._lock:
            self.passed += size
            if self._fault is None or self.passed < self._fault[0]:
                return
            _, fault = self._fault
            self._fault = None
        fault()


@contextlib.contextmanager
def through_proxy(
    machine: Machine, server: Server, delay: float = 0.0
) -> Iterator[tuple[Machine, Proxy]]:
    """A machine with another way to the cache."""
    proxy = Proxy(server.port, delay)
    address = server.address.replace(f":{server.port}", f":{proxy.port}")
    try:
        yield machine.with_variables(TILEWRIGHT_REMOTE_CACHE=address), proxy
    finally:
        proxy.close()


def down_at_start(cache: Cache, name: str) -> Run:
    cache.server.end()
    return build(cache.reader, name)


def in_the_middle(run: Run) -> Run:
    """The same; raises AssertionError unless the cache was of use before the fault, not after."""
    if not run.missed or len(run.missed) == len(run.actions):
        raise AssertionError(f"{len(run.missed)} of {len(run.actions)} missed: not in the middle")
    return run


def killed_in_the_middle(cache: Cache, name: str) -> Run:
    with through_proxy(cache.reader, cache.server) as (machine, proxy):
        proxy.at(cache.middle, lambda: cache.server.end(signal.SIGKILL))
        return in_the_middle(build(machine, name))


def slow_answers(cache: Cache, name: str) -> Run:
    with through_proxy(cache.reader, cache.server, delay=0.1) as (machine, _):
        return build(machine, name)


def no_answers(cache: Cache, name: str) -> Run:
    """From the middle on nothing is answered, and connections stay open."""
    with through_proxy(cache.reader, cache.server) as (machine, proxy):
        proxy.at(cache.middle, proxy.flows.clear)
        return in_the_middle(build(machine, name))


def corrupt_blobs(cache: Cache, name: str) -> Run:
    for path in cache.blobs()[::ONE_IN]:
        content = bytearray(path.read_bytes())
        if content:
            content[len(content) // 2] ^= 0xFF
            path.write_bytes(content)
    return build(cache.reader, name)


def evicted_blobs(cache: Cache, name: str) -> Run:
    for path in cache.blobs()[1::ONE_IN]:
        path.unlink()
    return build(cache.reader, name)


def wrong_credentials(cache: Cache, name: str) -> Run:
    netrc = cache.users.folder / "nobody.netrc"
    netrc.write_text("machine localhost login reader password wrong\n")
    return build(cache.reader.with_variables(NETRC=str(netrc)), name)


def reader_uploads(cache: Cache, name: str) -> Run:
    """A reader that asks to upload: what it makes anew must not be in the cache afterwards."""
    before = cache.files()
    machine = cache.reader.with_variables(TILEWRIGHT_REMOTE_UPLOAD="1")
    # Another argument is another key: everything that it reaches is made anew.
    machine.bazel("build", "--config=ci", "--copt=-DTILEWRIGHT_PROBE", "//csrc/runtime:runtime")
    added = cache.files() - before
    if added:
        raise AssertionError(f"a reader has written {len(added)} files, such as {min(added)}")
    return build(machine, name)


def poisoned_results(cache: Cache, name: str) -> Run:
    """A reader writes results that would empty every output: each must be refused."""
    headers = cache.users.header("reader")
    for key in cache.keys:
        if cache.kind == "nginx":
            status, _ = cache.server.request("PUT", f"/ac/{key}", headers, NO_OUTPUTS)
            answer, expected = str(status), "401"
        else:
            digest = b"\x0a\x40" + key.encode() + b"\x10\x01"
            message = b"\x12" + bytes([len(digest)]) + digest
            message += b"\x1a" + bytes([len(NO_OUTPUTS)]) + NO_OUTPUTS
            method = "build.bazel.remote.execution.v2.ActionCache/UpdateActionResult"
            answer, expected = cache.server.call(method, message, headers), "401 -"
        if answer != expected:
            raise AssertionError(f"a reader writes a result and is told `{answer}`: {key}")
    run = build(cache.reader, name)
    if run.missed:
        raise AssertionError(f"{len(run.missed)} actions missed after the attempts")
    return run


def restarted(cache: Cache, name: str) -> Run:
    cache.restart()
    run = build(cache.reader, name)
    if run.missed:
        raise AssertionError(f"{len(run.missed)} actions missed after a restart")
    return run


FAULTS = {
    "restarted": restarted,
    "reader-uploads": reader_uploads,
    "poisoned-results": poisoned_results,
    "slow-answers": slow_answers,
    "wrong-credentials": wrong_credentials,
    "no-answers": no_answers,
    "killed-in-the-middle": killed_in_the_middle,
    "down-at-start": down_at_start,
    "evicted-blobs": evicted_blobs,
    "corrupt-blobs": corrupt_blobs,
}
FULL_DISK = "full-disk"


def check_fault(cache: Cache, name: str, failures: Failures) -> None:
    """One fault of the cache that A has filled."""
    if cache.server.process.poll() is not None:
        cache.restart()
    started = time.monotonic()
    try:
        run = FAULTS[name](cache, name)
    except Exception as error:
        failures.expect(False, f"{cache.kind}, {name}: {error!r}")
        return
    seconds = time.monotonic() - started
    failures.expect(
        machines.sha256(cache.reader.wheel()) == cache.wheel,
        f"{cache.kind}, {name}: the wheel has its sha256 after {seconds:.0f} s, "
        f"{len(run.actions) - len(run.executed)} hits, {len(run.missed)} misses",
    )


def check_full_disk(cache: Cache, writer: Machine, failures: Failures) -> None:
    """A uploads more than the disk of another cache holds, and B reads there."""
    with (
        small_disk(cache.work / "small", megabytes=40) as disk,
        serving(cache.kind, disk / "cache", cache.users, *server_options(cache.users)) as server,
    ):
        for machine in (writer, cache.reader):
            run = build(machine.with_variables(TILEWRIGHT_REMOTE_CACHE=server.address), FULL_DISK)
            failures.expect(
                machines.sha256(machine.wheel()) == cache.wheel,
                f"{cache.kind}, {FULL_DISK}: {machine.name}'s wheel has its sha256, "
                f"{len(run.actions) - len(run.executed)} hits, {len(run.missed)} misses",
            )
        failures.expect(
            0 < len(run.missed) < len(run.actions), f"{cache.kind}, {FULL_DISK}: full in the middle"
        )


def check(kind: str, work: pathlib.Path, chosen: list[str]) -> Failures:
    """Every chosen fault over one kind of server."""
    failures = Failures()
    users = Users(work)
    users.add("writers", "writer")
    users.add("readers", "reader")
    with serving(kind, work / "cache", users, *server_options(users)) as server:
        a, b = make_machines(work, server, users)
        bazel(a, "fill", "build", WHEEL)
        bazel(b, "first", "build", WHEEL)
        with through_proxy(b, server) as (machine, proxy):
            second = build(machine, "second")
            middle = proxy.passed // 2
        keys = [action.key for action in second.actions if action.key]
        assert keys, "the log has no keys of action results"
        wheel = machines.sha256(a.wheel())
        cache = Cache(kind, work, users, server, b, wheel, keys, middle)
        for name in [name for name in FAULTS if name in chosen]:
            check_fault(cache, name, failures)
        if cache.server.process.poll() is None:
            cache.server.end()
    if FULL_DISK in chosen:
        if machines.is_root():
            check_full_disk(cache, a, failures)
        else:
            print(f"left out, as it needs root: {FULL_DISK}")
    for machine in (a, b):
        machine.remove_output()
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*FAULTS, FULL_DISK]
    parser.add_argument("kind", choices=("nginx", "buildgrid"))
    parser.add_argument("--only", nargs="+", choices=names, help="default: every fault")
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        failures = check(options.kind, pathlib.Path(folder).resolve(), options.only or names)
    print("\n".join(["failed:", *failures]) if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
