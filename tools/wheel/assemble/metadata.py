# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Texts under `.dist-info`: METADATA, WHEEL and entry_points.txt.

METADATA follows the core metadata specification, version 2.4 (PEP 639 licence fields); WHEEL the
binary distribution format 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from packaging.errors import ExceptionGroup
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.metadata import Metadata
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from ..archive.names import WheelName
from .errors import MetadataError
from .request import MetadataFields, Request

METADATA_VERSION = "2.4"
WHEEL_VERSION = "1.0"
GENERATOR = "tilewright-assemble"

_CONTENT_TYPES = {".md": "text/markdown; charset=UTF-8", ".rst": "text/x-rst; charset=UTF-8"}
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_GROUP = re.compile(r"\w+(\.\w+)*")
_ENTRY_POINT = re.compile(
    r"(?P<name>[^=\[\]#;\s]([^=]*[^=\s])?)\s*=\s*\w+(\.\w+)*(:\w+(\.\w+)*)?(\s*\[.*\])?"
)
#: Installers make a program of that name, which calls the function.
_SCRIPT = re.compile(r"(?P<name>[\w.-]+)\s*=\s*\w+(\.\w+)*:\w+(\.\w+)*(\s*\[.*\])?")
_SCRIPT_GROUPS = ("console_scripts", "gui_scripts")


def render_metadata(request: Request, license_files: Sequence[str], description: str) -> str:
    """METADATA's text.

    Args:
        request: the fields, and the name of the description's file: its suffix gives the content
            type when no field does.
        license_files: paths below `licenses/`.
        description: the long description, empty for none.

    Raises:
        MetadataError: a value breaks the specification; the message names field, value and fix.
    """
    values = request.metadata
    lines = [
        ("Metadata-Version", METADATA_VERSION),
        ("Name", _checked_name(request.distribution)),
        ("Version", _checked_version(request.name.version)),
        ("Summary", values.summary),
        ("Home-page", values.homepage),
        ("Author", values.author),
        ("Author-email", values.author_email),
        *_license_lines(values),
        *(("License-File", path) for path in sorted(license_files)),
        *(("Classifier", classifier) for classifier in values.classifiers),
        *(("Project-URL", f"{label}, {url}") for label, url in values.project_urls.items()),
        ("Requires-Python", _checked_specifier(values.python_requires)),
        *_requirement_lines(values.requires, values.extra_requires),
    ]
    if description:
        suffix = PurePosixPath(request.description_file).suffix
        content_type = values.description_content_type or _CONTENT_TYPES.get(suffix, "text/plain")
        lines.append(("Description-Content-Type", content_type))
    head = "".join(f"{key}: {_single_line(key, value)}\n" for key, value in lines if value)
    text = head + (f"\n{description}" if description else "")
    _check_metadata(text)
    return text


def render_wheel(name: WheelName) -> str:
    """WHEEL's text: one line for every tag that the compressed file name stands for."""
    lines = [
        f"Wheel-Version: {WHEEL_VERSION}",
        f"Generator: {GENERATOR}",
        f"Root-Is-Purelib: {'true' if name.is_pure else 'false'}",
        *(f"Tag: {tag}" for tag in name.tags()),
    ]
    if name.build:
        lines.append(f"Build: {name.build}")
    return "\n".join(lines) + "\n"


def render_entry_points(groups: Mapping[str, Iterable[str]]) -> str:
    """entry_points.txt: groups and the entries in them sorted.

    Raises:
        MetadataError: a group's name is not words joined by dots, an entry has not the form
            `name = module:attribute`, a script names no function or has a name that is none for a
            program, or two entries of a group share a name.
    """
    parts = []
    for group in sorted(groups):
        if not _GROUP.fullmatch(group):
            raise MetadataError(
                f"entry point group {group!r} is not valid",
                hint="use letters, digits and `_`, joined by `.`",
            )
        form = _SCRIPT if group in _SCRIPT_GROUPS else _ENTRY_POINT
        entries = sorted(groups[group])
        names: dict[str, str] = {}
        for entry in entries:
            match = form.fullmatch(entry) if _is_single_line(entry) else None
            if match is None:
                raise MetadataError(
                    f"entry point {entry!r} of group `{group}` cannot be read",
                    hint="write it as `name = package.module:function`, the name without spaces",
                )
            other = names.setdefault(match["name"], entry)
            if other is not entry:
                raise MetadataError(
                    f"group `{group}` has two entry points of one name: `{other}` and `{entry}`",
                    hint="remove one; `console_scripts` adds to the group of that name in "
                    "`entry_points`",
                )
        parts.append("\n".join([f"[{group}]", *entries]) + "\n")
    return "\n".join(parts)


