# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`repaired_wheel` with real actions, on a wheel that needs libraries from outside."""

import json
import os
import re
from pathlib import Path

from tests.support.tiny_wheel import read_members

REPAIRED = Path(os.environ["REPAIRED_WHEEL"])
REPORT = Path(os.environ["REPAIR_REPORT"])
WITHOUT_SEARCH_PATHS = Path(os.environ["REPORT_WITHOUT_SEARCH_PATHS"])


def test_repaired_wheel_takes_named_libraries_in_and_leaves_excluded_ones_out() -> None:
    copied, own = [path for path in read_members(REPAIRED) if ".so" in path]
    assert re.fullmatch(r"needy\.libs/libcopied-[0-9a-f]{8}\.so\.3", copied)
    assert own == "needy/libneedy.so"


def test_repaired_wheel_report_says_how_each_need_is_met() -> None:
    plan = json.loads(REPORT.read_text())
    assert plan["wheel"] == REPAIRED.name
    assert {item["library"]: item["outcome"] for item in plan["dependencies"]}.items() >= {
        ("libcopied.so.3", "grafted"),
        ("libspare.so.2", "excluded"),
        ("libtvm_ffi.so", "excluded"),
    }


def _added(report: Path) -> dict[str, list[str]]:
    edits = json.loads(report.read_text())["edits"]
    return {edit["path"]: [item["entry"] for item in edit["added"]] for edit in edits}


def test_repaired_wheel_search_path_leads_to_the_package_required() -> None:
    assert _added(REPORT)["needy/libneedy.so"] == ["$ORIGIN/../tvm_ffi/lib"]
    assert _added(WITHOUT_SEARCH_PATHS)["needy/libneedy.so"] == []
