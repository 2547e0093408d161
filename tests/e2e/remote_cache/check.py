# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two simulated machines and one remote cache: what the second one executes.

usage: python3 -m tests.e2e.remote_cache.check [--work DIR] {nginx,buildgrid}...

Machine A builds, tests and uploads; machine B, which differs in all that must not matter and may
only read, does the same: it executes nothing but what no cache may keep, and its wheel has the same
sha256. Then, on B: one line of a .cc file, the version alone, and a comment in a .cu file are
changed; what is executed must be the list below, and nothing else.

Takes a full build and its tests for each server. Needs the package `zstandard`. Exit code 0 when
all holds.
"""

import argparse
import contextlib
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from tests.e2e import machines
from tests.e2e.cache_servers.server import Server, Users, serving
from tests.e2e.machines import WHEEL, Machine
from tests.e2e.remote_cache.execution import Run, bazel
from tools.cache.why.log import Action

EVERYTHING = "//..."

#: Makes the wheel of what was compiled and linked, and looks at it.
WHEEL_STEPS = {
    ("PyWheel", "//python:unrepaired_wheel"),
    ("PyWheelRepair", "//python:wheel"),
    ("PyWheelUnpack", "//python:unpacked_wheel"),
    ("PyWheelAudit", "//tests/wheel:audit_test"),
    ("PyWheelContents", "//tests/wheel:contents_test"),
    ("PyWheelSize", "//tests/wheel:size_test"),
}

#: A line of one operator on the CPU: its file, its library, and what is linked with that.
EDITED_SOURCE = "csrc/kernels/rms_norm/rms_norm.cc"
OF_SOURCE = WHEEL_STEPS | {
    ("CppCompile", "//csrc/kernels/rms_norm:rms_norm"),
    ("CppArchive", "//csrc/kernels/rms_norm:rms_norm"),
    ("CppLink", "//csrc:libtilewright.so"),
    ("CppLink", "//csrc:libtilewright_ffi.so"),
    ("CppLink", "//csrc/bindings:_C.so"),
    ("CppLink", "//tests/unit/c_api:c_api_test"),
}

#: The version is in the names and the metadata of two wheels, and in no library.
TOOLS_WHEEL = "//tools/wheel:dist"
OF_VERSION = WHEEL_STEPS | {
    ("PyWheel", TOOLS_WHEEL),
    ("PyWheelAudit", "//tests/wheel:tools_audit_test"),
}

#: A comment in a kernel: nvcc writes the same bytes, so nothing follows.
EDITED_KERNEL = "csrc/kernels/rms_norm/rms_norm.cu"
OF_COMMENT = {("CudaCompile", "//csrc/kernels/rms_norm:rms_norm_cuda")}


def server_options(users: Users) -> tuple[str, ...]:
    """Options of the server. Bazel as Debian packages it cannot speak gRPC over TLS."""
    return ("--plaintext", "--readers", str(users.folder / "readers"))


class Failures(list[str]):
    """What did not hold."""

    def expect(self, holds: bool, what: str) -> None:
        print(f"{'holds' if holds else 'FAILS'}: {what}", flush=True)
        if not holds:
            self.append(what)


def make_machines(work: pathlib.Path, server: Server, users: Users) -> tuple[Machine, Machine]:
    """A, which writes, and B, which reads."""
    a = machines.make(
        "a",
        work,
        variables={
            **server.settings,
            "NETRC": str(users.folder / "writer.netrc"),
            "TILEWRIGHT_REMOTE_UPLOAD": "1",
        },
    )
    b = machines.make(
        "someone",
        work,
        depth=3,
        path=f"/opt/none:{machines.USUAL_PATH}",
        zone="Asia/Tokyo",
        locale="ja_JP.UTF-8",
        flags=("--jobs=3",),
        variables={**server.settings, "NETRC": str(users.folder / "reader.netrc")},
    )
    return a, b


def timed(machine: Machine) -> tuple[list[Run], float]:
    """Builds the wheel and runs all tests; without what fetching and loading take."""
    machine.bazel("build", "--config=ci", "--curses=no", "--nobuild", EVERYTHING)
    started = time.monotonic()
    runs = [
        bazel(machine, "wheel", "build", WHEEL),
        bazel(machine, "tests", "test", "--build_tests_only", EVERYTHING),
    ]
    return runs, time.monotonic() - started


def described(actions: list[Action]) -> str:
    return ", ".join(sorted({f"{action.mnemonic} {action.target}" for action in actions})) or "none"


def check_second_machine(a: Machine, b: Machine, failures: Failures) -> None:
    """B executes nothing that A has uploaded."""
    runs, seconds_a = timed(a)
    print(f"a: {sum(len(run.executed) for run in runs)} executed, {seconds_a:.0f} s")
    runs, seconds_b = timed(b)
    hits = sum(len(run.actions) - len(run.executed) for run in runs)
    print(f"b: {hits} hits, {seconds_b:.0f} s: {seconds_b / seconds_a:.3f} of a's time")
    for name, run in zip(("the wheel", "all tests"), runs, strict=True):
        failures.expect(not run.missed, f"b executes nothing for {name}: {described(run.missed)}")
    local = [action for run in runs for action in run.executed]
    print(f"b executed, as no remote cache may keep it: {described(local)}")
    same = machines.sha256(a.wheel()) == machines.sha256(b.wheel())
    failures.expect(same, f"b's wheel has a's sha256, {machines.sha256(a.wheel())}")


def tests_of(machine: Machine, *files: str) -> set[str]:
    """The tests that depend on files of the checkout."""
    wanted = " + ".join(f"tests(rdeps(//..., {file}))" for file in files)
    # What no build needs cannot be fetched, such as the tools of coverage; the rest is answered.
    line = ["./tools/bazel", f"--output_user_root={machine.output_root}", "query", "--keep_going"]
    line.append(wanted)
    text = subprocess.run(
        line,
        cwd=machine.checkout,
        env=machine.environment,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    if not text:
        raise SystemExit(f"no test depends on {files}, or Bazel gave no answer")
    return set(text.split())


@contextlib.contextmanager
def edited(machine: Machine, file: str, old: str, new: str) -> Iterator[None]:
    """A file of the checkout with one text replaced."""
    path = machine.checkout / file
    text = path.read_text()
    if text.count(old) != 1:
        raise SystemExit(f"`{file}` has {text.count(old)} times {old!r}, expected once")
    path.write_text(text.replace(old, new))
    try:
        yield
    finally:
        path.write_text(text)


def check_edit(
    machine: Machine, name: str, expected: set[tuple[str, str]], tests: set[str], failures: Failures
) -> None:
    """After an edit: builds and tests everything, and compares what was executed."""
    run = bazel(machine, name, "test", "--build_tests_only", EVERYTHING, WHEEL)
    steps = {(a.mnemonic, a.target) for a in run.executed if a.mnemonic != "TestRunner"}
    ran = {action.target for action in run.executed if action.mnemonic == "TestRunner"}
    failures.expect(steps == expected, f"{name}: steps {sorted(steps)}")
    if steps != expected:
        print(f"  not expected: {sorted(steps - expected)}; absent: {sorted(expected - steps)}")
    failures.expect(
        ran <= tests, f"{name}: {len(ran)} tests ran, all among the {len(tests)} that depend"
    )
    if not ran <= tests:
        print(f"  not expected: {sorted(ran - tests)}")


def check_edits(b: Machine, failures: Failures) -> None:
    call = 'extern "C" TwStatus tw_rms_norm('
    source = (b.checkout / EDITED_SOURCE).read_text()
    body = source[source.index(call) :]
    opening = body[: body.index("{\n") + 2]
    with edited(b, EDITED_SOURCE, opening, opening + '  asm volatile("nop");\n'):
        tests = tests_of(b, f"//{EDITED_SOURCE.replace('/rms_norm.cc', ':rms_norm.cc')}")
        check_edit(b, "one line of a .cc file", OF_SOURCE, tests, failures)
    version = (b.checkout / "VERSION").read_text()
    with edited(b, "VERSION", version, version.rstrip("\n") + ".post1\n"):
        check_edit(
            b,
            "the version alone",
            OF_VERSION,
            tests_of(b, "//:VERSION", WHEEL, TOOLS_WHEEL),
            failures,
        )
    line = '#include "csrc/kernels/rms_norm/rms_norm_launch.cuh"\n'
    with edited(b, EDITED_KERNEL, line, line + "// A comment.\n"):
        check_edit(b, "a comment in a .cu file", OF_COMMENT, set(), failures)


def check(kind: str, work: pathlib.Path) -> Failures:
    """Everything over one kind of server."""
    failures = Failures()
    users = Users(work)
    users.add("writers", "writer")
    users.add("readers", "reader")
    with serving(kind, work / "cache", users, *server_options(users)) as server:
        a, b = make_machines(work, server, users)
        check_second_machine(a, b, failures)
        a.remove_output()
        check_edits(b, failures)
        b.remove_output()
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="+", choices=("nginx", "buildgrid"))
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
    failed = []
    for kind in options.kinds:
        with tempfile.TemporaryDirectory(prefix=f"{kind}-", dir=options.work) as folder:
            print(f"== {kind}", flush=True)
            failed += [f"{kind}: {what}" for what in check(kind, pathlib.Path(folder).resolve())]
    print("\n".join(["failed:", *failed]) if failed else "passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
