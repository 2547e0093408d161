# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is at the root of each miss: a difference, a reason, or an action that came before."""

from __future__ import annotations

import enum
import re
from collections.abc import Container, Hashable
from dataclasses import dataclass
from typing import NamedTuple

from .difference import Differ, Difference, Kind
from .log import Action
from .pairing import without_configuration

_RUNFILES = re.compile(r".* from |.*\.runfiles/[^/]+/")
_CONFIGURATION = re.compile(r"(bazel-out/[^/]+/bin/)?(external/[^/]+/)?")


class Reason(enum.Enum):
    """Why an action was executed although its key has no difference that the logs show."""

    NOT_IN_CACHE = "nothing differs: not in the cache, evicted or not uploaded"
    NO_CACHE = "nothing differs: no cache was in use when the second log was written"
    NOTHING_UPLOADED = "nothing differs: no cache was in use when the first log was written"
    NOT_CACHEABLE_BEFORE = "nothing differs: when the first log was written, caching it was off"
    FAILED_BEFORE = "nothing differs: it failed when the first log was written"
    UNKNOWN = "the keys differ, in nothing that a log shows"
    OTHER_BYTES = "wrote other bytes with the same key"


@dataclass(frozen=True)
class Origin:
    """What is at the root of a miss.

    Attributes:
        what: the difference or the reason.
        action: the action that wrote other bytes, where that is the reason.
    """

    what: Difference | Reason
    action: Action | None = None

    def key(self) -> Hashable:
        """Equal for what is the same to a reader: one file, whichever way actions reach it."""
        if self.action:
            return self.what, self.action.target, self.action.outputs
        if isinstance(self.what, Reason):
            return self.what
        name = self.what.name
        if self.what.is_file:
            name = _CONFIGURATION.sub("", _RUNFILES.sub("", name, count=1), count=1)
        kind = Kind.INPUT if self.what.kind is Kind.TOOL else self.what.kind
        return kind, name, self.what.before, self.what.after

    def is_clearer(self, other: Origin) -> bool:
        """Whether it names a file by its own path, and the other by one in a runfiles tree."""
        return (
            isinstance(self.what, Difference)
            and isinstance(other.what, Difference)
            and not _RUNFILES.match(self.what.name)
            and bool(_RUNFILES.match(other.what.name))
        )


class _Step(NamedTuple):
    """A step from an action to what made it miss.

    Attributes:
        origin: what it is; None where it is that of the maker.
        through: the input that differs because of another action; None if there is none.
        maker: the place of that action.
    """

    origin: Origin | None
    through: Difference | None = None
    maker: int | None = None


class Origins:
    """Follows differing inputs to the actions that made them."""

    def __init__(self, pairs: list[tuple[Action, Action]], differ: Differ, follow: bool) -> None:
        self._pairs = pairs
        self._differ = differ
        self._differences: dict[int, list[Difference]] = {}
        self._steps: dict[int, _Step] = {}
        self._makers: dict[str, int] = {}
        self._rewritten: dict[tuple[str, str], list[int]] = {}
        if follow:
            for place, (before, after) in enumerate(pairs):
                self._note_outputs(place, before, after)

    def _note_outputs(self, place: int, before: Action, after: Action) -> None:
        """Remember which files came, went or changed by an action, and which contents it replaced.

        Contents lead to the action also where the file is a link or in a runfiles tree.
        """
        gone = {without_configuration(path): path for path in before.produced}
        for path, content in after.produced.items():
            path_before = gone.pop(without_configuration(path), None)
            content_before = before.produced[path_before] if path_before else None
            if content_before == content:
                continue
            self._makers[path] = place
            if content_before and content:
                self._rewritten.setdefault((content_before, content), []).append(place)
        self._makers.update(dict.fromkeys(gone.values(), place))

    def differences(self, place: int) -> list[Difference]:
        """All differences of the pair at a place."""
        if place not in self._differences:
            self._differences[place] = self._differ.differences(*self._pairs[place])
        return self._differences[place]

    def origin(self, place: int) -> tuple[Origin, Difference | None, Action | None]:
        """What made the pair at a place differ, and the input and its maker if it was another's."""
        trail: dict[int, _Step] = {}
        at, origin = place, None
        while origin is None:
            trail[at] = step = self._steps.get(at) or self._step(at, trail)
            origin = step.origin
            if step.maker is not None:
                at = step.maker
        self._steps |= {at: step._replace(origin=origin) for at, step in trail.items()}
        _, through, maker = trail[place]
        return origin, through, None if maker is None else self._pairs[maker][1]

    def _step(self, place: int, trail: Container[int]) -> _Step:
        """The first difference that no action made, else the first of all; none leads back."""
        inherited: tuple[Difference, int] | None = None
        other_files = any(
            None in (item.before, item.after) for item in self.differences(place) if item.is_file
        )
        for difference in self.differences(place):
            if inherited and other_files and difference.is_parameter_file:
                continue  # its words name the files that came or went
            maker = self._maker(difference)
            if maker is None or maker == place or maker in trail:
                return _Step(Origin(difference))
            inherited = inherited or (difference, maker)
        if inherited is None:
            before, after = self._pairs[place]
            if _wrote_other_bytes(before, after):
                return _Step(Origin(Reason.OTHER_BYTES, after))
            return _Step(Origin(_reason(before, after)))
        difference, maker = inherited
        if self.differences(maker) or _reason(*self._pairs[maker]) is Reason.UNKNOWN:
            return _Step(None, difference, maker)
        return _Step(Origin(Reason.OTHER_BYTES, self._pairs[maker][1]), difference, maker)

    def _maker(self, difference: Difference) -> int | None:
        """The place of the action that wrote a file which differs."""
        if not difference.is_file:
            return None
        path = difference.name.rpartition(" from ")[2]
        if path in self._makers:
            return self._makers[path]
        if difference.before is None or difference.after is None:
            return None
        if not path.startswith("bazel-out/"):
            return None
        contents = difference.before, difference.after
        writers = self._rewritten.get(contents, [])
        return next((place for place in writers if not self._copied(place, contents)), None)

    def _copied(self, place: int, contents: tuple[str, str]) -> bool:
        """Whether an action has its contents from an input, so that they are not of its making."""
        return any(
            item.is_file and (item.before, item.after) == contents
            for item in self.differences(place)
        )


def _wrote_other_bytes(before: Action, after: Action) -> bool:
    """Whether an action with one key has two results; a test's differ anyway, by its duration."""
    if not before.key or before.key != after.key or before.failure or after.failure:
        return False
    return before.mnemonic != "TestRunner" and before.produced != after.produced


def _reason(before: Action, after: Action) -> Reason:
    """Why an action was executed whose key does not differ visibly."""
    if before.key and after.key and before.key != after.key:
        return Reason.UNKNOWN
    if before.failure:
        return Reason.FAILED_BEFORE
    if not after.key:
        return Reason.NO_CACHE
    if not before.cacheable:
        return Reason.NOT_CACHEABLE_BEFORE
    return Reason.NOT_IN_CACHE if before.key else Reason.NOTHING_UPLOADED
