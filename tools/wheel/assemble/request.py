# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The request: what the build rule asks for, read from a JSON file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ..archive.names import WheelName, parse_wheel_name
from .errors import RequestError


@dataclass(frozen=True)
class InputFile:
    """A file, or a folder whose files are all meant, and its path in the wheel."""

    source: str
    path: str
    #: Where it comes from, for messages: a build label.
    label: str = ""


@dataclass(frozen=True)
class ComponentRequest:
    """A part from elsewhere, in the words of the `wheel_component` rule's attributes."""

    name: str
    version: str
    purl: str
    linkage: str
    license_expression: str
    #: Patterns of the paths in the wheel that hold it, shell style.
    files: tuple[str, ...]
    source_url: str = ""
    source_sha256: str = ""
    notes: str = ""
    #: Where it is declared, for messages: a build label.
    label: str = ""


@dataclass(frozen=True)
class MetadataFields:
    """Values of the core metadata, in the words of the build rule's attributes."""

    summary: str = ""
    author: str = ""
    author_email: str = ""
    homepage: str = ""
    license: str = ""
    license_expression: str = ""
    python_requires: str = ""
    description_content_type: str = ""
    classifiers: tuple[str, ...] = ()
    project_urls: dict[str, str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    extra_requires: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """Everything that decides the bytes of the wheel."""

    #: Name of the project as its authors write it.
    distribution: str
    name: WheelName
    metadata: MetadataFields
    files: tuple[InputFile, ...]
    dist_info_files: tuple[InputFile, ...] = ()
    license_files: tuple[InputFile, ...] = ()
    components: tuple[ComponentRequest, ...] = ()
    description_file: str = ""
    #: A file of requirements, and such files by extra.
    requires_file: str = ""
    extra_requires_files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    entry_points: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compress: bool = True


def read_request(path: Path) -> Request:
    """Read a request written by the `py_wheel` rule.

    Raises:
        RequestError: the file is no JSON, a key is unknown, or one is missing.
        WheelNameError: the wheel's name breaks the specification.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return parse_request(document)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise RequestError(
            f"cannot use request `{path}`: {error!r}",
            hint="pass the file that the `py_wheel` rule writes",
        ) from error


def parse_request(document: dict[str, Any]) -> Request:
    """The request that a JSON document stands for.

    Raises:
        TypeError: a key is unknown.
        KeyError: a key is missing.
        WheelNameError: the wheel's name breaks the specification.
    """
    metadata = _known(MetadataFields, document.pop("metadata"))
    fields_of_metadata = MetadataFields(
        extra_requires=_frozen_lists(metadata.pop("extra_requires", {})),
        project_urls=metadata.pop("project_urls", {}),
        **{key: _frozen(value) for key, value in metadata.items()},
    )
    inputs: dict[str, Any] = {
        key: tuple(InputFile(**item) for item in document.pop(key, ()))
        for key in ("files", "dist_info_files", "license_files")
    }
    components = tuple(
        ComponentRequest(**{key: _frozen(value) for key, value in item.items()})
        for item in document.pop("components", ())
    )
    return Request(
        name=parse_wheel_name(document.pop("name")),
        components=components,
        metadata=fields_of_metadata,
        entry_points=_frozen_lists(document.pop("entry_points", {})),
        extra_requires_files=_frozen_lists(document.pop("extra_requires_files", {})),
        **inputs,
        **_known(Request, document),
    )


def read_text(path: str) -> str:
    """The content of one of the request's text files.

    Raises:
        RequestError: it cannot be read as UTF-8 text.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(
            f"cannot read `{path}`: {error}", hint="name an existing UTF-8 text file"
        ) from error


def _known(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(values) - {item.name for item in fields(kind)})
    if unknown:
        raise TypeError(f"unknown key {unknown[0]!r}")
    return dict(values)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _frozen_lists(values: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(items) for key, items in values.items()}
