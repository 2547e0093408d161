# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Downloads pinned Debian packages with apt and unpacks them.

usage: fetch_debs.py LOCK.json DOWNLOAD_DIR TREE_DIR

apt runs with state folders of its own, so that the machine's package lists stay as they are. The
mirror is TILEWRIGHT_DEBIAN_MIRROR (a URL), else the one that apt is configured with.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def fail(what: str, hint: str) -> "None":
    """Ends the program with an error and its remedy on standard error."""
    print(f"{what}\nhint: {hint}", file=sys.stderr)
    sys.exit(1)


def mirror() -> str:
    """Returns the URL of the Debian mirror that apt is configured with."""
    configured = os.environ.get("TILEWRIGHT_DEBIAN_MIRROR")
    if configured:
        return configured
    sources = [
        pathlib.Path("/etc/apt/sources.list"),
        *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*")),
    ]
    for path in sources:
        if not path.is_file():
            continue
        for line in path.read_text().splitlines():
            match = re.match(
                r"(?:deb\s+(?:\[[^]]*\]\s*)?|URIs:\s*)(\S+/debian)/?(?:\s|$)", line.strip()
            )
            if match:
                return match.group(1)
    fail(
        "no Debian mirror in `/etc/apt/sources.list` or `/etc/apt/sources.list.d`",
        "build with `./tools/bazel`, or set TILEWRIGHT_DEBIAN_MIRROR to a mirror's URL",
    )
    raise AssertionError


UNREACHABLE_HINT = (
    "check the network, http_proxy and the mirror, which TILEWRIGHT_DEBIAN_MIRROR names, "
    "else `/etc/apt`; then run the build again"
)
REPLACED_HINT = (
    "the archive has replaced a version: "
    "pin the new version and its sha256 where this repository is declared"
)


def apt(state: pathlib.Path, arguments: list[str], cwd: pathlib.Path) -> None:
    """Runs apt-get on the private state folders."""
    options = {
        "Dir::State": state / "state",
        "Dir::Cache": state / "cache",
        "Dir::Etc::sourcelist": state / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::Etc::preferencesparts": "-",
        "APT::Architecture": "amd64",
        "APT::Architectures": "amd64",
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Acquire::Check-Valid-Until": "false",
        "Acquire::Retries": "3",
    }
    command = ["apt-get", "-q", *(f"-o{key}={value}" for key, value in options.items()), *arguments]
    try:
        result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        fail(
            "no `apt-get` on this machine",
            "build with `./tools/bazel`, whose root file system has it",
        )
    if result.returncode:
        fail(
            f"`apt-get {' '.join(arguments)}` failed with exit code {result.returncode}\n"
            f"{result.stdout}{result.stderr}",
            REPLACED_HINT if " was not found" in result.stderr else UNREACHABLE_HINT,
        )


def main(lock_file: str, download: str, tree: str) -> None:
    """Download the packages of a lock file and unpack them over one another."""
    lock = json.loads(pathlib.Path(lock_file).read_text())
    packages: dict[str, list[str]] = lock["packages"]
    downloads, unpacked = pathlib.Path(download).resolve(), pathlib.Path(tree).resolve()
    state = downloads / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True)
    unpacked.mkdir(parents=True)
    signed = f" [signed-by={KEYRING}]" if os.path.exists(KEYRING) else ""
    source = f"deb{signed} {mirror()} {lock['suite']} {' '.join(lock['components'])}\n"
    (state / "sources.list").write_text(source)
    apt(state, ["update"], downloads)
    apt(state, ["download", *packages], downloads)
    archives = {deb.name.split("_")[0]: deb for deb in downloads.glob("*.deb")}
    for package, accepted in packages.items():
        deb = archives[package.split("=")[0]]
        digest = hashlib.sha256(deb.read_bytes()).hexdigest()
        if digest not in accepted:
            fail(
                f"`{package}`: `{deb.name}` has sha256:{digest}, "
                f"accepted are {', '.join(accepted)}",
                "if Debian rebuilt the package, check it and add the digest where this repository "
                "is declared",
            )
        subprocess.run(["dpkg-deb", "--extract", str(deb), str(unpacked)], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
