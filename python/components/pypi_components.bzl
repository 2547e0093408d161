# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pypi_components`: parts of the wheel that come from pinned packages of PyPI."""

load("//tools/wheel:defs.bzl", "wheel_component")

def pypi_components(name, components):
    """Declares parts of the wheel.

    Makes a `wheel_component` for each.

    Args:
      name: what to call them all in an error.
      components: dict of names to attributes: those of `wheel_component`, and
        package: str, a package among `pins`;
        pins: dict of `package==version` to its hashes;
        path: str, where in the package it is. Default: it is the package;
        version: str, its version. Default: the package's.
    """
    for component, attributes in components.items():
        _pypi_component(name, component, **attributes)

def _pypi_component(where, name, package, pins, path = "", version = "", **kwargs):
    found = [pin for pin in pins if pin.startswith(package + "==")]
    if len(found) != 1:
        fail("{}: `{}` is not among the pins {} of `{}`.\nhint: name a package that one of them begins with".format(
            where,
            package,
            pins.keys(),
            name,
        ))
    release = found[0].partition("==")[2]
    purl = "pkg:pypi/{}@{}".format(package, release)
    wheel_component(
        name = name,
        purl = purl + ("#" + path if path else ""),
        source_sha256 = pins[found[0]][0],
        source_url = purl,
        version = version or release,
        **kwargs
    )
