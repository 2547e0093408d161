# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A package to make wheels of."""

from pathlib import Path


def main() -> str:
    """The words that lie beside this file."""
    return Path(__file__).with_name("words.txt").read_text()
