# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A file that appears under its name only when it is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Yield a name beside `target` to write to; it becomes `target`, or goes when writing fails.

    Args:
        target: path of the file, not of a symbolic link that is to stay.

    Raises:
        OSError: it cannot be written; the error names `target`.
    """
    partial = target.with_name(target.name + ".partial")
    try:
        yield partial
        partial.replace(target)
    except OSError as error:
        if error.filename is None or os.fspath(error.filename) != str(partial):
            raise
        raise OSError(error.errno, error.strerror, str(target)) from None
    finally:
        partial.unlink(missing_ok=True)
