# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Wheel file names, after the binary distribution format specification."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from .errors import BadArchiveError, WheelNameError

_LIBRARY_SCHEMES = ("platlib", "purelib")
_TAGS = re.compile(r"[A-Za-z0-9_.]+")

#: Most single tags of a wheel, and most characters of a compressed one; real wheels have a dozen
#: tags. A few hundred bytes can stand for millions.
_MAX_TAGS, _MAX_TAG_LENGTH = 1000, 4096


@dataclass(frozen=True)
class WheelName:
    """The parts of a wheel file name, each as written (escaped, tags possibly compressed)."""

    distribution: str
    version: str
    build: str
    python_tag: str
    abi_tag: str
    platform_tag: str

    @property
    def dist_info(self) -> str:
        """Name of the `.dist-info` folder that goes with this wheel."""
        return f"{self.distribution}-{self.version}.dist-info"

    @property
    def libs(self) -> str:
        """Name of the folder that auditwheel copies libraries into."""
        return f"{self.distribution}.libs"

    @property
    def is_pure(self) -> bool:
        """Whether the wheel claims to hold nothing that depends on the platform."""
        return self.platform_tag == "any"

    def tags(self) -> tuple[str, ...]:
        """Every single tag that the compressed name stands for, sorted."""
        return expand_tags([f"{self.python_tag}-{self.abi_tag}-{self.platform_tag}"])

    def __str__(self) -> str:
        parts = [self.distribution, self.version, self.build]
        parts += [self.python_tag, self.abi_tag, self.platform_tag]
        return "-".join(part for part in parts if part) + ".whl"


def parse_wheel_name(name: str) -> WheelName:
    """Split a wheel file name.

    Raises:
        WheelNameError: the name does not follow the specification.
    """
    hint = "a wheel is named `<distribution>-<version>-<python>-<abi>-<platform>.whl`"
    try:
        parse_wheel_filename(name)
    except InvalidWheelFilename as error:
        raise WheelNameError(f"`{name}` is not a wheel file name: {error}", hint=hint) from error
    parts = name.removesuffix(".whl").split("-")
    for tags in parts[-3:]:
        if not _TAGS.fullmatch(tags):
            raise WheelNameError(
                f"`{name}` is not a wheel file name: tags {tags!r} hold more than letters, "
                "digits, `_` and `.`",
                hint=hint,
            )
    build = parts.pop(2) if len(parts) == 6 else ""
    distribution, version, python_tag, abi_tag, platform_tag = parts
    return WheelName(distribution, version, build, python_tag, abi_tag, platform_tag)


def expand_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Spell compressed tags out: `py2.py3-none-any` stands for two. Sorted, each once.

    Raises:
        BadArchiveError: they stand for more tags than any wheel has.
    """
    expanded: set[str] = set()
    for tag in tags:
        parts = (dict.fromkeys(part.split(".")) for part in tag.split("-"))
        if len(tag) <= _MAX_TAG_LENGTH:
            choices = itertools.islice(itertools.product(*parts), _MAX_TAGS + 1)
            expanded.update(map("-".join, choices))
        if len(tag) > _MAX_TAG_LENGTH or len(expanded) > _MAX_TAGS:
            raise BadArchiveError(
                f"the tag `{tag:.60}` is too long, or the wheel has more than {_MAX_TAGS} tags",
                hint="rebuild the wheel with the tags that it is for",
            )
    return tuple(sorted(expanded))


def installed_path(path: str) -> PurePosixPath | None:
    """Where a wheel's file lands below site-packages, or None if it lands elsewhere.

    Installers unpack `.data/platlib` and `.data/purelib` there too; scripts, headers and data go to
    other folders.
    """
    parts = PurePosixPath(path).parts
    if len(parts) > 2 and parts[0].endswith(".data"):
        return PurePosixPath(*parts[2:]) if parts[1] in _LIBRARY_SCHEMES else None
    return PurePosixPath(path)
