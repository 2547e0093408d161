# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the doctor finds, as data that prints as JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["Cuda", "Facts", "File", "Problem", "Report", "Tvm", "Versions"]


@dataclasses.dataclass(frozen=True)
class Versions:
    """Versions that matter, none of them learnt by importing the package in question."""

    tilewright: str
    metadata: str | None  # of the installed distribution, where there is one
    python: str
    executable: str
    platform: str
    glibc: str | None
    packages: dict[str, str | None]  # None: not installed


@dataclasses.dataclass(frozen=True)
class File:
    """A shared library of the package.

    A library of another release, or one that was changed, does not match RECORD. An editable
    installation and a folder that no installer filled have no RECORD that lists it.
    """

    name: str
    path: str
    problem: str | None  # what is wrong with it, such as "is missing"
    matches_record: bool | None  # whether its sha256 is RECORD's; None: none given, or a problem


@dataclasses.dataclass(frozen=True)
class Cuda:
    """CUDA, as libtilewright.so sees it after an attempt to load its kernel library."""

    report: dict[str, Any]  # `tw_cuda_report` of the C API describes it
    devices: list[dict[str, Any]]
    devices_error: str | None
    load_error: str | None


@dataclasses.dataclass(frozen=True)
class Tvm:
    """The private TVM runtime, after an attempt to load it."""

    report: dict[str, Any]  # `tw_tvm_report` of the C API describes it
    load_error: str | None


@dataclasses.dataclass(frozen=True)
class Facts:
    """What was found, unjudged. The last three are None when the extension does not load."""

    versions: Versions
    files: list[File]
    extension_error: str | None
    cpu: dict[str, Any] | None
    cuda: Cuda | None
    tvm: Tvm | None


@dataclasses.dataclass(frozen=True)
class Problem:
    """Something that should work and does not."""

    what: str
    fix: str


@dataclasses.dataclass(frozen=True)
class Report:
    """The doctor's answer."""

    facts: Facts
    problems: list[Problem]

    def to_json(self) -> dict[str, Any]:
        """A dictionary of JSON types: `ok`, `problems`, and the facts."""
        return {
            "ok": not self.problems,
            "problems": [dataclasses.asdict(problem) for problem in self.problems],
            **dataclasses.asdict(self.facts),
        }
