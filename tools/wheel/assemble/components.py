# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a wheel that come from elsewhere, as declared, held against what is in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from ..sbom.component import LINKAGES, Component
from .errors import ComponentError
from .request import ComponentRequest

#: https://github.com/package-url/purl-spec, as far as a typing error shows.
_PURL = re.compile(r"pkg:[a-z][a-z0-9.+-]*/[^\s@?#]+(@[^\s?#]+)?(\?[^\s#]+)?(#\S+)?")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def resolve_components(
    requests: Iterable[ComponentRequest], paths: Iterable[str]
) -> list[Component]:
    """The declared parts with the files that hold them.

    Args:
        requests: the parts.
        paths: every file of the wheel.

    Raises:
        ComponentError: two are the same, a value is not what it should be, or a pattern matches no
            file; the message names part, value and fix.
    """
    paths = sorted(paths)
    components: dict[str, Component] = {}
    for item in requests:
        if item.purl in components:
            raise ComponentError(
                f"component {item.purl} is declared twice, last by `{item.label}`",
                hint="declare it once, with all its files",
            )
        components[item.purl] = _resolve(item, paths)
    return list(components.values())


def _resolve(item: ComponentRequest, paths: Sequence[str]) -> Component:
    where = f"component `{item.name}` (from `{item.label}`)"
    _check(
        _PURL.fullmatch(item.purl) is not None,
        f"{where} has package URL {item.purl!r}, which is none",
        "write it like `pkg:pypi/pybind11@3.1.0` or `pkg:github/dmlc/dlpack@v1.1`",
    )
    _check(
        item.linkage in LINKAGES,
        f"{where} has linkage {item.linkage!r}",
        f"use one of {', '.join(f'`{name}`' for name in sorted(LINKAGES))}",
    )
    _check(
        not item.source_sha256 or _SHA256.fullmatch(item.source_sha256) is not None,
        f"{where} has sha256 {item.source_sha256!r}",
        "write 64 hexadecimal digits in lower case",
    )
    files: set[str] = set()
    for pattern in item.files:
        found = [path for path in paths if fnmatchcase(path, pattern)]
        _check(
            bool(found),
            f"{where} is said to be in `{pattern}`, and no file of the wheel is called so",
            "name paths in the wheel, with `*` for any characters",
        )
        files.update(found)
    return Component(
        name=item.name,
        version=item.version,
        purl=item.purl,
        linkage=item.linkage,
        license_expression=_license(item, where),
        source_url=item.source_url,
        source_sha256=item.source_sha256,
        files=tuple(sorted(files)),
        notes=item.notes,
    )


def _license(item: ComponentRequest, where: str) -> str:
    if not item.license_expression:
        return ""
    try:
        return str(canonicalize_license_expression(item.license_expression))
    except InvalidLicenseExpression as error:
        raise ComponentError(
            f"{where} has license expression {item.license_expression!r}: {error}",
            hint="use SPDX identifiers, such as `Apache-2.0` or `Apache-2.0 WITH LLVM-exception`",
        ) from error


def _check(holds: bool, what: str, hint: str) -> None:
    if not holds:
        raise ComponentError(what, hint=hint)
