# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The distribution of the wheel tools requires what they are tested with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools.wheel.archive.deflate import check_compressor


def requirements() -> list[Requirement]:
    lines = Path(os.environ["REQUIREMENTS"]).read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def locks() -> dict[str, dict[str, str]]:
    """By Python: the version of each locked package."""
    found = {}
    for path in map(Path, os.environ["LOCKS"].split()):
        lines = [line for line in path.read_text().splitlines() if "==" in line]
        pins = (line.split()[0] for line in lines if not line.startswith("#"))
        found[path.stem] = dict(pin.split("==") for pin in pins)
    return found


@pytest.mark.parametrize("python", locks())
def test_requirements_admit_what_is_locked(python: str) -> None:
    versions = locks()[python]
    for requirement in requirements():
        if requirement.marker is None or requirement.marker.evaluate({"python_version": python}):
            assert requirement.specifier.contains(versions[requirement.name]), requirement.name


def test_requirements_that_decide_the_result_are_exact() -> None:
    exact = {item.name for item in requirements() if str(item.specifier).startswith("==")}
    assert exact == {"auditwheel", "zlib-ng"}


def test_requirements_compressor_is_the_pinned_one() -> None:
    check_compressor()
