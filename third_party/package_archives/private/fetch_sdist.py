# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Downloads one source distribution by name, without building anything.

usage: fetch_sdist.py CLIENT_DIR REQUIREMENT SHA256 OUTPUT_DIR

pip builds a source distribution's metadata even to download it, so the file comes through
`unearth`, unpacked in CLIENT_DIR. The index, mirrors and find-links are pip's own settings.
"""

import os
import subprocess
import sys


def pip_setting(name: str) -> list[str]:
    """A setting of pip as a list: from the environment, else from its configuration files."""
    from_environment = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if from_environment:
        return from_environment.split()
    command = [sys.executable, "-m", "pip", "config", "get", "global." + name]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout.split() if result.returncode == 0 else []


def default_index() -> list[str]:
    """Returns the index that pip uses when none is configured."""
    code = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    return subprocess.check_output([sys.executable, "-c", code], text=True).split()


def main(client: str, requirement: str, sha256: str, output: str) -> int:
    """Download one source distribution and check it; returns the exit code."""
    sys.path.insert(0, client)
    from unearth import PackageFinder

    finder = PackageFinder(
        index_urls=[
            *(pip_setting("index-url") or default_index()),
            *pip_setting("extra-index-url"),
        ],
        find_links=pip_setting("find-links"),
        no_binary=[requirement.split("==")[0]],
    )
    best = finder.find_best_match(requirement).best
    if best is None:
        print(f"`{requirement}`: the index has no source distribution of it", file=sys.stderr)
        return 1
    finder.download(best.link, output, {"sha256": [sha256]})
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
