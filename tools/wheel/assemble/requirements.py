# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Requirements kept in files of their own."""

from __future__ import annotations

import re
from dataclasses import replace

from .errors import MetadataError
from .request import MetadataFields, Request, read_text

#: As pip has it: `#` inside a word, such as a URL's fragment, starts no comment.
_COMMENT = re.compile(r"(^|\s)#.*")


def with_file_requirements(request: Request) -> MetadataFields:
    """The request's fields, with what its requirement files hold after what the fields say.

    Raises:
        RequestError: a file cannot be read as UTF-8 text.
        MetadataError: a line is an option of pip's.
    """
    fields = request.metadata
    requires = fields.requires
    if request.requires_file:
        requires += _read_requirements(request.requires_file)
    extras = dict(fields.extra_requires)
    for extra, files in request.extra_requires_files.items():
        for file in files:
            extras[extra] = extras.get(extra, ()) + _read_requirements(file)
    return replace(fields, requires=requires, extra_requires=extras)


def _read_requirements(path: str) -> tuple[str, ...]:
    """The requirements in a file, one a line, without comments and blank lines."""
    lines = [_COMMENT.sub("", line).strip() for line in read_text(path).splitlines()]
    for number, line in enumerate(lines, start=1):
        if line.startswith("-"):
            raise MetadataError(
                f"`{path}` line {number}: `{line}` is an option of pip's, not a requirement",
                hint="list requirements alone; metadata has no place for options",
            )
    return tuple(line for line in lines if line)
