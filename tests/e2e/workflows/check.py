# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the workflow files, as the CI services would.

usage: python3 -m tests.e2e.workflows.check [--work DIR] {github,gitlab}...

Each command runs in a shell of its own, as root of a Debian machine, in a clone of HEAD with an
empty HOME and the variables that the file sets for a change on a branch that is not trusted. The
wheel must be in the folder that the file keeps. Takes a whole CI run for each.

Needs PyYAML. Exit code 0 when every command succeeded and the wheel is there.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import yaml

from tests.e2e.wheels import REPOSITORY

#: What the services put in place of the expressions in our files, for a branch that is not trusted.
GITHUB_EXPRESSIONS = {
    "github.event_name == 'schedule' && '1' || ''": "",
    "github.event_name == 'schedule' && '14400' || '2700'": "2700",
    "github.event_name == 'schedule' && '14400' || '4800'": "4800",
    "vars.TILEWRIGHT_REMOTE_CACHE": "",
    "github.ref == 'refs/heads/main' && '1' || '0'": "0",
    "vars.CACHE_CA": "",
    "secrets.CACHE_NETRC": "",
}

#: The commands are for an ordinary user of a runner; here they run as root.
SUDO = '#!/bin/sh\nexec "$@"\n'


def github(path: pathlib.Path) -> tuple[list[tuple[str, dict[str, str]]], str]:
    """The commands, each with the variables of its own, and the pattern of what is kept."""
    job = yaml.safe_load(path.read_text())["jobs"]["ci"]
    commands, kept = [], ""
    for step in job["steps"]:
        if "run" in step:
            commands.append((step["run"], _evaluated({**job["env"], **step.get("env", {})})))
        elif "path" in step.get("with", {}):
            kept = step["with"]["path"]
    return commands, kept


def gitlab(path: pathlib.Path) -> tuple[list[tuple[str, dict[str, str]]], str]:
    """The commands, each with the variables of the job, and the pattern of what is kept."""
    job = yaml.safe_load(path.read_text())["ci"]
    lines = [*job["before_script"], *job["script"]]
    return [("\n".join(lines), job["variables"])], job["artifacts"]["paths"][0]


def _evaluated(values: dict[str, Any]) -> dict[str, str]:
    return {
        name: GITHUB_EXPRESSIONS[value[3:-2].strip()] if value.startswith("${{") else value
        for name, value in values.items()
    }


def run(
    commands: list[tuple[str, dict[str, str]]], kept: str, work: pathlib.Path
) -> pathlib.Path | None:
    """Runs the commands in a clone; the wheel, or None where a command failed or none is kept."""
    checkout, home, programs = work / "checkout", work / "home", work / "bin"
    home.mkdir(parents=True)
    programs.mkdir()
    (programs / "sudo").write_text(SUDO)
    (programs / "sudo").chmod(0o755)
    (work / "github_env").touch()
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(checkout)], check=True)
    passed = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_"))}
    environment = {
        **passed,
        "CI": "true",
        "GITHUB_ENV": str(work / "github_env"),
        "HOME": str(home),
        "PATH": f"{programs}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "RUNNER_TEMP": str(work),
    }
    for command, variables in commands:
        print(f"== {command}", file=sys.stderr)
        added = dict(line.split("=", 1) for line in (work / "github_env").read_text().splitlines())
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", command],
            cwd=checkout,
            env={**environment, **added, **variables},
            check=False,
        )
        if done.returncode:
            print(f"exit code {done.returncode}", file=sys.stderr)
            return None
    return next(checkout.glob(kept), None)


SERVICES = {
    "github": (github, ".github/workflows/ci.yml"),
    "gitlab": (gitlab, ".gitlab-ci.yml"),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("services", nargs="+", choices=SERVICES)
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    wheels = {}
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        for service in options.services:
            read, path = SERVICES[service]
            wheels[service] = run(*read(REPOSITORY / path), pathlib.Path(folder) / service)
    for service, wheel in wheels.items():
        print(f"{service}: {wheel.name if wheel else 'failed'}")
    return 0 if all(wheels.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
