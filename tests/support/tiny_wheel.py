# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Wheels of a few files, made in a test."""

from __future__ import annotations

import base64
import hashlib
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path


def write_tiny_wheel(
    folder: Path,
    name: str,
    files: Mapping[str, bytes],
    *,
    record: str | None = None,
    modes: Mapping[str, int] | None = None,
) -> Path:
    """Write a wheel as some other tool would: the standard library's zip, RECORD in archive order.

    Args:
        folder: where to write it.
        name: its file name; METADATA and WHEEL follow from it.
        files: content by path; may override METADATA or WHEEL.
        record: RECORD's text. Default: a correct one.
        modes: permission bits by path. Default: 0600, as the standard library has it.
    """
    distribution, version, *tags = name.removesuffix(".whl").split("-")
    dist_info = f"{distribution}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    wheel = (
        "Wheel-Version: 1.0\nGenerator: test\n"
        f"Root-Is-Purelib: {str(tags[-1] == 'any').lower()}\nTag: {'-'.join(tags)}\n"
    )
    content = {
        f"{dist_info}/METADATA": metadata.encode(),
        f"{dist_info}/WHEEL": wheel.encode(),
        **files,
    }
    if record is None:
        rows = [f"{path},{_hash(data)},{len(data)}" for path, data in content.items()]
        record = "\n".join([*rows, f"{dist_info}/RECORD,,"]) + "\n"
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in content.items():
            info = zipfile.ZipInfo(member)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFREG | (modes or {}).get(member, 0o600)) << 16
            archive.writestr(info, data)
        info = zipfile.ZipInfo(f"{dist_info}/RECORD")
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        archive.writestr(info, record)
    return path


def read_members(path: Path) -> dict[str, bytes]:
    """The content of every file of a wheel, by path."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
    return "sha256=" + digest.decode()
