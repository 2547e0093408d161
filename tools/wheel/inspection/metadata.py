# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads METADATA and WHEEL leniently: what is malformed is reported, not raised."""

from __future__ import annotations

from email.message import Message
from email.parser import HeaderParser

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from ..archive.names import expand_tags
from .facts import Metadata


def read_metadata(metadata_text: str, wheel_text: str) -> Metadata:
    """Parse the texts of METADATA and WHEEL."""
    metadata = HeaderParser().parsestr(metadata_text)
    wheel = HeaderParser().parsestr(wheel_text)
    requirements = []
    problems = []
    for text in _all(metadata, "Requires-Dist"):
        try:
            requirements.append(Requirement(text))
        except InvalidRequirement as error:
            problems.append(f"Requires-Dist `{text}` cannot be parsed: {error}")
    requires_python = metadata.get("Requires-Python", "")
    try:
        SpecifierSet(requires_python)
    except InvalidSpecifier as error:
        problems.append(f"Requires-Python `{requires_python}` cannot be parsed: {error}")
    return Metadata(
        name=metadata.get("Name", ""),
        version=metadata.get("Version", ""),
        requires_dist=tuple(requirements),
        extras=tuple(_all(metadata, "Provides-Extra")),
        requires_python=requires_python,
        tags=expand_tags(_all(wheel, "Tag")),
        root_is_purelib=wheel.get("Root-Is-Purelib", "").strip().lower() == "true",
        generator=wheel.get("Generator", ""),
        metadata_version=metadata.get("Metadata-Version", ""),
        wheel_version=wheel.get("Wheel-Version", "").strip(),
        license_files=tuple(_all(metadata, "License-File")),
        problems=tuple(problems),
    )


def _all(message: Message, key: str) -> list[str]:
    return [str(value) for value in message.get_all(key, [])]
