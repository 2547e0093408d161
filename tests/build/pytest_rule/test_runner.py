# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The verdicts of the runner of `pytest_test`, on test files written here."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

import pytest

PASSING = "def test_a() -> None:\n    pass\n"
SKIPPED = (
    "import pytest\n\n@pytest.mark.skip(reason='none here')\ndef test_a() -> None:\n    pass\n"
)
FOUR = "\n".join(f"def test_{name}() -> None:\n    print('ran {name}')\n" for name in "abcd")


class Run(NamedTuple):
    code: int
    output: str
    folder: Path

    @property
    def names(self) -> list[str]:
        """Names of the tests in the XML report."""
        cases = ElementTree.parse(self.folder / "report.xml").iter("testcase")
        return [case.attrib["name"] for case in cases]


def run_pytest(folder: Path, files: dict[str, str], environ: dict[str, str] | None = None) -> Run:
    """Runs the runner in `folder` on files with the given contents."""
    for name, text in files.items():
        (folder / name).write_text(textwrap.dedent(text))
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    options = ["--test-config=pytest.ini"]
    handed = [f"--test-file={name}" for name in files if name != "conftest.py"]
    variables = {
        "PYTHONPATH": os.environ["PYTHONPATH"],
        "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
        "XML_OUTPUT_FILE": str(folder / "report.xml"),
    }
    result = subprocess.run(
        [sys.executable, "-S", "-m", "tools.pytest.runner.main", *options, *handed],
        cwd=folder,
        env={**variables, **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Run(result.returncode, result.stdout, folder)


def test_runner_with_a_passing_test_succeeds(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": PASSING})
    assert run.code == 0, run.output
    assert run.names == ["test_a"]


def test_runner_with_a_failing_test_fails(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": "def test_a() -> None:\n    assert 1 == 2\n"})
    assert run.code == 1
    assert "assert 1 == 2" in run.output


def test_runner_with_nothing_collected_fails(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": "def helper() -> None:\n    pass\n"})
    assert run.code == 1
    assert "no test was collected from `test_x.py`" in run.output


def test_runner_with_one_file_of_two_empty_fails(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": PASSING, "test_y.py": "X = 1\n"})
    assert run.code == 1
    assert "no test was collected from `test_y.py`" in run.output


def test_runner_with_nothing_collected_and_a_filter_fails(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": ""}, environ={"TESTBRIDGE_TEST_ONLY": "test_a"})
    assert run.code == 1


def test_runner_with_every_test_skipped_fails(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": SKIPPED})
    assert run.code == 1
    assert "every test was skipped" in run.output


def test_runner_with_a_module_skipped_fails(tmp_path: Path) -> None:
    text = "import pytest\npytest.skip('not here', allow_module_level=True)\n"
    assert run_pytest(tmp_path, {"test_x.py": text}).code == 1


def test_runner_with_some_tests_skipped_succeeds(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": PASSING, "test_y.py": SKIPPED})
    assert run.code == 0, run.output


def test_runner_with_an_expected_failure_only_succeeds(tmp_path: Path) -> None:
    text = "import pytest\n\n@pytest.mark.xfail\ndef test_a() -> None:\n    assert False\n"
    assert run_pytest(tmp_path, {"test_x.py": text}).code == 0


def test_runner_with_a_filter_runs_what_matches(tmp_path: Path) -> None:
    run = run_pytest(
        tmp_path, {"test_x.py": FOUR}, environ={"TESTBRIDGE_TEST_ONLY": "test_b or test_d"}
    )
    assert run.code == 0, run.output
    assert run.names == ["test_b", "test_d"]


def test_runner_with_a_filter_that_matches_elsewhere_succeeds(tmp_path: Path) -> None:
    run = run_pytest(
        tmp_path, {"test_x.py": FOUR}, environ={"TESTBRIDGE_TEST_ONLY": "test_of_another"}
    )
    assert run.code == 0, run.output


def test_runner_with_shards_runs_each_test_once(tmp_path: Path) -> None:
    names = []
    for index in range(3):
        status = tmp_path / f"status{index}"
        environ = {"TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": str(index)}
        environ["TEST_SHARD_STATUS_FILE"] = str(status)
        run = run_pytest(tmp_path, {"test_x.py": FOUR}, environ=environ)
        assert run.code == 0, run.output
        assert status.exists()
        names += run.names
    assert sorted(names) == ["test_a", "test_b", "test_c", "test_d"]


def test_runner_with_a_shard_of_skipped_tests_succeeds(tmp_path: Path) -> None:
    files = {"test_x.py": PASSING, "test_y.py": SKIPPED}
    for index in range(2):
        environ = {"TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": str(index)}
        run = run_pytest(tmp_path, files, environ=environ)
        assert run.code == 0, run.output


def test_runner_with_more_shards_than_tests_succeeds(tmp_path: Path) -> None:
    environ = {"TEST_TOTAL_SHARDS": "9", "TEST_SHARD_INDEX": "8"}
    assert run_pytest(tmp_path, {"test_x.py": FOUR}, environ=environ).code == 0


def test_runner_with_a_warning_fails(tmp_path: Path) -> None:
    text = "import warnings\n\ndef test_a() -> None:\n    warnings.warn('odd')\n"
    assert run_pytest(tmp_path, {"test_x.py": text}).code == 1


def test_runner_with_an_unknown_marker_fails(tmp_path: Path) -> None:
    text = "import pytest\n\n@pytest.mark.nosuch\ndef test_a() -> None:\n    pass\n"
    run = run_pytest(tmp_path, {"test_x.py": text})
    assert run.code != 0
    assert "nosuch" in run.output


def test_runner_with_an_import_error_fails(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, {"test_x.py": "import no_such_module\n", "test_y.py": PASSING})
    assert run.code != 0
    assert "no_such_module" in run.output


def test_runner_with_a_conftest_uses_its_fixtures(tmp_path: Path) -> None:
    conftest = "import pytest\n\n@pytest.fixture\ndef answer() -> int:\n    return 42\n"
    text = "def test_a(answer: int) -> None:\n    assert answer == 42\n"
    run = run_pytest(tmp_path, {"conftest.py": conftest, "test_x.py": text})
    assert run.code == 0, run.output


def test_runner_with_a_test_that_ends_the_process_fails(tmp_path: Path) -> None:
    text = "import os\n\ndef test_a() -> None:\n    os._exit(0)\n"
    run = run_pytest(tmp_path, {"test_x.py": text})
    assert run.code == 1
    assert "ended the process with exit code 0" in run.output


def test_runner_with_a_test_that_crashes_fails(tmp_path: Path) -> None:
    text = "import os, signal\n\ndef test_a() -> None:\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    run = run_pytest(tmp_path, {"test_x.py": text})
    assert run.code == 128 + 9
    assert "killed by signal 9" in run.output


@pytest.mark.parametrize(("first", "second", "equal"), [("1", "1", True), ("1", "2", False)])
def test_runner_with_a_seed_repeats_random_numbers(
    tmp_path: Path, first: str, second: str, equal: bool
) -> None:
    text = "import random\n\ndef test_a():\n    print('drawn', random.random())\n    assert 0\n"
    outputs = []
    for seed in (first, second):
        run = run_pytest(tmp_path, {"test_x.py": text}, environ={"TILEWRIGHT_TEST_SEED": seed})
        assert f"seed: {seed} " in run.output
        outputs.append([line for line in run.output.splitlines() if line.startswith("drawn")])
    assert outputs[0]
    assert (outputs[0] == outputs[1]) is equal


def test_runner_leaves_no_cache_folder(tmp_path: Path) -> None:
    run_pytest(tmp_path, {"test_x.py": PASSING})
    assert not (tmp_path / ".pytest_cache").exists()
