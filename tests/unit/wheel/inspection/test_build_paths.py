# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tools.wheel.inspection.build_paths import BuildPaths


def _scan(*chunks: bytes) -> tuple[str, ...]:
    paths = BuildPaths()
    for chunk in chunks:
        paths.scan(chunk)
    return paths.found


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"\0/home/bob/src/a.cc\0", ("/home/bob/src/a.cc",)),
        (b"\0/tmp/pip-build-env-x1/overlay/lib\0", ("/tmp/pip-build-env-x1/overlay/lib",)),
        (b"/__w/pkg/pkg/b.h:12", ("/__w/pkg/pkg/b.h",)),
        (b"\0/usr/lib/python3/a\0/tmp/a.sock\0/homes/x/y\0", ()),
    ],
)
def test_scan_finds_folders_of_build_machines_alone(content: bytes, found: tuple[str, ...]) -> None:
    assert _scan(content) == found


def test_scan_path_across_chunks_is_found_once_and_whole() -> None:
    assert _scan(b"\0/home/bob/s", b"rc/a.cc\0", b"tail") == ("/home/bob/src/a.cc",)


def test_scan_stops_at_a_few() -> None:
    assert len(_scan(b"".join(b"\0/root/src/%d.cc\0" % number for number in range(50)))) == 5
