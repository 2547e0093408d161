# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a wheel puts at the top of site-packages, which all packages of an environment share."""

from __future__ import annotations

from collections.abc import Iterator

from ...archive.names import installed_path
from ...inspection.facts import WheelFacts
from ..check import Problem, Severity, check
from ..settings import Settings

#: Folders and modules of a repository that end up in wheels by accident.
_REPOSITORY_NAMES = frozenset(
    [
        "benchmark",
        "benchmarks",
        "bin",
        "build",
        "build_backend",
        "build_utils",
        "ci",
        "cmake",
        "common",
        "conftest",
        "csrc",
        "cuda",
        "data",
        "dist",
        "doc",
        "docs",
        "example",
        "examples",
        "include",
        "lib",
        "notebooks",
        "python",
        "scripts",
        "setup",
        "src",
        "test",
        "tests",
        "third_party",
        "tool",
        "tools",
        "util",
        "utils",
    ]
)


def top_level(wheel: WheelFacts) -> dict[str, int]:
    """How many files each package and module at the top has; its metadata and `.libs` left out."""
    counts: dict[str, int] = {}
    for path in sorted(wheel.paths):
        place = installed_path(path)
        if place is None or place.parts[0] == wheel.name.dist_info:
            continue
        name = place.parts[0]
        if len(place.parts) == 1:
            name = name.partition(".")[0]
        elif name.endswith(".libs"):
            continue
        counts[name] = counts.get(name, 0) + 1
    return counts


@check(
    "top-level-generic",
    exit_code=115,
    behaviours=(),
    severity=Severity.WARNING,
    hint="leave it out of the wheel, or move it into the package: name packages one by one, or "
    "give `include` patterns where they are searched for",
)
def generic(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No folder of the repository is installed as a package, where others may bring the same."""
    for name, count in top_level(wheel).items():
        if name in _REPOSITORY_NAMES and name not in settings.top_level:
            files = "1 file" if count == 1 else f"{count} files"
            yield Problem(
                name, f"{files} at the top of site-packages under a name that is nobody's"
            )


@check(
    "top-level-undeclared",
    exit_code=116,
    behaviours=(),
    hint="leave it out of the wheel, or declare it in `top-level`",
)
def undeclared(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Where `top-level` is declared: the wheel installs these packages and modules alone."""
    if not settings.top_level:
        return
    found = top_level(wheel)
    declared = ", ".join(f"`{name}`" for name in settings.top_level)
    for name in sorted(set(found) - set(settings.top_level)):
        yield Problem(name, f"is installed at the top; declared is {declared}")
    for name in sorted(set(settings.top_level) - set(found)):
        yield Problem(name, "is declared in `top-level`, and not in the wheel")


CHECKS = (generic, undeclared)
