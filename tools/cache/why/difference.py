# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What differs between the keys that one action has in two logs."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from .log import Action, InputSet, Pool
from .pairing import configurations, without_configuration


class Kind(enum.Enum):
    """A part of what the key of an action is made of."""

    PLATFORM = "platform property"
    ENVIRONMENT = "environment variable"
    CONFIGURATION = "configuration in paths"
    OUTPUT = "output path"
    ARGUMENT = "argument"
    TIMEOUT = "timeout in milliseconds"
    TOOL = "tool"
    INPUT = "input"


@dataclass(frozen=True)
class Difference:
    """One thing that differs.

    Attributes:
        kind: what it is.
        name: of the variable, the property or the file; empty where there is none.
        before: the value or digest in the first log; None if the first log lacks the thing.
        after: likewise in the second log.
    """

    kind: Kind
    name: str
    before: str | None
    after: str | None

    @property
    def is_file(self) -> bool:
        """Whether it is an input or a tool."""
        return self.kind in (Kind.INPUT, Kind.TOOL)

    @property
    def is_parameter_file(self) -> bool:
        """Whether Bazel wrote it by itself, with the words of a long command line."""
        return self.is_file and self.name.startswith("bazel-out/") and self.name.endswith(".params")


class Differ:
    """Compares actions whose inputs are in one pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._tools: dict[int, frozenset[str]] = {}

    def differences(self, before: Action, after: Action) -> list[Difference]:
        """Everything that makes two keys differ, in the order of `Kind`.

        Files come last, for they differ also where another action is the cause: sources before what
        the build made of them, parameter files at the very end. A word of the command that only
        names a file which came or went is left out.
        """
        if before.key and before.key == after.key:
            return []
        files = self._files(before, after)
        found = [
            *_mapping(Kind.PLATFORM, before.platform, after.platform),
            *_mapping(Kind.ENVIRONMENT, before.environment, after.environment),
            *_words(Kind.OUTPUT, before.outputs, after.outputs),
            *_arguments(before.arguments, after.arguments, files),
        ]
        if before.timeout != after.timeout:
            found.append(Difference(Kind.TIMEOUT, "", str(before.timeout), str(after.timeout)))
        return list(dict.fromkeys([*found, *files]))

    def _files(self, before: Action, after: Action) -> list[Difference]:
        changes = list(self._changes(before.inputs, after.inputs))
        if not changes:
            return []
        tools = self._tool_paths(before.tools) | self._tool_paths(after.tools)
        found = [
            Difference(Kind.TOOL if {path, tree} & tools else Kind.INPUT, path, old, new)
            for tree, path, old, new in changes
        ]
        return _moved(sorted(found, key=_file_order))

    def _changes(
        self, before: InputSet, after: InputSet, tree: str = ""
    ) -> Iterator[tuple[str, str, str | None, str | None]]:
        """The runfiles tree and path of each file that differs, with both contents."""
        if before is after:
            return
        left, right = before.nodes(), after.nodes()
        old, new = _items(left - right), _items(right - left)
        old, new = old - new, new - old
        if old or new:
            known = _items(left & right)
            contents_before = dict(self._pool.inputs[number] for number in old - known)
            contents_after = dict(self._pool.inputs[number] for number in new - known)
            for path in contents_before.keys() | contents_after.keys():
                yield tree, path, contents_before.get(path), contents_after.get(path)
        old_trees = {path: inner for node in left for path, inner in node.runfiles}
        new_trees = {path: inner for node in right for path, inner in node.runfiles}
        gone = {without_configuration(path): path for path in old_trees.keys() - new_trees.keys()}
        for path in new_trees.keys() - old_trees.keys():
            moved_from = gone.get(without_configuration(path))
            if moved_from in old_trees:
                yield moved_from, moved_from, "", None
                yield path, path, None, ""
                old_trees[path] = old_trees.pop(moved_from)
        for path in old_trees.keys() | new_trees.keys():
            yield from self._changes(
                old_trees.get(path, self._pool.empty),
                new_trees.get(path, self._pool.empty),
                path,
            )

    def _tool_paths(self, tools: InputSet) -> frozenset[str]:
        """The paths of tools and of tools' runfiles trees."""
        if id(tools) not in self._tools:
            nodes = tools.nodes()
            files = (self._pool.inputs[number].path for number in _items(nodes))
            trees = (path for node in nodes for path, _ in node.runfiles)
            self._tools[id(tools)] = frozenset((*files, *trees))
        return self._tools[id(tools)]


def _file_order(item: Difference) -> tuple[bool, bool, bool, str]:
    is_input = item.kind is Kind.INPUT
    return is_input, item.is_parameter_file, "bazel-out/" in item.name, item.name


def _items(nodes: Iterable[InputSet]) -> set[int]:
    return set().union(*(node.items for node in nodes))


def _mapping(
    kind: Kind, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Difference]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old != new:
            yield from _in_other_configuration(old, new) or [Difference(kind, name, old, new)]


def _words(kind: Kind, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Difference]:
    """Words that were replaced, removed or added; where there are none, those that changed places.

    No alignment: commands of ten thousands of words, most of them equal, would take minutes.
    """
    if before == after:
        return
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if gone or come:
        before, after = tuple(gone.elements()), tuple(come.elements())
    for old, new in zip_longest(before, after):
        if old != new:
            yield from _in_other_configuration(old, new) or [Difference(kind, "", old, new)]


def _arguments(
    before: tuple[str, ...], after: tuple[str, ...], files: list[Difference]
) -> Iterator[Difference]:
    """Words of the command, without those that only name a file which came or went."""
    lone = {item.name for item in files if item.before is None or item.after is None}
    for item in _words(Kind.ARGUMENT, before, after):
        if not {item.before, item.after} - {None} <= lone:
            yield item


def _in_other_configuration(old: str | None, new: str | None) -> list[Difference]:
    """The configurations that differ, if nothing else does in two texts with paths."""
    if old is None or new is None or without_configuration(old) != without_configuration(new):
        return []
    pairs = zip(configurations(old), configurations(new), strict=True)
    return [Difference(Kind.CONFIGURATION, "", *pair) for pair in pairs if pair[0] != pair[1]]


def _moved(differences: list[Difference]) -> list[Difference]:
    """The same with each file that merely moved to another configuration told as that."""
    gone = {without_configuration(item.name): item for item in differences if item.after is None}
    come = {without_configuration(item.name): item for item in differences if item.before is None}
    moved = {place for place in gone.keys() & come.keys() if gone[place].name != come[place].name}
    found: list[Difference] = []
    for item in differences:
        place = without_configuration(item.name)
        if place not in moved or item not in (gone[place], come[place]):
            found.append(item)
            continue
        old, new = gone[place], come[place]
        found += _in_other_configuration(old.name, new.name)
        if old.before != new.after:
            found.append(Difference(new.kind, new.name, old.before, new.after))
    return found
