# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""File name, METADATA, WHEEL and the `.dist-info` folder say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from ...inspection.facts import WheelFacts
from ..check import Problem, Severity, check
from ..settings import Settings

#: Versions of the wheel format that installers read.
_WHEEL_VERSION = re.compile(r"1(\.\d+)*")


@check(
    "metadata-name",
    exit_code=63,
    behaviours=(33,),
    hint="build the wheel again under one name; installers refuse it or cannot uninstall it",
)
def name(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """File name, `.dist-info` folder and METADATA name one distribution."""
    expected = canonicalize_name(wheel.name.distribution)
    folder, _, _ = wheel.dist_info.removesuffix(".dist-info").rpartition("-")
    if canonicalize_name(folder) != expected:
        yield Problem(
            wheel.dist_info, f"names `{folder}`, the file name `{wheel.name.distribution}`"
        )
    if canonicalize_name(wheel.metadata.name) != expected:
        yield Problem(
            f"{wheel.dist_info}/METADATA",
            f"names `{wheel.metadata.name}`, the file name `{wheel.name.distribution}`",
        )


@check(
    "metadata-version",
    exit_code=64,
    behaviours=(33,),
    hint="build the wheel again with the version in one place; do not rename it",
)
def version(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """File name, `.dist-info` folder and METADATA give one version."""
    _, _, folder = wheel.dist_info.removesuffix(".dist-info").rpartition("-")
    if not _same_version(folder, wheel.name.version):
        yield Problem(wheel.dist_info, f"is for {folder}, the file name for {wheel.name.version}")
    if not _same_version(wheel.metadata.version, wheel.name.version):
        yield Problem(
            f"{wheel.dist_info}/METADATA",
            f"gives version {wheel.metadata.version}, the file name {wheel.name.version}",
        )


@check(
    "metadata-tags",
    exit_code=65,
    behaviours=(33,),
    severity=Severity.WARNING,
    hint="retag with `wheel tags` or `repair`, which change both; `pip check` reads WHEEL",
)
def tags(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """File name and WHEEL give the same tags."""
    named, written = set(wheel.name.tags()), set(wheel.metadata.tags)
    path = f"{wheel.dist_info}/WHEEL"
    for tag in sorted(named - written):
        yield Problem(path, f"lacks tag `{tag}` of the file name")
    for tag in sorted(written - named):
        yield Problem(path, f"has tag `{tag}`, which the file name lacks")


@check(
    "metadata-fields",
    exit_code=66,
    behaviours=(33,),
    hint="correct the project's metadata; PyPI and installers parse these fields",
)
def fields(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """METADATA and WHEEL can be parsed, and the licence files that they name are inside."""
    path = f"{wheel.dist_info}/METADATA"
    for problem in wheel.metadata.problems:
        yield Problem(path, problem)
    if not _WHEEL_VERSION.fullmatch(wheel.metadata.wheel_version):
        yield Problem(
            f"{wheel.dist_info}/WHEEL",
            f"has `Wheel-Version` `{wheel.metadata.wheel_version}`; installers take 1.x alone",
            hint="build the wheel again, with a current tool",
        )
    if not _at_least(wheel.metadata.metadata_version, "2.4"):
        return
    for file in wheel.metadata.license_files:
        if f"{wheel.dist_info}/licenses/{file}" not in wheel.paths:
            yield Problem(path, f"names licence file `{file}`, which is not in `licenses`")


def _same_version(left: str, right: str) -> bool:
    try:
        return Version(left.replace("_", "+", 1)) == Version(right.replace("_", "+", 1))
    except InvalidVersion:
        return left == right


def _at_least(found: str, wanted: str) -> bool:
    try:
        return Version(found) >= Version(wanted)
    except InvalidVersion:
        return False


CHECKS = (name, version, tags, fields)
