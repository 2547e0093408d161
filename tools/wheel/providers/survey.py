# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds where the content of a package changes, reading as few of its wheels as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .table import Content, Release


def survey(
    versions: Sequence[str], read: Callable[[str], Content], known: Sequence[Release] = ()
) -> tuple[Release, ...]:
    """The releases of a package.

    Reads the oldest and the newest version, and halves what lies between while its ends differ.

    Args:
        versions: every version, oldest first.
        read: reads the wheel of a version.
        known: the releases of an earlier survey; their wheels are not read again.
    """
    contents = {
        version: release.content
        for release in known
        for version in release.versions
        if version in versions
    }

    def content(index: int) -> Content:
        version = versions[index]
        if version not in contents:
            contents[version] = read(version)
        return contents[version]

    def fill(first: int, last: int) -> None:
        if last - first < 2:
            return
        if content(first) == content(last):
            for index in range(first + 1, last):
                contents.setdefault(versions[index], content(first))
            return
        middle = (first + last) // 2
        content(middle)
        fill(first, middle)
        fill(middle, last)

    if versions:
        content(0)
        content(len(versions) - 1)
        fill(0, len(versions) - 1)
    releases: list[Release] = []
    for version in versions:
        if releases and releases[-1].content == contents[version]:
            releases[-1] = Release((*releases[-1].versions, version), contents[version])
        else:
            releases.append(Release((version,), contents[version]))
    return tuple(releases)
