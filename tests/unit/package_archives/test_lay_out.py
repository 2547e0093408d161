# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Files of unpacked packages, moved to where a table says."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for path in ("one/include/a.h", "one/include/sub/b.h", "two/include/sub/c.h", "one/bin/tool"):
        file = tmp_path / "tree" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    return tmp_path


def write(folder: Path, layout: dict[str, list[str]]) -> None:
    (folder / "layout.json").write_text(json.dumps(layout))


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_folders_named_with_a_slash_are_merged(folder: Path, lay_out: ModuleType) -> None:
    write(folder, {"include": ["one/include/", "two/include/"]})
    lay_out.main("layout.json", "tree")
    assert files(folder / "include") == ["a.h", "sub/b.h", "sub/c.h"]


def test_path_without_a_slash_keeps_its_name(folder: Path, lay_out: ModuleType) -> None:
    write(folder, {"bin": ["one/bin/tool"], "all": ["one/include"]})
    lay_out.main("layout.json", "tree")
    assert files(folder / "bin") == ["tool"]
    assert files(folder / "all") == ["include/a.h", "include/sub/b.h"]


def test_path_that_no_package_has_is_named(folder: Path, lay_out: ModuleType) -> None:
    write(folder, {"bin": ["one/bin/absent"]})
    with pytest.raises(SystemExit, match="the packages have no `one/bin/absent`, wanted for `bin`"):
        lay_out.main("layout.json", "tree")


def test_two_different_files_of_one_name_are_refused(folder: Path, lay_out: ModuleType) -> None:
    (folder / "tree/two/include/a.h").write_text("another")
    write(folder, {"include": ["one/include/", "two/include/"]})
    with pytest.raises(SystemExit, match=r"`tree/two/include/a\.h` and another package's file"):
        lay_out.main("layout.json", "tree")


def test_two_equal_files_of_one_name_are_one(folder: Path, lay_out: ModuleType) -> None:
    (folder / "tree/two/include/a.h").write_text("one/include/a.h")
    write(folder, {"include": ["one/include/", "two/include/"]})
    lay_out.main("layout.json", "tree")
    assert "a.h" in files(folder / "include")
