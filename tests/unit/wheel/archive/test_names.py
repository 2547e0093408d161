# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import PurePosixPath

import pytest

from tools.wheel.archive.errors import BadArchiveError, WheelNameError
from tools.wheel.archive.names import WheelName, expand_tags, installed_path, parse_wheel_name


def test_parse_wheel_name_splits_every_part() -> None:
    name = parse_wheel_name("my_pkg-1.0+cu13-2-cp312-cp312-manylinux_2_27_x86_64.whl")
    assert name == WheelName("my_pkg", "1.0+cu13", "2", "cp312", "cp312", "manylinux_2_27_x86_64")
    assert name.dist_info == "my_pkg-1.0+cu13.dist-info"
    assert str(name) == "my_pkg-1.0+cu13-2-cp312-cp312-manylinux_2_27_x86_64.whl"


def test_tags_compressed_name_is_expanded() -> None:
    name = parse_wheel_name("pkg-1.0-py2.py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl")
    assert name.tags() == (
        "py2-none-manylinux2014_x86_64",
        "py2-none-manylinux_2_17_x86_64",
        "py3-none-manylinux2014_x86_64",
        "py3-none-manylinux_2_17_x86_64",
    )


def test_expand_tags_gives_each_tag_once() -> None:
    tags = ["py3-none-any", "py2.py3-none-any", "py3-none-any"]
    assert expand_tags(tags) == ("py2-none-any", "py3-none-any")


@pytest.mark.parametrize(
    "tags",
    [
        ["-".join([".".join(f"t{number}" for number in range(200))] * 3)],
        [f"py{number}-none-any" for number in range(1001)],
        ["a.b-" * 100_000 + "any"],
    ],
)
def test_expand_tags_without_end_is_refused(tags: list[str]) -> None:
    with pytest.raises(BadArchiveError, match="is too long, or the wheel has more than 1000 tags"):
        expand_tags(tags)


@pytest.mark.parametrize(
    "name",
    [
        "pkg.whl",
        "pkg-1.0-py3-none.whl",
        "pkg-1.0-cp311-cp311-linux_x86_64-cu13.whl",
        "pkg-1.0.zip",
        "pkg-1.0-py3-none-macosx-10.9.whl",
        "pkg-1.0-$(PY)-none-any.whl",
        "pkg-1.0-py3-none-linux x86.whl",
        "pkg-1.0-py3-none-any\n.whl",
        "pkg-1.0-py2..py3-none-any.whl",
    ],
)
def test_parse_wheel_name_other_name_is_refused(name: str) -> None:
    with pytest.raises(WheelNameError, match="is not a wheel file name"):
        parse_wheel_name(name)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("pkg/a.so", PurePosixPath("pkg/a.so")),
        ("pkg-1.0.data/platlib/pkg/a.so", PurePosixPath("pkg/a.so")),
        ("pkg-1.0.data/purelib/pkg/a.py", PurePosixPath("pkg/a.py")),
        ("pkg-1.0.data/scripts/run", None),
        ("pkg-1.0.data/headers/a.h", None),
    ],
)
def test_installed_path_follows_the_scheme(path: str, place: PurePosixPath | None) -> None:
    assert installed_path(path) == place
