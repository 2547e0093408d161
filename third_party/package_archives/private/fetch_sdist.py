# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Downloads one source distribution by name, without building anything.

usage: fetch_sdist.py CLIENT_DIR REQUIREMENT SHA256 OUTPUT_DIR

pip builds a source distribution's metadata even to download it, so the file comes through
`unearth`, unpacked in CLIENT_DIR. The settings are those that `pip download` would follow: indexes,
find-links, trusted hosts, certificates, proxy.
"""

import os
import subprocess
import sys


def pip_setting(name: str) -> str:
    """A setting of `pip download`: from the environment, else from its configuration files."""
    from_environment = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if from_environment:
        return from_environment
    for section in ("download", "global"):
        command = [sys.executable, "-m", "pip", "config", "get", f"{section}.{name}"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return result.stdout.strip()
    return ""


def sources() -> "tuple[list[str], list[str]]":
    """The indexes and the find-links that pip would look in."""
    find_links = pip_setting("find-links").split()
    if pip_setting("no-index").lower() in ("1", "on", "t", "true", "y", "yes"):
        return [], find_links
    indexes = pip_setting("index-url").split() or default_index()
    return indexes + pip_setting("extra-index-url").split(), find_links


def default_index() -> list[str]:
    """Returns the index that pip uses when none is configured."""
    code = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    return subprocess.check_output([sys.executable, "-c", code], text=True).split()


def main(client: str, requirement: str, sha256: str, output: str) -> int:
    """Download one source distribution and check it; returns the exit code."""
    sys.path.insert(0, client)
    from unearth import PackageFinder
    from unearth.auth import MultiDomainBasicAuth
    from unearth.fetchers import PyPIClient

    indexes, find_links = sources()
    if not indexes and not find_links:
        print("pip's settings say `no-index` and name no `find-links`", file=sys.stderr)
        return 1
    session = PyPIClient(
        trusted_hosts=pip_setting("trusted-host").split(),
        verify=pip_setting("cert") or True,
        cert=pip_setting("client-cert") or None,
        proxy=pip_setting("proxy") or None,
    )
    session.auth = MultiDomainBasicAuth(index_urls=indexes)
    finder = PackageFinder(
        session,
        index_urls=indexes,
        find_links=find_links,
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
