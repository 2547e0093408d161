# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Execution logs made from text, in each format that Bazel writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import zstandard


@dataclass(frozen=True)
class Spawn:
    """An action of a log; contents are digests, or `-> TARGET` for a symbolic link.

    An output may be a folder: its files with their contents.
    """

    target: str = "//:a"
    mnemonic: str = "Run"
    arguments: tuple[str, ...] = ("run",)
    environment: Mapping[str, str] = field(default_factory=dict)
    platform: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str | Mapping[str, str]] = field(
        default_factory=lambda: {"bazel-out/k8/bin/a": "a1"}
    )
    timeout: int = 0
    cacheable: bool = True
    remote_cacheable: bool = True
    remotable: bool = True
    hit: bool = False
    status: str = ""
    exit_code: int = 0
    key: str = ""


def encoded(number: int) -> bytes:
    """A number as protocol buffers write it."""
    number &= (1 << 64) - 1
    groups = []
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A message; fields of number 0 and empty strings are written, too."""
    parts: list[bytes] = []
    for number, value in fields:
        if isinstance(value, int):
            parts += encoded(number << 3), encoded(value)
        else:
            body = value.encode() if isinstance(value, str) else value
            parts += encoded(number << 3 | 2), encoded(len(body)), body
    return b"".join(parts)


def delimited(*messages: bytes) -> bytes:
    """Messages, each behind its length."""
    return b"".join(encoded(len(item)) + item for item in messages)


def invocation(hash_function: str = "SHA-256") -> bytes:
    """The first entry of a compact log."""
    return message((2, message((1, hash_function), (2, "_main"))))


def compressed(*entries: bytes) -> bytes:
    """A compact log of these entries."""
    return zstandard.ZstdCompressor().compress(delimited(*entries))


def compact(*spawns: Spawn) -> bytes:
    """A compact log: each input once, and a set of inputs and one of tools for each action."""
    entries = [invocation()]
    ids: dict[tuple[str, str], int] = {}

    def define(path: str, content: str) -> int:
        if (path, content) not in ids:
            ids[path, content] = len(entries)
            if content.startswith("-> "):
                entry = (5, message((1, path), (2, content[3:])))
            else:
                entry = (3, message((1, path), (2, digest(content))))
            entries.append(message((1, len(entries)), entry))
        return ids[path, content]

    def output(path: str, content: str | Mapping[str, str]) -> bytes:
        if not content:
            return message((4, path))
        if isinstance(content, str):
            return message((5, define(path, content)))
        files = [(2, message((1, name), (2, digest(hash_)))) for name, hash_ in content.items()]
        entries.append(message((1, len(entries)), (4, message((1, path), *files))))
        return message((5, len(entries) - 1))

    def set_of(files: Mapping[str, str]) -> int:
        members = [(5, define(path, content)) for path, content in files.items()]
        entries.append(message((1, len(entries)), (6, message(*members))))
        return len(entries) - 1

    for spawn in spawns:
        outputs = [output(path, content) for path, content in spawn.outputs.items()]
        inputs, tools = set_of({**spawn.inputs, **spawn.tools}), set_of(spawn.tools)
        fields = [
            *((1, word) for word in spawn.arguments),
            *((2, pair) for pair in pairs(spawn.environment)),
            (3, message(*((1, pair) for pair in pairs(spawn.platform)))),
            (4, inputs),
            (5, tools),
            *((6, encoded_output) for encoded_output in outputs),
            (7, spawn.target),
            (8, spawn.mnemonic),
            (9, spawn.exit_code),
            (10, spawn.status),
            (12, spawn.hit),
            (13, spawn.remotable),
            (14, spawn.cacheable),
            (15, spawn.remote_cacheable),
            *(((16, digest(spawn.key)),) if spawn.key else ()),
            (17, spawn.timeout),
        ]
        entries.append(message((7, message(*fields))))
    return compressed(*entries)


def binary(*spawns: Spawn) -> bytes:
    """A binary log."""
    return delimited(*map(_binary_spawn, spawns))


def _binary_spawn(spawn: Spawn) -> bytes:
    def files(items: Mapping[str, str], tool: bool = False) -> Iterator[bytes]:
        for path, content in items.items():
            if content.startswith("-> "):
                yield message((1, path), (3, tool), (4, content[3:]))
            else:
                yield message((1, path), (2, digest(content, "SHA-256")), (3, tool))

    return message(
        *((1, word) for word in spawn.arguments),
        *((2, pair) for pair in pairs(spawn.environment)),
        (3, message(*((1, pair) for pair in pairs(spawn.platform)))),
        *((4, file) for file in (*files(spawn.inputs), *files(spawn.tools, True))),
        *((5, path) for path in spawn.outputs),
        (6, spawn.remotable),
        (7, spawn.cacheable),
        (8, spawn.timeout),
        (10, spawn.mnemonic),
        *((11, file) for file in files(_written(spawn))),
        (13, spawn.hit),
        (14, spawn.status),
        (15, spawn.exit_code),
        (16, spawn.remote_cacheable),
        (18, spawn.target),
        *(((19, digest(spawn.key)),) if spawn.key else ()),
    )


def json_text(*spawns: Spawn) -> bytes:
    """A JSON log, objects one after the other as Bazel writes them."""
    return "".join(json.dumps(_json_spawn(spawn), indent=2) for spawn in spawns).encode()


def _json_spawn(spawn: Spawn) -> dict[str, Any]:
    def file(path: str, content: str, tool: bool) -> dict[str, Any]:
        if content.startswith("-> "):
            return {"path": path, "symlinkTargetPath": content[3:], "isTool": tool}
        hashed = {"hash": content, "sizeBytes": "1", "hashFunctionName": "SHA-256"}
        return {"path": path, "digest": hashed, "symlinkTargetPath": "", "isTool": tool}

    def values(items: Mapping[str, str]) -> list[dict[str, str]]:
        return [{"name": name, "value": value} for name, value in items.items()]

    return {
        "commandArgs": list(spawn.arguments),
        "environmentVariables": values(spawn.environment),
        "platform": {"properties": values(spawn.platform)},
        "inputs": [
            *(file(*item, False) for item in spawn.inputs.items()),
            *(file(*item, True) for item in spawn.tools.items()),
        ],
        "listedOutputs": list(spawn.outputs),
        "remotable": spawn.remotable,
        "cacheable": spawn.cacheable,
        "timeoutMillis": str(spawn.timeout),
        "mnemonic": spawn.mnemonic,
        "actualOutputs": [file(*item, False) for item in _written(spawn).items()],
        "cacheHit": spawn.hit,
        "status": spawn.status,
        "exitCode": spawn.exit_code,
        "remoteCacheable": spawn.remote_cacheable,
        "targetLabel": spawn.target,
        **({"digest": {"hash": spawn.key}} if spawn.key else {}),
    }


def _written(spawn: Spawn) -> dict[str, str]:
    written: dict[str, str] = {}
    for path, content in spawn.outputs.items():
        if isinstance(content, str):
            written |= {path: content} if content else {}
        else:
            written |= {f"{path}/{name}": hashed for name, hashed in content.items()}
    return written


def pairs(items: Mapping[str, str]) -> Iterator[bytes]:
    """Messages of a name and a value each."""
    for name, value in items.items():
        yield message((1, name), (2, value))


def digest(content: str, hash_function: str = "") -> bytes:
    """A digest whose hash is the content itself."""
    return message((1, content), (2, 1), (3, hash_function))


FORMATS = {"compact": compact, "binary": binary, "json": json_text}
