# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds each action of one log in another."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from .log import Action

_CONFIGURATION = re.compile(r"bazel-out/([^/\s]+)")


@dataclass(frozen=True)
class Pairing:
    """The actions of two logs.

    Attributes:
        both: the same action in the first and in the second log, in the order of the second.
        only_first: actions of the first log that the second does not have.
        only_second: actions of the second log that the first does not have.
    """

    both: list[tuple[Action, Action]]
    only_first: list[Action]
    only_second: list[Action]


def configurations(text: str) -> list[str]:
    """The configurations in the paths of a text, such as `k8-fastbuild`."""
    return _CONFIGURATION.findall(text)


def without_configuration(text: str) -> str:
    """The text with the same word for every configuration, and another for tools' ones."""
    return _CONFIGURATION.sub(
        lambda match: "bazel-out/exec" if "-exec" in match[1] else "bazel-out/target", text
    )


def pair_actions(first: Sequence[Action], second: Sequence[Action]) -> Pairing:
    """Pair actions by target, mnemonic and outputs.

    What remains is paired by outputs without their configuration; then by target and mnemonic
    alone, where no more than one of them remains on each side. Of an action that was tried several
    times, such as a flaky test, the last attempts are a pair, for those before them failed.
    """
    order = {id(action): place for place, action in enumerate(second)}
    both: list[tuple[Action, Action]] = []
    left, right = list(first), list(second)
    for identity, only_unique in ((_outputs, False), (_outputs_anywhere, False), (_kind, True)):
        pairs = _pair(left, right, identity, only_unique)
        both += pairs
        paired = {id(action) for pair in pairs for action in pair}
        left = [action for action in left if id(action) not in paired]
        right = [action for action in right if id(action) not in paired]
    both.sort(key=lambda pair: order[id(pair[1])])
    return Pairing(both, left, right)


def _pair(
    left: Sequence[Action],
    right: Sequence[Action],
    identity: Callable[[Action], Hashable],
    only_unique: bool,
) -> list[tuple[Action, Action]]:
    candidates: dict[Hashable, tuple[list[Action], list[Action]]] = {}
    for side, actions in enumerate((left, right)):
        for action in actions:
            candidates.setdefault(identity(action), ([], []))[side].append(action)
    return [
        pair
        for befores, afters in candidates.values()
        if not only_unique or len(befores) == len(afters) == 1
        for pair in zip(reversed(befores), reversed(afters), strict=False)
    ]


def _outputs(action: Action) -> Hashable:
    return action.target, action.mnemonic, action.outputs


def _outputs_anywhere(action: Action) -> Hashable:
    outputs = tuple(without_configuration(path) for path in action.outputs)
    return action.target, action.mnemonic, outputs


def _kind(action: Action) -> Hashable:
    return action.target, action.mnemonic
