# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes and reads CycloneDX 1.6 in JSON.

What is written depends on the wheel alone: components are sorted, and neither a time, a serial
number nor a path of the machine is in it. All three are optional in the format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from packaging.utils import canonicalize_name

from ..archive.names import WheelName
from .component import Component

#: Folder below `.dist-info`, and the end of a CycloneDX file's name.
SBOMS, SUFFIX = "sboms", ".cdx.json"

_FORMAT, _VERSION = "CycloneDX", "1.6"
_LINKAGE = "tilewright:linkage"


def sbom_path(wheel: WheelName, tool: str) -> str:
    """Path of the file that a tool writes: one for each producer, as PEP 770 advises."""
    return f"{wheel.dist_info}/{SBOMS}/{tool}{SUFFIX}"


def render_sbom(
    wheel: WheelName, tool: str, components: Iterable[Component], kept: str = ""
) -> str:
    """The text of a file.

    Args:
        wheel: the wheel that the parts are in.
        tool: name of the program that writes it.
        components: the parts.
        kept: a text of ours whose components stay.

    Raises:
        SbomFormatError: `kept` is no text of ours.
    """
    ordered = sorted(components, key=lambda item: (item.name, item.version, item.files))
    rendered = _components(kept) if kept else []
    rendered += [_component(item) for item in ordered]
    main = f"pkg:pypi/{canonicalize_name(wheel.distribution)}@{quote(wheel.version, safe='.')}"
    content = {
        "$schema": f"http://cyclonedx.org/schema/bom-{_VERSION}.schema.json",
        "bomFormat": _FORMAT,
        "specVersion": _VERSION,
        "version": 1,
        "metadata": {
            "tools": {"components": [{"type": "application", "name": tool}]},
            "component": {
                "type": "library",
                "bom-ref": main,
                "name": wheel.distribution,
                "version": wheel.version,
                "purl": main,
            },
        },
        "components": rendered,
        "dependencies": [
            {"ref": main, "dependsOn": [item["bom-ref"] for item in rendered]},
            *({"ref": item["bom-ref"]} for item in rendered),
        ],
    }
    return json.dumps(content, indent=2) + "\n"


def _components(text: str) -> list[dict[str, Any]]:
    """The components of a text of ours."""
    parse_sbom(text)
    found = _objects(json.loads(text).get("components"))
    if not all(isinstance(item.get("bom-ref"), str) for item in found):
        raise SbomFormatError("a component has no `bom-ref`")
    return found


def _component(item: Component) -> dict[str, Any]:
    values: dict[str, Any] = {
        "type": "library",
        "bom-ref": item.purl,
        "name": item.name,
        "version": item.version,
        "hashes": _hashes(item.sha256),
        "licenses": [{"expression": item.license_expression}] if item.license_expression else [],
        "purl": item.purl,
        "pedigree": _pedigree(item),
        "externalReferences": _references(item),
        "properties": [{"name": _LINKAGE, "value": item.linkage}],
        "evidence": {"occurrences": [{"location": path} for path in item.files]}
        if item.files
        else {},
    }
    return {key: value for key, value in values.items() if value}


def _pedigree(item: Component) -> dict[str, Any]:
    original = {"type": "library", "name": item.name, "hashes": _hashes(item.original_sha256)}
    values = {"ancestors": [original] if item.original_sha256 else [], "notes": item.notes}
    return {key: value for key, value in values.items() if value}


def _references(item: Component) -> list[dict[str, Any]]:
    if not item.source_url:
        return []
    reference = {"type": "distribution", "url": item.source_url}
    return [
        {**reference, "hashes": _hashes(item.source_sha256)} if item.source_sha256 else reference
    ]


def _hashes(sha256: str) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": sha256}] if sha256 else []


class SbomFormatError(Exception):
    """A text is no CycloneDX file."""


@dataclass(frozen=True)
class Sbom:
    """What a file says of the wheel's own files."""

    #: Names of its components, nested ones included.
    names: frozenset[str]
    #: sha256 in hex that it gives for paths in the wheel; "" where it gives none.
    files: Mapping[str, str]


def parse_sbom(text: str) -> Sbom:
    """Read the text of a file, ours or another tool's.

    Raises:
        SbomFormatError: it is not JSON, or not CycloneDX.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SbomFormatError(f"it is not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("bomFormat") != _FORMAT:
        raise SbomFormatError(f"its `bomFormat` is not `{_FORMAT}`")
    names: set[str] = set()
    files: dict[str, str] = {}
    pending = _objects(content.get("components"))
    while pending:
        item = pending.pop()
        pending += _objects(item.get("components"))
        names.add(str(item.get("name", "")))
        evidence = item.get("evidence")
        places = _objects(evidence.get("occurrences")) if isinstance(evidence, dict) else []
        for place in places:
            files[str(place.get("location", ""))] = _sha256(item) if len(places) == 1 else ""
    return Sbom(frozenset(names), files)


def _objects(value: Any) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]


def _sha256(item: Mapping[str, Any]) -> str:
    hashes = _objects(item.get("hashes"))
    return next(
        (str(found.get("content")) for found in hashes if found.get("alg") == "SHA-256"), ""
    )
