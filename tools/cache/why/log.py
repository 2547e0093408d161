# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What an execution log says, whichever format it has: actions and the inputs of each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Input(NamedTuple):
    """One file or symbolic link that an action sees.

    Attributes:
        path: relative to the execution root; `PATH from FILE` where a runfiles tree has a file at a
            path of its own.
        content: the digest, or where a symbolic link points; empty for an empty file.
    """

    path: str
    content: str


class InputSet:
    """Inputs, made of other sets as Bazel's own are. Two sets of one pool are equal if identical.

    Attributes:
        items: numbers of the inputs in the pool.
        parts: sets whose inputs belong to this one.
        runfiles: runfiles trees by their paths, with what is in each.
    """

    __slots__ = ("items", "parts", "runfiles")

    def __init__(
        self,
        items: array[int],
        parts: tuple[InputSet, ...],
        runfiles: tuple[tuple[str, InputSet], ...],
    ) -> None:
        self.items = items
        self.parts = parts
        self.runfiles = runfiles

    def nodes(self) -> set[InputSet]:
        """This set and all that it is made of."""
        found = {self}
        waiting = [self]
        while waiting:
            for part in waiting.pop().parts:
                if part not in found:
                    found.add(part)
                    waiting.append(part)
        return found


class Pool:
    """Every input and set of both logs, each kept once."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self._numbers: dict[Input, int] = {}
        self._sets: dict[tuple[bytes, tuple[int, ...], tuple[tuple[str, int], ...]], InputSet] = {}
        self.empty = self.input_set(())

    def number(self, item: Input) -> int:
        """The number of an input."""
        number = self._numbers.setdefault(item, len(self.inputs))
        if number == len(self.inputs):
            self.inputs.append(item)
        return number

    def input_set(
        self,
        items: Iterable[int],
        parts: Iterable[InputSet] = (),
        runfiles: Iterable[tuple[str, InputSet]] = (),
    ) -> InputSet:
        """The set of these inputs; order and repetition do not matter."""
        numbers = array("I", sorted(set(items)))
        unique = {id(part): part for part in parts}
        trees = {(path, id(tree)): tree for path, tree in runfiles}
        key = (numbers.tobytes(), tuple(sorted(unique)), tuple(sorted(trees)))
        if key not in self._sets:
            paths_and_trees = tuple((path, tree) for (path, _), tree in sorted(trees.items()))
            self._sets[key] = InputSet(numbers, tuple(unique.values()), paths_and_trees)
        return self._sets[key]


@dataclass(frozen=True, slots=True)
class Action:
    """One command that Bazel ran or took from a cache: a spawn, in Bazel's words.

    Attributes:
        target: label of the target that it belongs to.
        mnemonic: its kind, such as `CppCompile`.
        arguments: its command; equal words of all actions are one object, as they fill memory.
        outputs: paths of what it may write, sorted.
        produced: what it wrote, by path; the files within a folder one by one.
        inputs: all inputs, tools among them.
        tools: those inputs that are tools.
        timeout: milliseconds, 0 for none.
        cacheable: whether any cache may keep it.
        remote_cacheable: whether a remote cache may keep it.
        remotable: whether it may run on another machine.
        runner: what ran it, such as `linux-sandbox`.
        failure: how it failed, empty for success.
        key: the digest that it has in the cache, empty where no cache was in use.
    """

    target: str
    mnemonic: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    platform: Mapping[str, str]
    outputs: tuple[str, ...]
    produced: Mapping[str, str]
    inputs: InputSet
    tools: InputSet
    timeout: int
    cacheable: bool
    remote_cacheable: bool
    remotable: bool
    cache_hit: bool
    runner: str
    failure: str
    key: str

    def __str__(self) -> str:
        return f"{self.target} ({self.mnemonic})"


@dataclass(frozen=True)
class Log:
    """An execution log.

    Attributes:
        name: the file's name, for messages.
        actions: in the order in which they are logged.
        expanded: whether runfiles trees are written out file by file, as in the binary and JSON
            formats.
        hash_function: what digests are made with, as Bazel spells it; empty if no action has any.
    """

    name: str
    actions: list[Action]
    expanded: bool
    hash_function: str
