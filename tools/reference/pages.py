# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The reference pages there are, and what each is made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.reference import audit_checks, markdown, python_api, starlark

FOLDER = "docs/reference"


@dataclass(frozen=True)
class Page:
    """A page and its source.

    Attributes:
        name: file name in the folder of reference pages.
        title: its heading.
        source: the file whose public symbols it tells, relative to the repository.
    """

    name: str
    title: str
    source: str


PYTHON_ROOT = "python"

PAGES = (
    Page("tilewright.md", "tilewright", "python/tilewright/__init__.py"),
    Page("errors.md", "tilewright.errors", "python/tilewright/errors.py"),
    Page("tvm.md", "tilewright.tvm", "python/tilewright/tvm/__init__.py"),
    Page("wheel_rules.md", "Wheel rules", "tools/wheel/defs.bzl"),
    Page("pytest_rule.md", "Test rule", "tools/pytest/defs.bzl"),
    Page("shared_library.md", "Shared libraries", "tools/shared_library/defs.bzl"),
    Page("cuda_toolchains.md", "CUDA toolchains", "tools/toolchains/cuda/defs.bzl"),
    Page("python_toolchains.md", "Python toolchains", "tools/toolchains/python/defs.bzl"),
    Page("package_archives.md", "Package archives", "third_party/package_archives/defs.bzl"),
)


def generate(root: Path) -> Iterator[tuple[str, str]]:
    """Path and text of each page.

    Args:
        root: the source tree.

    Raises:
        SourceError: something public is not documented, or not understood.
    """
    for page in PAGES:
        if page.source.endswith(".py"):
            package = Path(page.source).relative_to(PYTHON_ROOT)
            text, entries = python_api.entries(root / PYTHON_ROOT, package)
            language = "python"
        else:
            text, entries = starlark.entries(root, Path(page.source))
            language = "starlark"
        rendered = markdown.page(page.title, page.source, text, entries, language)
        yield f"{FOLDER}/{page.name}", rendered
    yield f"{FOLDER}/audit_checks.md", audit_checks.page(root)
