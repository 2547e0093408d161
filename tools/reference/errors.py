# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of making reference pages."""

from __future__ import annotations


class SourceError(Exception):
    """A source is not documented, or written in a way that is not understood."""
