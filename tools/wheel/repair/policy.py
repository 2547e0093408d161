# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a manylinux platform promises: libraries and symbol versions, from auditwheel's tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
from auditwheel.policy import WheelPolicies

from .errors import UnknownPlatformError

_PLATFORM = re.compile(r"(?P<base>manylinux(?:_\d+_\d+|1|2010|2014))_(?P<architecture>\w+)")
_LOADER = re.compile(r"ld-linux[\w-]*\.so\.\d+|ld64\.so\.\d+")


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
    symbol_versions: dict[str, frozenset[str]]
    #: Symbols that must not be used, by library.
    forbidden: dict[str, frozenset[str]]

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
    match = _PLATFORM.fullmatch(platform)
    architectures = {architecture.value for architecture in Architecture}
    if match is None or match["architecture"] not in architectures:
        raise UnknownPlatformError(
            f"`{platform}` is not a manylinux platform",
            hint="use a tag such as `manylinux_2_27_x86_64`",
        )
    policies = WheelPolicies(libc=Libc.GLIBC, arch=Architecture(match["architecture"]))
    try:
        policy = policies.get_policy_by_name(platform)
    except LookupError as error:
        known = ", ".join(f"`{item.name}`" for item in policies if item != policies.linux)
        raise UnknownPlatformError(
            f"there is no policy for `{platform}`", hint=f"use one of {known}"
        ) from error
    return PlatformPolicy(
        base=policy.name.removesuffix("_" + match["architecture"]),
        architecture=match["architecture"],
        file_tag=".".join(sorted((policy.name, *policy.aliases))),
        libraries=policy.whitelist,
        symbol_versions=policy.symbol_versions,
        forbidden=policy.blacklist,
    )
