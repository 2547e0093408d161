# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the messages of all formats share. Numbers are those of Bazel's `spawn.proto`."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import NamedTuple

from .log import Action, InputSet
from .wire import Message


class SpawnFields(NamedTuple):
    """Numbers of the fields in which a format says about an action what others say, too."""

    arguments: int
    environment: int
    platform: int
    target: int
    mnemonic: int
    exit_code: int
    status: int
    runner: int
    cache_hit: int
    remotable: int
    cacheable: int
    remote_cacheable: int
    key: int
    timeout: int


def action(
    spawn: Message,
    numbers: SpawnFields,
    *,
    inputs: InputSet,
    tools: InputSet,
    outputs: list[str],
    produced: Mapping[str, str],
) -> Action:
    """The action that a message describes."""
    platform = spawn.message(numbers.platform)
    return Action(
        target=spawn.text(numbers.target),
        mnemonic=spawn.text(numbers.mnemonic),
        arguments=tuple(map(intern, spawn.texts(numbers.arguments))),
        environment=dict(map(pair, spawn.messages(numbers.environment))),
        platform=dict(map(pair, platform.messages(1))),
        outputs=tuple(sorted(outputs)),
        produced=produced,
        inputs=inputs,
        tools=tools,
        timeout=spawn.number(numbers.timeout),
        cacheable=bool(spawn.number(numbers.cacheable)),
        remote_cacheable=bool(spawn.number(numbers.remote_cacheable)),
        remotable=bool(spawn.number(numbers.remotable)),
        cache_hit=bool(spawn.number(numbers.cache_hit)),
        runner=spawn.text(numbers.runner),
        failure=failure(spawn.text(numbers.status), spawn.number(numbers.exit_code)),
        key=digest(spawn, numbers.key),
    )


def pair(message: Message) -> tuple[str, str]:
    """A name and a value, or a path and where it leads."""
    return message.text(1), message.text(2)


def digest(message: Message, number: int) -> str:
    """The hash in a field that is a digest."""
    return message.message(number).text(1)


def link(target: str) -> str:
    """The content of a symbolic link."""
    return f"-> {target}"


def failure(status: str, exit_code: int) -> str:
    """How an action failed; empty for success."""
    return status or (f"exit code {exit_code}" if exit_code else "")
