# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel on three simulated machines and compares what came out.

usage: python3 -m tests.e2e.reproducibility.check [--work DIR]

* A and B: clones in different folders, with different HOME, PATH, user name and time zone, each
  building from nothing. The wheels must have the same sha256.
* C: a third clone with an empty output base and A's disk cache. Nothing may be executed: every
  action of the execution log must be a cache hit.

Takes two full builds. Exit code 0 when both hold.
"""

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from tests.e2e.wheels import REPOSITORY

TARGET = "//python:wheel"


@dataclasses.dataclass(frozen=True)
class Machine:
    """One simulated machine: a clone of the repository and an environment."""

    name: str
    checkout: pathlib.Path
    environment: dict[str, str]
    flags: list[str]

    def bazel(self, *arguments: str, output_root: pathlib.Path) -> None:
        command = ["./tools/bazel", f"--output_user_root={output_root}", *arguments]
        subprocess.run(command, cwd=self.checkout, env=self.environment, check=True)

    def build(self, output_root: pathlib.Path) -> pathlib.Path:
        """Builds the wheel and returns its path."""
        started = time.monotonic()
        print(f"== {self.name}: building {TARGET} in {self.checkout}", file=sys.stderr)
        try:
            self.bazel("build", *self.flags, TARGET, output_root=output_root)
        finally:
            self.bazel("shutdown", output_root=output_root)
        print(f"== {self.name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
        (wheel,) = (self.checkout / "bazel-bin" / "python").glob("*manylinux*.whl")
        return wheel


def clone(destination: pathlib.Path) -> pathlib.Path:
    """Clones HEAD of this repository, without what is not committed."""
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(destination)], check=True)
    return destination


def environment(home: pathlib.Path, path: str, zone: str, cache: pathlib.Path) -> dict[str, str]:
    """An environment with nothing of the caller's but what reaches the package registries.

    The user is named after the last part of `home`.
    """
    home.mkdir(parents=True)
    prefixes = ("PIP_", "SSL_", "REQUESTS_", "CURL_")
    passed = {key: value for key, value in os.environ.items() if key.startswith(prefixes)}
    # The launcher's root file system is the same wherever it was made; one is enough here.
    return {
        **passed,
        "HOME": str(home),
        "USER": home.name,
        "LOGNAME": home.name,
        "PATH": path,
        "TZ": zone,
        "XDG_CACHE_HOME": str(cache),
        "TERM": "dumb",
    }


def sha256(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def spawns(log: pathlib.Path) -> Iterator[dict[str, object]]:
    """Yields the entries of a JSON execution log, which are concatenated objects."""
    decoder, text, at = json.JSONDecoder(), log.read_text(), 0
    while at < len(text.rstrip()):
        entry, at = decoder.raw_decode(text, at)
        yield entry
        while at < len(text) and text[at].isspace():
            at += 1


def check(work: pathlib.Path) -> int:
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    disk_cache = work / "disk-cache"
    log = work / "execution-log.json"
    machines = [
        Machine(
            "A",
            clone(work / "a" / "tilewright"),
            environment(work / "a" / "home", usual, "UTC", cache),
            [f"--disk_cache={disk_cache}"],
        ),
        Machine(
            "B",
            clone(work / "another" / "and-deeper" / "checkout"),
            environment(work / "b-home" / "someone", f"/opt/none:{usual}", "Asia/Tokyo", cache),
            [],
        ),
        Machine(
            "C",
            clone(work / "c"),
            environment(work / "c-home", usual, "America/Lima", cache),
            [f"--disk_cache={disk_cache}", f"--execution_log_json_file={log}"],
        ),
    ]
    digests = {}
    for machine in machines:
        output_root = work / f"output-{machine.name}"
        wheel = machine.build(output_root)
        digests[machine.name] = sha256(wheel)
        print(f"{machine.name} {digests[machine.name]} {wheel.name}")
        subprocess.run(["chmod", "-R", "u+w", str(output_root)], check=True)
        shutil.rmtree(output_root)

    entries = list(spawns(log))
    executed = [entry for entry in entries if not entry.get("cacheHit")]
    for entry in executed:
        what = (entry.get(key) for key in ("mnemonic", "targetLabel", "listedOutputs"))
        print("executed on C:", *what)
    same = len(set(digests.values())) == 1
    print(f"same sha256 on A, B and C: {same}")
    print(f"actions on C: {len(entries)}, executed: {len(executed)}")
    return 0 if same and entries and not executed else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        return check(options.work.resolve())
    with tempfile.TemporaryDirectory() as folder:
        return check(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
