# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a pinned package of PyPI came from."""

def pypi_source(pins, package):
    """Names the release of a package among pins.

    Args:
      pins: dict of `package==version` to its hashes.
      package: str, a package among them.

    Returns:
      struct(version, purl, url, sha256).
    """
    for requirement, hashes in pins.items():
        name, _, version = requirement.partition("==")
        if name == package:
            return struct(
                version = version,
                purl = "pkg:pypi/{}@{}".format(name, version),
                url = "https://pypi.org/project/{}/{}/".format(name, version),
                sha256 = hashes[0],
            )
    fail("`{}` is not among the pins {}.\nhint: name a package that one of them begins with".format(package, pins.keys()))
