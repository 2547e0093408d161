# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.errors import RecordError
from tools.wheel.inspection.facts import RecordProblem
from tools.wheel.inspection.reading import read_wheel

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
DIST_INFO = "pkg-1.0.dist-info"
RECORD = f"{DIST_INFO}/RECORD"
HASH = "sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
SHA512 = (
    "sha512=3a81oZNherrMQXNJriBBMRLm-k6JqX6iCp7u5ktV05ohkpkqJ0_BqDa6PCOj_uu9RU1EI2Q86A4qmslPpUyknw"
)
LIBRARY = TinyElf(soname="libpkg.so", payload=b"\0/home/bob/src/a.cc\0").build()


def _problems(folder: Path, row: str) -> list[RecordProblem]:
    """Those of `pkg/a.py`, which RECORD lists so; METADATA and WHEEL are not listed."""
    wheel = write_tiny_wheel(folder, NAME, {"pkg/a.py": b"abc"}, record=f"{row}\n{RECORD},,\n")
    problems = read_wheel(wheel).record_problems
    return [problem for problem in problems if problem.path.startswith("pkg/")]


def test_read_wheel_gives_every_fact(tmp_path: Path) -> None:
    files = {"pkg/a.py": b"abc", "pkg/lib.so": LIBRARY, f"{DIST_INFO}/licenses/LICENSE": b"free"}
    wheel = write_tiny_wheel(tmp_path, NAME, files, modes={"pkg/a.py": 0o755})
    facts = read_wheel(wheel)
    assert facts.dist_info == DIST_INFO
    assert facts.hashes["pkg/a.py"] == HASH
    assert RECORD not in facts.hashes
    assert facts.record_problems == ()
    assert facts.archive_problems == ()
    assert facts.elf_files["pkg/lib.so"].soname == "libpkg.so"
    assert facts.build_paths == {"pkg/lib.so": ("/home/bob/src/a.cc",)}
    assert facts.texts[f"{DIST_INFO}/licenses/LICENSE"] == "free"
    assert facts.executables == {"pkg/a.py"}


@pytest.mark.parametrize("jobs", [1, 5])
def test_read_wheel_any_number_of_threads_gives_same_facts(tmp_path: Path, jobs: int) -> None:
    files = {f"pkg/{number}.so": LIBRARY + bytes(number * 1000) for number in range(9)}
    wheel = write_tiny_wheel(tmp_path, NAME, files)
    facts = read_wheel(wheel, jobs=jobs)
    assert facts == read_wheel(wheel, jobs=2)
    assert list(facts.elf_files) == list(files)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (f"pkg/a.py,{HASH},3", ""),
        (f"pkg/a.py,{SHA512},3", ""),
        ("", "is not listed in RECORD"),
        (f"pkg/a.py,{HASH},4", f"is {HASH}, 3 bytes; RECORD says {HASH}, 4 bytes"),
        ("pkg/a.py,sha256=AAAA,3", f"is {HASH}, 3 bytes; RECORD says sha256=AAAA, 3 bytes"),
        ("pkg/a.py,md5=AAAA,3", f"is {HASH}, 3 bytes; RECORD says md5=AAAA, 3 bytes"),
        ("pkg/a.py,,", f"is {HASH}, 3 bytes; RECORD says no hash, no size"),
    ],
)
def test_read_wheel_record_is_held_against_the_content(
    tmp_path: Path, row: str, message: str
) -> None:
    assert [problem.what for problem in _problems(tmp_path, row)] == ([message] if message else [])


def test_read_wheel_listed_file_that_is_absent_is_a_problem(tmp_path: Path) -> None:
    found = _problems(tmp_path, f"pkg/a.py,{HASH},3\npkg/gone.py,{HASH},3")
    assert found == [RecordProblem("pkg/gone.py", "is listed in RECORD and not in the archive")]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("pkg/a.py,x", "line 1 has 2 columns"),
        ("pkg/a.py,x,1\npkg/a.py,x,1", "lists `pkg/a.py` twice"),
        ("x" * 200_000 + ",x,1", "cannot be read: field larger than field limit"),
    ],
)
def test_read_wheel_record_that_is_no_table_is_refused(
    tmp_path: Path, row: str, message: str
) -> None:
    with pytest.raises(RecordError, match=message):
        _problems(tmp_path, row)


def test_read_wheel_unpack_leaves_the_elf_files(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/a.py": b"abc", "pkg/sub/lib.so": LIBRARY})
    read_wheel(wheel, unpack=tmp_path / "out")
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == [
        tmp_path / "out/pkg/sub/lib.so"
    ]
    assert (tmp_path / "out/pkg/sub/lib.so").read_bytes() == LIBRARY
