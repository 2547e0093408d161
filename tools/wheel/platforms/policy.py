# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a manylinux platform promises: libraries and symbol versions, from auditwheel's tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
from auditwheel.policy import Policy, WheelPolicies

from .errors import UnknownPlatformError

_PLATFORM = re.compile(r"(?P<base>manylinux(?:_\d+_\d+|1|2010|2014))_(?P<architecture>\w+)")
_LOADER = re.compile(r"ld-linux[\w-]*\.so\.\d+|ld64\.so\.\d+")
#: Versions that are no number, such as GLIBC_PRIVATE, come with their own number's policy alone.
_NUMBER = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True)
class PlatformPolicy:
    """One platform tag and what stands behind it."""

    #: The tag as auditwheel knows it, without the architecture: manylinux_2_27.
    base: str
    architecture: str
    #: Every tag that stands for it, joined as they appear in file names.
    file_tag: str
    #: Sonames that every machine of the platform has.
    libraries: frozenset[str]
    #: Symbol versions by prefix: {"GLIBC": {"2.2.5", ...}}.
    symbol_versions: Mapping[str, frozenset[str]]
    #: Symbols that must not be used, by library.
    forbidden: Mapping[str, frozenset[str]]

    @property
    def glibc(self) -> tuple[int, int]:
        """The oldest version of the C library."""
        _, major, minor = self.base.split("_")
        return int(major), int(minor)

    def provides(self, library: str) -> bool:
        """Whether every machine of the platform has this library."""
        return library in self.libraries or _LOADER.fullmatch(library) is not None

    def allows(self, version: str) -> bool:
        """Whether a symbol version such as GLIBC_2.27 exists there; unknown prefixes are free."""
        prefix, _, number = version.partition("_")
        known = self.symbol_versions.get(prefix)
        return known is None or number in known


def platform_policy(platform: str) -> PlatformPolicy:
    """The policy of a platform tag such as `manylinux_2_27_x86_64`, or one of its old aliases.

    Raises:
        UnknownPlatformError: no such platform; the message lists those that exist.
    """
    architecture = _architecture(platform)
    policies = _policies(architecture)
    for policy in policies:
        if platform in policy.file_tag.split("."):
            return policy
    known = ", ".join(f"`{policy.base}_{architecture}`" for policy in policies)
    raise UnknownPlatformError(f"there is no policy for `{platform}`", hint=f"use one of {known}")


def nearest_policy(platform: str) -> PlatformPolicy | None:
    """The policy of any manylinux tag, also of one between those that have a policy.

    Machines with that C library are those of the next policy, but for what the C library itself got
    in between.

    Returns:
        None where only newer machines will do than any policy knows.

    Raises:
        UnknownPlatformError: this is no manylinux tag.
    """
    try:
        return platform_policy(platform)
    except UnknownPlatformError:
        architecture = _architecture(platform)
    _, major, minor = platform.removesuffix(f"_{architecture}").split("_")
    glibc = int(major), int(minor)
    for policy in _policies(architecture):
        if policy.glibc > glibc:
            versions = policy.symbol_versions["GLIBC"]
            older = {number for number in versions if _is_up_to(number, glibc)}
            return replace(
                policy,
                base=f"manylinux_{major}_{minor}",
                file_tag=platform,
                symbol_versions={**policy.symbol_versions, "GLIBC": frozenset(older)},
            )
    return None


def known_policies(architecture: str) -> tuple[PlatformPolicy, ...]:
    """Every policy of an architecture, those of the oldest machines first.

    Raises:
        UnknownPlatformError: no platform has this architecture.
    """
    return _policies(_architecture(f"manylinux_2_17_{architecture}"))


def _architecture(platform: str) -> str:
    match = _PLATFORM.fullmatch(platform)
    if match is None or match["architecture"] not in {item.value for item in Architecture}:
        raise UnknownPlatformError(
            f"`{platform}` is not a manylinux platform",
            hint="use a tag such as `manylinux_2_27_x86_64`",
        )
    return match["architecture"]


@cache
def _policies(architecture: str) -> tuple[PlatformPolicy, ...]:
    policies = WheelPolicies(libc=Libc.GLIBC, arch=Architecture(architecture))
    found = [_policy(item, architecture) for item in _manylinux(policies)]
    return tuple(sorted(found, key=lambda policy: policy.glibc))


def _manylinux(policies: WheelPolicies) -> Iterator[Policy]:
    return (policy for policy in policies if policy != policies.linux)


def _policy(policy: Policy, architecture: str) -> PlatformPolicy:
    return PlatformPolicy(
        base=policy.name.removesuffix("_" + architecture),
        architecture=architecture,
        file_tag=".".join(sorted((policy.name, *policy.aliases))),
        libraries=policy.whitelist,
        symbol_versions=policy.symbol_versions,
        forbidden=policy.blacklist,
    )


def _is_up_to(number: str, glibc: tuple[int, int]) -> bool:
    if not _NUMBER.fullmatch(number):
        return False
    return tuple(int(part) for part in number.split("."))[:2] <= glibc
