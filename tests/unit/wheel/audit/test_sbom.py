# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks of bills of materials: the failing side and the passing side of each."""

import json
from typing import Any

import pytest

from tests.unit.wheel.audit.tiny_facts import NAME, elf_file, wheel_facts
from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.audit.check import Check, Problem
from tools.wheel.audit.checks import sbom as checks
from tools.wheel.audit.settings import Settings
from tools.wheel.inspection.facts import WheelFacts
from tools.wheel.sbom.component import Component
from tools.wheel.sbom.cyclonedx import render_sbom

LIBRARY = "pkg.libs/libfoo-0a1b2c3d.so.3"
FOLDER = "pkg-1.0.dist-info/sboms"
OURS = f"{FOLDER}/tilewright-repair.cdx.json"
AUDITWHEELS = f"{FOLDER}/auditwheel.cdx.json"
EMPTY = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
EMPTY_HEX = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def wheel(texts: dict[str, str] | None = None, *libraries: str, **changes: Any) -> WheelFacts:
    return wheel_facts(map(elf_file, libraries), texts=texts or {}, **changes)


def find(check: Check, facts: WheelFacts) -> list[Problem]:
    return list(check.find(facts, Settings()))


def ours(sha256: str = EMPTY_HEX) -> str:
    component = Component(
        "libfoo.so.3", "", "pkg:generic/libfoo.so.3", "grafted", files=(LIBRARY,), sha256=sha256
    )
    return render_sbom(parse_wheel_name(NAME), "tilewright-repair", [component])


def others(*names: str) -> str:
    return json.dumps({"bomFormat": "CycloneDX", "components": [{"name": name} for name in names]})


def test_file_that_calls_itself_cyclonedx_must_be_it() -> None:
    assert find(checks.unreadable, wheel({AUDITWHEELS: "{}"})) == [
        Problem(AUDITWHEELS, "its `bomFormat` is not `CycloneDX`")
    ]


@pytest.mark.parametrize(
    "texts",
    [
        {AUDITWHEELS: others()},
        {f"{FOLDER}/spdx.json": '{"spdxVersion": "SPDX-2.3"}'},
        {f"{FOLDER}/notes.txt": "free text"},
        {"pkg-1.0.dist-info/other.cdx.json": "{}"},
    ],
)
def test_other_formats_are_left_alone(texts: dict[str, str]) -> None:
    assert find(checks.unreadable, wheel(texts)) == []


def test_copied_libraries_without_any_bill_are_named() -> None:
    facts = wheel({}, LIBRARY, "pkg.libs/libbar-0a1b2c3d.so.1", "pkg/_C.so")
    assert find(checks.incomplete, facts) == [
        Problem(
            "",
            f"`pkg.libs/libbar-0a1b2c3d.so.1`, `{LIBRARY}` was copied in, and there is no bill of "
            "materials",
        )
    ]


def test_copied_library_that_a_bill_leaves_out_is_named() -> None:
    facts = wheel({AUDITWHEELS: others("zlib")}, LIBRARY)
    assert find(checks.incomplete, facts) == [
        Problem(LIBRARY, f"it was copied in, and `{AUDITWHEELS}` does not name it")
    ]


@pytest.mark.parametrize("text", [ours(), others("libfoo"), others("Foo"), others("libfoo.so.3")])
def test_copied_library_in_a_bill_passes(text: str) -> None:
    assert find(checks.incomplete, wheel({OURS: text}, LIBRARY)) == []


def test_library_copied_twice_is_known_by_its_name() -> None:
    facts = wheel({AUDITWHEELS: others("libfoo")}, "pkg.libs/libfoo-040039e1-0352e75f.so.5.0.0")
    assert find(checks.incomplete, facts) == []


def test_wheel_without_copied_libraries_needs_no_bill() -> None:
    assert find(checks.incomplete, wheel({}, "pkg/_C.so")) == []


def test_hash_of_a_file_that_was_edited_later_is_named() -> None:
    facts = wheel({OURS: ours("ab" * 32)}, LIBRARY, hashes={LIBRARY: EMPTY})
    assert find(checks.file_hash, facts) == [
        Problem(LIBRARY, f"`{OURS}` says that its sha256 is {'ab' * 32}; it is {EMPTY_HEX}")
    ]


def test_hash_that_is_right_or_of_another_kind_passes() -> None:
    assert find(checks.file_hash, wheel({OURS: ours()}, LIBRARY, hashes={LIBRARY: EMPTY})) == []
    other = {LIBRARY: "sha512=AAAA"}
    assert find(checks.file_hash, wheel({OURS: ours("ab" * 32)}, LIBRARY, hashes=other)) == []
