# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The recipe of the root file system: its key, its manifest, the Bazel version it may have."""

from __future__ import annotations

import pytest

from tools.launcher import errors, rootfs
from tools.launcher.rootfs import Recipe


def test_key_of_reordered_packages_is_the_same() -> None:
    assert Recipe("forky", ("a", "b")).key == Recipe("forky", ("b", "a")).key


@pytest.mark.parametrize("other", [Recipe("forky", ("a",)), Recipe("sid", ("a", "b"))])
def test_key_of_other_packages_or_suite_differs(other: Recipe) -> None:
    assert other.key != Recipe("forky", ("a", "b")).key


def test_key_of_other_format_version_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rootfs.RECIPE.key
    monkeypatch.setattr(rootfs, "FORMAT_VERSION", rootfs.FORMAT_VERSION + 1)
    assert rootfs.RECIPE.key != before


def test_manifest_parsed_keeps_equal_signs_of_versions_apart() -> None:
    text = "bazel-bootstrap=7.7.1+ds-8+b1\ng++=4:16.1.0-3\n"
    assert rootfs.parse_manifest(text) == {"bazel-bootstrap": "7.7.1+ds-8+b1", "g++": "4:16.1.0-3"}


@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("7.7.1+ds-8+b1", "7.7.1"),
        ("7.4.0+ds-1", "7.4.0"),
        ("1:7.6.2-1", "7.6.2"),
        ("7.99-1", "7.99"),
    ],
)
def test_bazel_version_within_range_is_upstreams(package: str, version: str) -> None:
    assert rootfs.bazel_version(f"bazel-bootstrap={package}\n") == version


@pytest.mark.parametrize("package", ["7.3.9+ds-1", "8.0.0+ds-1", "9.1-1", "4.2.3+ds-11", "1:8.0-1"])
def test_bazel_version_outside_range_fails_and_names_it(package: str) -> None:
    with pytest.raises(errors.BazelVersionError) as caught:
        rootfs.bazel_version(f"bazel-bootstrap={package}\n")
    number = package.split("+")[0].split("-")[0].split(":")[-1]
    assert f"Bazel {number};" in caught.value.message
    assert "at least 7.4 and less than 8" in caught.value.message
    assert "bazelisk" in caught.value.hint


@pytest.mark.parametrize("manifest", ["", "bazel-bootstrap=\n", "bazel-bootstrap=unknown\n"])
def test_bazel_version_absent_fails(manifest: str) -> None:
    with pytest.raises(errors.BazelVersionError, match="no usable `bazel-bootstrap`"):
        rootfs.bazel_version(manifest)