def _check_metadata(text: str) -> None:
    """What no check of a single value finds, by the reader that installers use."""
    try:
        Metadata.from_email(text)
    except ExceptionGroup as group:
        reasons = "; ".join(str(error) for error in group.exceptions)
        raise MetadataError(
            f"the metadata breaks the specification: {reasons}",
            hint="change the attribute that the message names",
        ) from group


def _license_lines(values: MetadataFields) -> list[tuple[str, str]]:
    if values.license and values.license_expression:
        raise MetadataError(
            f"both `license` ({values.license!r}) and `license_expression` "
            f"({values.license_expression!r}) are given",
            hint="keep `license_expression`; the free text is its deprecated form",
        )
    if not values.license_expression:
        return [("License", values.license)]
    try:
        expression = canonicalize_license_expression(values.license_expression)
    except InvalidLicenseExpression as error:
        raise MetadataError(
            f"`license_expression` {values.license_expression!r} is no SPDX expression: {error}",
            hint="use SPDX identifiers, such as `Apache-2.0` or `Apache-2.0 AND MIT`",
        ) from error
    return [("License-Expression", expression)]


def _requirement_lines(
    requires: Iterable[str], extra_requires: Mapping[str, Iterable[str]]
) -> list[tuple[str, str]]:
    lines = [("Requires-Dist", str(_checked_requirement(text))) for text in requires]
    for extra, texts in sorted(extra_requires.items()):
        if extra != canonicalize_name(extra):
            raise MetadataError(
                f"extra `{extra}` is not normalised",
                hint=f"write it as `{canonicalize_name(extra)}`",
            )
        lines.append(("Provides-Extra", extra))
        for text in texts:
            requirement = _checked_requirement(text)
            condition = f'extra == "{extra}"'
            if requirement.marker is not None:
                condition = f"({requirement.marker}) and {condition}"
                requirement.marker = None
            lines.append(("Requires-Dist", f"{requirement} ; {condition}"))
    return lines


def _checked_requirement(text: str) -> Requirement:
    try:
        return Requirement(text)
    except InvalidRequirement as error:
        raise MetadataError(
            f"requirement `{text}` cannot be read: {error}",
            hint="write it as `name>=1.0,<2`, with a marker after `;` if any",
        ) from error


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise MetadataError(
            f"distribution name {name!r} is not valid",
            hint="use letters, digits, `.`, `_` and `-`, with a letter or digit at both ends",
        )
    return name


def _checked_version(version: str) -> str:
    try:
        normal = str(Version(version))
    except InvalidVersion as error:
        raise MetadataError(
            f"version {version!r} does not follow PEP 440", hint="write it like `1.2.0`"
        ) from error
    if normal != version:
        raise MetadataError(
            f"version {version!r} is not normalised; the file name would not match",
            hint=f"write it as `{normal}`",
        )
    return version


def _checked_specifier(specifier: str) -> str:
    try:
        SpecifierSet(specifier)
    except InvalidSpecifier as error:
        raise MetadataError(
            f"`python_requires` {specifier!r} cannot be read: {error}",
            hint="write it like `>=3.10`",
        ) from error
    return specifier


def _single_line(key: str, value: str) -> str:
    if not _is_single_line(value):
        raise MetadataError(
            f"`{key}` has a line break: {value!r:.80}", hint="write the value on one line"
        )
    return value


def _is_single_line(value: str) -> bool:
    """Whether no reader sees a line end in it; Python knows more of them than line feed."""
    return value.splitlines() == [value]
