# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two machines build the same at the same time against one cache, again and again.

usage: python3 -m tests.e2e.remote_cache.race [OPTION ...] {nginx,buildgrid}

Both upload. Each round has a compiler flag of its own, so that both miss the same actions and race
to write them. After each round both must have the same bytes, in the last one those of a build
without a cache, and every blob of the cache must be what its name says. A round compiles all of the
host library; choose another target for more or less. Exit code 0 when all holds.
"""

import argparse
import concurrent.futures
import hashlib
import pathlib
import sys
import tempfile

from tests.e2e import machines
from tests.e2e.cache_servers.server import Users, serving
from tests.e2e.machines import Machine
from tests.e2e.remote_cache.check import Failures, make_machines, server_options

TARGET = "//csrc:libtilewright.so"


def output(machine: Machine, target: str) -> pathlib.Path:
    """The file that a target of ours makes, by its label."""
    package, _, name = target.removeprefix("//").partition(":")
    return machine.checkout / "bazel-bin" / package / name


def damaged_blobs(kind: str, root: pathlib.Path) -> list[pathlib.Path]:
    """Blobs whose content has not the digest that they are named after."""
    folder = root / "data" / {"nginx": "cas", "buildgrid": "blobs"}[kind]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files, f"no blobs in {folder}"
    return [
        path
        for path in files
        if hashlib.sha256(path.read_bytes()).hexdigest() != path.parent.name + path.name
    ]


def check(kind: str, work: pathlib.Path, times: int, target: str) -> Failures:
    failures = Failures()
    users = Users(work)
    users.add("writers", "writer")
    users.add("readers", "reader")
    with serving(kind, work / "cache", users, *server_options(users)) as server:
        a, b = make_machines(work, server, users)
        both = (a, b.with_variables(NETRC=a.environment["NETRC"], TILEWRIGHT_REMOTE_UPLOAD="1"))
        with concurrent.futures.ThreadPoolExecutor(len(both)) as pool:
            for number in range(times):
                flag = f"--copt=-DTILEWRIGHT_ROUND={number}"
                line = ("build", "--config=ci", "--curses=no", "--noshow_progress", flag, target)
                for future in [pool.submit(machine.bazel, *line) for machine in both]:
                    future.result()
                digests = {machines.sha256(output(machine, target)) for machine in both}
                damaged = damaged_blobs(kind, work / "cache")
                failures.expect(
                    len(digests) == 1 and not damaged,
                    f"{kind}, round {number + 1}: {len(digests)} digest(s), {len(damaged)} damaged",
                )
        a.bazel("clean")
        a.bazel("build", flag, target)
        failures.expect(
            {machines.sha256(output(a, target))} == digests, f"{kind}: the same without a cache"
        )
        for machine in both:
            machine.remove_output()
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("nginx", "buildgrid"))
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--target", default=TARGET)
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        work = pathlib.Path(folder).resolve()
        failures = check(options.kind, work, options.times, options.target)
    print("\n".join(["failed:", *failures]) if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
