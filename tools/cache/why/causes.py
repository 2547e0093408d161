# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Why each action was executed, and which of them only followed from others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from .difference import Differ, Difference
from .log import Action, Log, Pool
from .origins import Origin, Origins
from .pairing import pair_actions


@dataclass(frozen=True)
class Miss:
    """An action that was executed although the first log has it.

    Attributes:
        action: as it is in the second log.
        differences: everything in which its key differs.
        through: the input that differs because of another action; None if it missed by itself.
        made_by: that action.
    """

    action: Action
    differences: list[Difference]
    through: Difference | None = None
    made_by: Action | None = None


@dataclass
class Cause:
    """One cause of misses.

    Attributes:
        origin: what it is.
        direct: actions whose own keys differ by it.
        consequences: actions with an input that differs because of these.
    """

    origin: Origin
    direct: list[Miss] = field(default_factory=list)
    consequences: list[Miss] = field(default_factory=list)

    @property
    def misses(self) -> int:
        """How many actions missed by it."""
        return len(self.direct) + len(self.consequences)


@dataclass(frozen=True)
class Comparison:
    """Everything there is to say about two logs.

    Attributes:
        actions: how many the second log has.
        hits: how many of them came from a cache.
        causes: of the misses, the one with the most first.
        not_cacheable: executed because no cache may keep them, with the reason.
        only_first: in the first log alone.
        only_second: executed, and in the second log alone.
    """

    actions: int
    hits: int
    causes: list[Cause]
    not_cacheable: list[tuple[Action, str]]
    only_first: list[Action]
    only_second: list[Action]

    @property
    def missed(self) -> int:
        """How many actions missed."""
        return sum(cause.misses for cause in self.causes)


def compare(
    first: Log,
    second: Log,
    pool: Pool,
    *,
    roots: bool = True,
    wanted: Callable[[Action], bool] = lambda _: True,
) -> Comparison:
    """Compare two logs.

    Args:
        first: of the build that filled the cache.
        second: of the build that missed.
        pool: that both were read with.
        roots: whether a miss that follows from another action counts to that one's cause.
        wanted: which actions to tell about.
    """
    pairing = pair_actions(first.actions, second.actions)
    origins = Origins(pairing.both, Differ(pool), follow=roots)
    causes: dict[Hashable, Cause] = {}
    not_cacheable: list[tuple[Action, str]] = []
    for place, (_, action) in enumerate(pairing.both):
        if action.cache_hit or not wanted(action):
            continue
        differences = origins.differences(place)
        why = _why_not_cacheable(action)
        if why and (not action.cacheable or not differences):
            not_cacheable.append((action, why))
            continue
        origin, through, made_by = origins.origin(place)
        cause = causes.setdefault(origin.key(), Cause(origin))
        if origin.is_clearer(cause.origin):
            cause.origin = origin
        miss = Miss(action, differences, through, made_by)
        (cause.consequences if through else cause.direct).append(miss)
    reported = [action for action in second.actions if wanted(action)]
    return Comparison(
        actions=len(reported),
        hits=sum(action.cache_hit for action in reported),
        causes=sorted(causes.values(), key=lambda cause: -cause.misses),
        not_cacheable=not_cacheable,
        only_first=[action for action in pairing.only_first if wanted(action)],
        only_second=[
            action for action in pairing.only_second if wanted(action) and not action.cache_hit
        ],
    )


def _why_not_cacheable(action: Action) -> str:
    """Why a cache may not keep an action, as tags or execution requirements; empty if it may."""
    if not action.cacheable:
        tags = "tagged `no-cache`" if action.remotable else "tagged `local`"
        if action.mnemonic == "TestRunner":
            tags += " or `external`, or built with --nocache_test_results"
        return f"no cache may keep it: {tags}"
    if not action.remote_cacheable:
        tag = "no-remote-cache" if action.remotable else "no-remote"
        return f"only a disk cache may keep it: tagged `{tag}`"
    return ""
