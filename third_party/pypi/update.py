# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the lock of every supported Python anew, with pip.

usage: bazel run //third_party/pypi:update [-- VERSION...]

pip resolves `requirements.in` once under each interpreter itself, since it evaluates environment
markers for the interpreter that it runs on. A lock whose interpreter is absent stays as it is.
Index, mirrors and proxies are pip's own settings; nothing of them gets into a lock.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

# The platforms that `pypi_archive` accepts; lint compares the two.
PLATFORMS = (
    "manylinux_2_28_x86_64",
    "manylinux_2_27_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux2014_x86_64",
    "manylinux_2_12_x86_64",
    "manylinux2010_x86_64",
    "manylinux_2_5_x86_64",
    "manylinux1_x86_64",
    "linux_x86_64",
    "any",
)

HEADER = """\
# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
#
# Written by `bazel run //third_party/pypi:update` from `requirements.in`. `@pypi` follows from it;
# `via` names what needs a package.
"""


def normalized(name: str) -> str:
    """Spells a distribution's name as the lock and the labels do: lower case, with hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def resolve(interpreter: str, requirements: pathlib.Path) -> list[dict[str, Any]]:
    """Lets pip resolve the requirements for one interpreter.

    Args:
        interpreter: path of the CPython to resolve for; pip runs on it.
        requirements: the requirements file.

    Returns:
        The `install` entries of pip's installation report.
    """
    command = [sys.executable, "-m", "pip", "--python", interpreter, "install", "--quiet"]
    command += ["--dry-run", "--ignore-installed", "--report=-", "--target=unused"]
    command += ["--only-binary=:all:", *(f"--platform={platform}" for platform in PLATFORMS)]
    # Nothing is installed: a setting that asks for a virtual environment means nothing here.
    environ = {**os.environ, "PIP_REQUIRE_VIRTUALENV": "0"}
    output = subprocess.check_output([*command, "-r", str(requirements)], text=True, env=environ)
    entries: list[dict[str, Any]] = json.loads(output)["install"]
    return entries


def requirers(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Inverts the dependencies: from each distribution to those that need it."""
    names = [normalized(entry["metadata"]["name"]) for entry in entries]
    result: dict[str, list[str]] = {name: [] for name in names}
    for entry in entries:
        if entry.get("requested"):
            result[normalized(entry["metadata"]["name"])].append("requirements.in")
        for requirement in entry["metadata"].get("requires_dist", []):
            match = re.match(r"[A-Za-z0-9._-]+", requirement)
            if match is None or re.search(r"\bextra\s*==", requirement):
                continue
            needed = normalized(match.group())
            if needed in result:
                result[needed].append(normalized(entry["metadata"]["name"]))
    return result


def render(entries: Sequence[Mapping[str, Any]]) -> str:
    """Renders a lock, a requirements file that pip reads, sorted by name."""
    via = requirers(entries)
    lines = []
    for entry in entries:
        name = normalized(entry["metadata"]["name"])
        digest = entry["download_info"]["archive_info"]["hashes"]["sha256"]
        needed_by = ", ".join(sorted(set(via[name])))
        pin = f"{name}=={entry['metadata']['version']}"
        lines.append(f"{pin} --hash=sha256:{digest}  # via {needed_by}\n")
    return HEADER + "".join(sorted(lines, key=lambda line: line.partition("==")[0]))


def main(pythons_json: str, *chosen: str) -> int:
    """Rewrites the locks.

    Args:
        pythons_json: what the search for interpreters found.
        chosen: the versions to lock. Default: all.
    """
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if workspace is None:
        print("run it with `bazel run //third_party/pypi:update`", file=sys.stderr)
        return 2
    folder = pathlib.Path(workspace, "third_party", "pypi")
    locks = {path.stem: path for path in sorted(folder.glob("locks/*.txt"))}
    unknown = sorted(set(chosen) - set(locks))
    if unknown:
        print(f"no lock for Python {', '.join(unknown)}", file=sys.stderr)
        print(f"hint: there are {', '.join(locks)}", file=sys.stderr)
        return 2
    found = json.loads(pathlib.Path(pythons_json).read_text())["found"]
    versions = [version for version in chosen or locks if version in found]
    for version in sorted(set(chosen or locks) - set(versions)):
        print(f"{version}: left as it is, no such interpreter on this machine", file=sys.stderr)
    print(f"resolving for {', '.join(versions) or 'none'}; some minutes", file=sys.stderr)
    with ThreadPoolExecutor() as pool:
        reports = pool.map(
            lambda version: resolve(found[version]["path"], folder / "requirements.in"), versions
        )
        texts = [
            (version, render(report)) for version, report in zip(versions, reports, strict=True)
        ]
    for version, text in texts:
        unchanged = text == locks[version].read_text()
        locks[version].write_text(text)
        print(f"{version}: {'unchanged' if unchanged else 'written'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
