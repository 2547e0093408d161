# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from tools.wheel.bench.workload import LIBRARY, NAME, make_workload
from tools.wheel.inspection.reading import read_wheel


def test_make_workload_gives_a_wheel_of_which_some_files_need_the_library(tmp_path: Path) -> None:
    make_workload(tmp_path, size=4 << 20, files=4, edited=1)
    facts = read_wheel(tmp_path / NAME)
    assert facts.record_problems == ()
    assert [LIBRARY in elf.needed for elf in facts.elf_files.values()] == [True] + 3 * [False]
    random, code = (entry for entry in facts.entries if entry.path[-5:] in ("00.so", "01.so"))
    assert random.compressed_size > 0.99 * random.size
    assert 0.3 < code.compressed_size / code.size < 0.4
    assert sorted(path.name for path in tmp_path.iterdir()) == [NAME, "libraries"]
