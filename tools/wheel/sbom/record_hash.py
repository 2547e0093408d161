# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""RECORD's notation of hashes, and that of SBOMs."""

from __future__ import annotations

import base64
import binascii


def hex_sha256(record_hash: str) -> str:
    """The digest of `sha256=<unpadded base64>` in hex; "" for another algorithm or a bad digest."""
    algorithm, _, digest = record_hash.partition("=")
    if algorithm != "sha256":
        return ""
    try:
        return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()
    except (ValueError, binascii.Error):
        return ""
