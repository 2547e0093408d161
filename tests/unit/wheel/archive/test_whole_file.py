# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tools.wheel.archive.whole_file import whole_file


def test_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")
    with whole_file(target) as partial:
        partial.write_text("after")
        assert target.read_text() == "before"
    assert target.read_text() == "after"
    assert list(tmp_path.iterdir()) == [target]


def test_failure_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")
    with pytest.raises(ValueError, match="half"), whole_file(target) as partial:
        partial.write_text("aft")
        raise ValueError("half")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_missing_folder_is_told_by_the_name_that_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "none" / "a.txt"
    with pytest.raises(FileNotFoundError) as caught, whole_file(target) as partial:
        partial.write_text("x")
    assert str(caught.value) == f"[Errno 2] No such file or directory: '{target}'"


def test_folder_in_the_way_is_told_by_the_name_that_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.mkdir()
    with pytest.raises(IsADirectoryError) as caught, whole_file(target) as partial:
        partial.write_text("x")
    assert str(caught.value) == f"[Errno 21] Is a directory: '{target}'"
    assert list(tmp_path.iterdir()) == [target]
