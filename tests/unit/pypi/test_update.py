# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from third_party.pypi import update

LOCKS = sorted(Path("third_party/pypi/locks").glob("*.txt"), key=lambda path: path.stem)


def entry(name: str, version: str, *requires: str, requested: bool = False) -> dict[str, Any]:
    """An entry of pip's installation report."""
    return {
        "download_info": {
            "url": "https://files.example/x.whl",
            "archive_info": {"hashes": {"sha256": "0" * 63 + version[0]}},
        },
        "requested": requested,
        "metadata": {"name": name, "version": version, "requires_dist": list(requires)},
    }


def test_render_of_a_report_is_sorted_pinned_and_names_no_host() -> None:
    text = update.render(
        [
            entry("Zlib_NG", "2.0", requested=True),
            entry("alpha", "1.0", "zlib.ng>=1 ; python_version<'4'", requested=True),
        ]
    )
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == [
        f"alpha==1.0 --hash=sha256:{'0' * 63}1  # via requirements.in",
        f"zlib-ng==2.0 --hash=sha256:{'0' * 63}2  # via alpha, requirements.in",
    ]
    assert "files.example" not in text


def test_requirers_with_an_extra_ignores_it() -> None:
    entries = [entry("a", "1", "b ; extra == 'dev'", requested=True), entry("b", "1")]
    assert update.requirers(entries)["b"] == []


def test_main_outside_bazel_run_says_how(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BUILD_WORKSPACE_DIRECTORY", raising=False)
    assert update.main("unused.json") == 2
    assert "bazel run //third_party/pypi:update" in capsys.readouterr().err


def test_main_with_an_unknown_version_names_the_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "third_party" / "pypi" / "locks"
    folder.mkdir(parents=True)
    (folder / "3.12.txt").write_text("")
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    assert update.main("unused.json", "3.9") == 2
    assert "there are 3.12" in capsys.readouterr().err


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_lock_in_the_repository_pins_every_line_by_hash(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if not line.startswith("#")]
    names = []
    for line in lines:
        match = re.fullmatch(r"([a-z0-9-]+)==\S+ --hash=sha256:[0-9a-f]{64}  # via \S.*", line)
        assert match is not None, line
        names.append(match.group(1))
    assert names == sorted(set(names))
    assert {"auditwheel", "numpy", "pytest"} <= set(names)
    assert "://" not in lock.read_text()


def test_locks_in_the_repository_are_those_that_bazel_reads() -> None:
    text = Path("third_party/pypi/versions.bzl").read_text()
    assert re.findall(r'"(3\.\d+)"', text) == [lock.stem for lock in LOCKS]
