# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads compact logs (`--execution_log_compact_file`): entries that refer to earlier ones.

Numbers of fields are those of `ExecLogEntry` in Bazel's `src/main/protobuf/spawn.proto`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from .errors import NoExecutionLogError
from .log import Action, Input, InputSet, Log, Pool
from .spawn import SpawnFields, action, digest, link, pair
from .wire import Message, WireError

_ID = 1
_INVOCATION, _FILE, _DIRECTORY, _SYMLINK, _INPUT_SET = 2, 3, 4, 5, 6
_SPAWN, _SYMLINK_ACTION, _SYMLINK_ENTRIES, _RUNFILES = 7, 8, 9, 10
_KINDS = frozenset(range(_INVOCATION, _RUNFILES + 1))

_ITEM_IDS = (1, 2, 3, 5)
"""Fields of an input set and of an output: a field for each kind of item, or since Bazel 7.5 one
for all. Ids are of one series in both."""

_SPAWN_FIELDS = SpawnFields(
    arguments=1,
    environment=2,
    platform=3,
    target=7,
    mnemonic=8,
    exit_code=9,
    status=10,
    runner=11,
    cache_hit=12,
    remotable=13,
    cacheable=14,
    remote_cacheable=15,
    key=16,
    timeout=17,
)

_Entry = TypeVar("_Entry")


def read_compact(name: str, entries: Iterable[bytes], pool: Pool) -> Log:
    """Read the entries of a compact log.

    Args:
        name: the file's name, for messages.
        entries: the encoded entries.
        pool: where inputs go.

    Raises:
        NoExecutionLogError: the entries are of something else, or of an unknown format.
        WireError: an entry is damaged.
    """
    reader = _Reader(pool)
    hash_function = ""
    for encoded in entries:
        entry = Message(encoded)
        hash_function = hash_function or entry.message(_INVOCATION).text(1)
        if not hash_function:
            raise NoExecutionLogError(
                f"`{name}` is compressed, and what is in it is no execution log",
                hint="name a file that Bazel wrote for --execution_log_compact_file",
            )
        unknown = entry.field_numbers() - {_ID} - _KINDS
        if unknown:
            raise NoExecutionLogError(
                f"`{name}` has an entry of kind {min(unknown)}, which Bazel 7.7 does not write",
                hint="write the log with Bazel 7.4 to 7.7, or for --execution_log_binary_file",
            )
        reader.add(entry)
    return Log(name, reader.actions, False, hash_function)


class _Reader:
    """Keeps what later entries refer to."""

    def __init__(self, pool: Pool) -> None:
        self.actions: list[Action] = []
        self._pool = pool
        self._items: dict[int, tuple[str, list[Input]]] = {}
        self._sets: dict[int, InputSet] = {0: pool.empty}
        self._links: dict[int, InputSet] = {0: pool.empty}
        self._runfiles: dict[int, tuple[str, InputSet]] = {}

    def add(self, entry: Message) -> None:
        """Take in one entry."""
        number = entry.number(_ID)
        if _FILE in entry:
            item = _file(entry.message(_FILE))
            self._items[number] = (item.path, [item])
        elif _DIRECTORY in entry:
            self._items[number] = _directory(entry.message(_DIRECTORY))
        elif _SYMLINK in entry:
            path, target = pair(entry.message(_SYMLINK))
            self._items[number] = (path, [Input(path, link(target))])
        elif _INPUT_SET in entry:
            self._sets[number] = self._input_set(entry.message(_INPUT_SET))
        elif _SYMLINK_ENTRIES in entry:
            self._links[number] = self._symlink_entries(entry.message(_SYMLINK_ENTRIES))
        elif _RUNFILES in entry:
            self._runfiles[number] = self._runfiles_tree(entry.message(_RUNFILES))
        elif _SPAWN in entry:
            self.actions.append(self._action(entry.message(_SPAWN)))

    def _input_set(self, message: Message) -> InputSet:
        items: list[int] = []
        runfiles: list[tuple[str, InputSet]] = []
        for number in _item_ids(message):
            if number in self._runfiles:
                runfiles.append(self._runfiles[number])
            else:
                items += map(self._pool.number, _referred(self._items, number)[1])
        parts = [_referred(self._sets, number) for number in message.numbers(4)]
        return self._pool.input_set(items, parts, runfiles)

    def _symlink_entries(self, message: Message) -> InputSet:
        """Files that a runfiles tree has at other paths than their own."""
        items: list[int] = []
        for entry in message.messages(1):
            for item in _referred(self._items, entry.number(2))[1]:
                renamed = Input(f"{entry.text(1)} from {item.path}", item.content)
                items.append(self._pool.number(renamed))
        parts = [_referred(self._links, number) for number in message.numbers(2)]
        return self._pool.input_set(items, parts)

    def _runfiles_tree(self, message: Message) -> tuple[str, InputSet]:
        own = [Input(path, "") for path in message.texts(5)]
        own += [Input("_repo_mapping", digest(mapping, 2)) for mapping in message.messages(6)]
        if message.number(7):
            own.append(Input("(--legacy_external_runfiles)", ""))
        parts = [
            _referred(self._sets, message.number(2)),
            _referred(self._links, message.number(3)),
            _referred(self._links, message.number(4)),
        ]
        return message.text(1), self._pool.input_set(map(self._pool.number, own), parts)

    def _action(self, spawn: Message) -> Action:
        outputs: list[str] = []
        produced: dict[str, str] = {}
        for output in spawn.messages(6):
            outputs += output.texts(4)
            for number in _item_ids(output):
                path, files = _referred(self._items, number)
                outputs.append(path)
                produced.update(files)
        return action(
            spawn,
            _SPAWN_FIELDS,
            inputs=_referred(self._sets, spawn.number(4)),
            tools=_referred(self._sets, spawn.number(5)),
            outputs=outputs,
            produced=produced,
        )


def _item_ids(message: Message) -> list[int]:
    return [number for field in _ITEM_IDS for number in message.numbers(field)]


def _referred(entries: Mapping[int, _Entry], number: int) -> _Entry:
    if number not in entries:
        raise WireError(f"an entry refers to entry {number}, which does not stand before it")
    return entries[number]


def _file(message: Message) -> Input:
    return Input(message.text(1), digest(message, 2))


def _directory(message: Message) -> tuple[str, list[Input]]:
    """A directory's path and its files; one without files is an input by itself."""
    root = message.text(1)
    files = [Input(f"{root}/{path}", content) for path, content in map(_file, message.messages(2))]
    return root, files or [Input(root, "")]
