# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path
from typing import Any

import pytest

from tools.ci.report import Result, bazel_tests, main, report, steps


def _configured(label: str, kind: str = "py_test rule") -> dict[str, Any]:
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"targetKind": kind}}


def _summary(label: str, status: str, milliseconds: int = 1500) -> dict[str, Any]:
    return {
        "id": {"testSummary": {"label": label}},
        "testSummary": {"overallStatus": status, "totalRunDurationMillis": str(milliseconds)},
    }


def _skipped(label: str) -> dict[str, Any]:
    return {"id": {"targetCompleted": {"label": label}}, "aborted": {"reason": "SKIPPED"}}


def _results(*events: dict[str, Any]) -> list[Result]:
    return list(bazel_tests(json.dumps(event) for event in events))


def test_steps_exit_code_decides_the_verdict() -> None:
    lines = ["build\t0\t61", "test\t3\t5", "install\tskipped\t0", "lint\t124\t9"]
    assert [(r.name, r.verdict, r.seconds) for r in steps(lines)] == [
        ("build", "passed", 61),
        ("test", "failed", 5),
        ("install", "skipped", 0),
        ("lint", "failed", 9),
    ]


@pytest.mark.parametrize(
    ("status", "verdict"),
    [("PASSED", "passed"), ("FLAKY", "passed"), ("FAILED", "failed"), ("TIMEOUT", "failed")],
)
def test_tests_summary_decides_the_verdict(status: str, verdict: str) -> None:
    assert _results(_configured("//a:b"), _summary("//a:b", status)) == [
        Result("//a:b", verdict, 1.5)
    ]


def test_tests_incompatible_test_is_skipped_and_library_left_out() -> None:
    events = [_configured("//a:t"), _configured("//a:lib", "py_library rule")]
    assert _results(*events, _skipped("//a:t"), _skipped("//a:lib")) == [
        Result("//a:t", "skipped", 0)
    ]


def test_tests_test_without_summary_is_failed() -> None:
    assert _results(_configured("//a:unbuilt")) == [Result("//a:unbuilt", "failed", 0)]


def test_main_event_file_cut_off_in_a_line_counts_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "steps").write_text("test\t124\t1\n")
    events = [_configured("//a:done"), _configured("//a:running"), _summary("//a:done", "PASSED")]
    lines = "".join(json.dumps(event) + "\n" for event in events)
    (tmp_path / "events").write_bytes(lines.encode() + '{"id": {"progress": "é'.encode()[:-1])
    assert main(tmp_path / "steps", tmp_path / "events") == 1
    assert capsys.readouterr().out.endswith("1 passed, 2 failed, 0 skipped\n")


def test_report_last_line_counts_steps_and_tests() -> None:
    text = report(
        [Result("build", "passed", 3), Result("install", "skipped", 0)],
        [Result("//a:slow", "passed", 9), Result("//a:bad", "failed", 1)],
    )
    assert text.splitlines()[-1] == "2 passed, 1 failed, 1 skipped"
    assert text.index("//a:slow") < text.index("//a:bad")
    assert "== failed\n  //a:bad" in text


def test_main_missing_test_events_reports_steps(tmp_path: Path) -> None:
    (tmp_path / "steps").write_text("build\t0\t1\n")
    assert main(tmp_path / "steps", tmp_path / "absent") == 0
    (tmp_path / "steps").write_text("build\t1\t1\n")
    assert main(tmp_path / "steps", tmp_path / "absent") == 1
