# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads logs that repeat every input of every action: the binary and the JSON format.

Numbers of fields are those of `SpawnExec` in Bazel's `src/main/protobuf/spawn.proto`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from sys import intern
from typing import Any, TextIO

from .errors import NoExecutionLogError, TruncatedLogError
from .log import Action, Input, Log, Pool
from .spawn import SpawnFields, action, digest, failure, link
from .wire import Message

_INPUTS, _OUTPUTS, _PRODUCED = 4, 5, 11

_SPAWN_FIELDS = SpawnFields(
    arguments=1,
    environment=2,
    platform=3,
    target=18,
    mnemonic=10,
    exit_code=15,
    status=14,
    runner=12,
    cache_hit=13,
    remotable=6,
    cacheable=7,
    remote_cacheable=16,
    key=19,
    timeout=8,
)

_CHUNK = 1 << 20


def read_binary(name: str, spawns: Iterable[bytes], pool: Pool) -> Log:
    """Read the messages of a binary log (`--execution_log_binary_file`).

    Args:
        name: the file's name, for messages.
        spawns: the encoded messages.
        pool: where inputs go.

    Raises:
        NoExecutionLogError: the messages are of something else.
        WireError: a message is damaged.
    """
    files = _EncodedFiles(pool)
    actions: list[Action] = []
    for encoded in spawns:
        spawn = Message(encoded)
        numbers, tools = files.numbers(spawn.bytes_of(_INPUTS))
        found = action(
            spawn,
            _SPAWN_FIELDS,
            inputs=pool.input_set(numbers),
            tools=pool.input_set(tools),
            outputs=spawn.texts(_OUTPUTS),
            produced=dict(map(_file, spawn.messages(_PRODUCED))),
        )
        actions.append(_checked(name, found))
    return Log(name, actions, True, files.hash_function)


class _EncodedFiles:
    """Numbers of inputs by their encoding: most are those of another action, too."""

    def __init__(self, pool: Pool) -> None:
        self.hash_function = ""
        self._pool = pool
        self._known: dict[bytes, tuple[int, bool]] = {}

    def numbers(self, encoded: Iterable[bytes]) -> tuple[list[int], list[int]]:
        """The numbers of some inputs, and those of the tools among them."""
        everything: list[int] = []
        tools: list[int] = []
        for item in encoded:
            known = self._known.get(item)
            if known is None:
                file = Message(item)
                self.hash_function = self.hash_function or file.message(2).text(3)
                known = self._pool.number(_file(file)), bool(file.number(3))
                self._known[item] = known
            everything.append(known[0])
            if known[1]:
                tools.append(known[0])
        return everything, tools


def _file(message: Message) -> Input:
    target = message.text(4)
    return Input(message.text(1), link(target) if target else digest(message, 2))


def read_json(name: str, stream: TextIO, pool: Pool) -> Log:
    """Read a JSON log (`--execution_log_json_file`).

    Args:
        name: the file's name, for messages.
        stream: the text: objects one after the other.
        pool: where inputs go.

    Raises:
        NoExecutionLogError: the text is something else.
        TruncatedLogError: it ends within an object.
    """
    actions: list[Action] = []
    hash_function = ""
    for spawn in _objects(name, stream):
        try:
            for file in _list(spawn, "inputs"):
                hash_function = hash_function or _text(_object(file, "digest"), "hashFunctionName")
            found = _json_action(spawn, pool)
        except (AttributeError, TypeError, ValueError):
            raise _no_log(name) from None
        actions.append(_checked(name, found))
    return Log(name, actions, True, hash_function)


def _json_action(spawn: Mapping[str, Any], pool: Pool) -> Action:
    inputs = _list(spawn, "inputs")
    tools = [file for file in inputs if file.get("isTool")]
    return Action(
        target=_text(spawn, "targetLabel"),
        mnemonic=_text(spawn, "mnemonic"),
        arguments=tuple(intern(_checked_text(word)) for word in _list(spawn, "commandArgs")),
        environment=dict(map(_json_pair, _list(spawn, "environmentVariables"))),
        platform=dict(map(_json_pair, _list(_object(spawn, "platform"), "properties"))),
        outputs=tuple(sorted(map(_checked_text, _list(spawn, "listedOutputs")))),
        produced=dict(map(_json_file, _list(spawn, "actualOutputs"))),
        inputs=pool.input_set(pool.number(_json_file(file)) for file in inputs),
        tools=pool.input_set(pool.number(_json_file(file)) for file in tools),
        timeout=int(spawn.get("timeoutMillis", 0)),
        cacheable=bool(spawn.get("cacheable")),
        remote_cacheable=bool(spawn.get("remoteCacheable")),
        remotable=bool(spawn.get("remotable")),
        cache_hit=bool(spawn.get("cacheHit")),
        runner=_text(spawn, "runner"),
        failure=failure(_text(spawn, "status"), int(spawn.get("exitCode", 0))),
        key=_text(_object(spawn, "digest"), "hash"),
    )


def _json_pair(pair: Mapping[str, Any]) -> tuple[str, str]:
    return _text(pair, "name"), _text(pair, "value")


def _json_file(file: Mapping[str, Any]) -> Input:
    target = _text(file, "symlinkTargetPath")
    return Input(
        _text(file, "path"), link(target) if target else _text(_object(file, "digest"), "hash")
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    return _checked_text(fields.get(name, ""))


def _checked_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _list(fields: Mapping[str, Any], name: str) -> list[Any]:
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _object(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name, {})
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _objects(name: str, stream: TextIO) -> Iterator[dict[str, Any]]:
    """The objects of a text in which they stand one after the other."""
    decoder = json.JSONDecoder()
    buffer, at, wanted = "", 0, _CHUNK
    while chunk := stream.read(wanted):
        buffer, at = buffer[at:] + chunk, 0
        while (at := _next_object(buffer, at)) < len(buffer):
            try:
                value, at = decoder.raw_decode(buffer, at)
            except json.JSONDecodeError:
                break
            except (RecursionError, ValueError):
                raise _no_log(name) from None
            if not isinstance(value, dict):
                raise _no_log(name)
            yield value
        wanted = max(_CHUNK, len(buffer) - at)
    if at < len(buffer):
        raise TruncatedLogError(
            f"`{name}` ends within an action, or is damaged there",
            hint="Bazel completes it unless it is killed: write the log anew",
        )


def _next_object(buffer: str, at: int) -> int:
    while at < len(buffer) and buffer[at].isspace():
        at += 1
    return at


def _checked(name: str, found: Action) -> Action:
    """An action, if the message was one: every action has a mnemonic and a command."""
    if not found.mnemonic or not found.arguments:
        raise _no_log(name)
    return found


def _no_log(name: str) -> NoExecutionLogError:
    return NoExecutionLogError(
        f"`{name}` is no execution log",
        hint="name a file that Bazel wrote for --execution_log_compact_file, "
        "--execution_log_binary_file or --execution_log_json_file",
    )
