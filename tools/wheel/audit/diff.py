# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What changed between two wheels of a project in the libraries that their files reach."""

from __future__ import annotations

from dataclasses import dataclass

from ..inspection.facts import WheelFacts
from ..providers.families import original_name
from .needs import Means, Need, needs
from .settings import Settings

_OWN = "in the wheel"
_PLATFORM = "on every machine of the platform"


@dataclass(frozen=True)
class Change:
    """One library that only one of two wheels reaches, or that they get from different places."""

    library: str
    #: How each gets it, for people; "" for not at all.
    before: str
    after: str
    #: From a file of the wheel that reaches it; of the new one, where that does.
    chain: tuple[str, ...]

    @property
    def is_new(self) -> bool:
        """Whether the new wheel gets it from outside and the old one did not, or from elsewhere."""
        return self.after not in ("", _OWN, _PLATFORM)


def compare(old: WheelFacts, new: WheelFacts, settings: Settings) -> tuple[Change, ...]:
    """Every change, by library.

    Args:
        old: the wheel of an earlier build.
        new: that of a later one.
        settings: what the project declares.
    """
    before = _reached(old, settings)
    after = _reached(new, settings)
    changes = []
    for library in sorted({*before, *after}):
        was, now = _place(before.get(library)), _place(after.get(library))
        if was != now:
            chain = (after.get(library) or before[library]).chain
            changes.append(Change(library, was, now, chain))
    return tuple(changes)


def _reached(wheel: WheelFacts, settings: Settings) -> dict[str, Need]:
    """One need of every library, under the name that it had before it was copied into the wheel."""
    reached: dict[str, Need] = {}
    for need in needs(wheel, settings):
        reached.setdefault(original_name(need.library), need)
    return reached


def _place(need: Need | None) -> str:
    if need is None:
        return ""
    if need.means is Means.BUNDLED:
        return "copied into the wheel" if original_name(need.provider) != _file(need) else _OWN
    return {
        Means.PLATFORM: _PLATFORM,
        Means.DRIVER: "from the driver",
        Means.REQUIRED: f"from `{need.provider}`",
        Means.EXTERNAL: "declared as external",
        Means.ELSEWHERE: f"from `{need.provider}/`",
    }.get(need.means, "from nowhere known")


def _file(need: Need) -> str:
    return need.provider.rpartition("/")[2]
