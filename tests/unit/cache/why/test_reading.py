# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Logs of each format against what is read from them; files that are none."""

import sys
from pathlib import Path

import pytest
import zstandard

from tests.unit.cache.why.tiny_log import (
    FORMATS,
    Spawn,
    binary,
    compact,
    compressed,
    delimited,
    invocation,
    json_text,
    message,
)
from tools.cache.why.errors import (
    DecompressorError,
    LogError,
    NoExecutionLogError,
    TruncatedLogError,
    UnreadableFileError,
)
from tools.cache.why.log import Input, Log, Pool
from tools.cache.why.reading import read_log

SPAWN = Spawn(
    arguments=("cc", "-O2"),
    environment={"PATH": "/bin"},
    platform={"image": "one"},
    inputs={"a.c": "c1", "link": "-> a.c"},
    tools={"cc": "t1"},
    outputs={"a.o": "o1", "missing": ""},
    timeout=60000,
    status="NON_ZERO_EXIT",
    exit_code=1,
    key="k1",
)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "log"
    path.write_bytes(content)
    return path


def read(folder: Path, content: bytes) -> tuple[Log, Pool]:
    pool = Pool()
    return read_log(written(folder, content), pool), pool


def failure(folder: Path, content: bytes) -> str:
    with pytest.raises(LogError) as caught:
        read(folder, content)
    return str(caught.value).replace(str(folder), "FOLDER")


@pytest.mark.parametrize("name", FORMATS)
def test_read_log_of_each_format_gives_all_of_an_action(tmp_path: Path, name: str) -> None:
    log, pool = read(tmp_path, FORMATS[name](SPAWN))
    (action,) = log.actions
    assert (action.target, action.mnemonic, action.arguments) == ("//:a", "Run", ("cc", "-O2"))
    assert (action.environment, action.platform) == ({"PATH": "/bin"}, {"image": "one"})
    assert {pool.inputs[number] for number in action.inputs.items} == {
        Input("a.c", "c1"),
        Input("cc", "t1"),
        Input("link", "-> a.c"),
    }
    assert [pool.inputs[number] for number in action.tools.items] == [Input("cc", "t1")]
    assert (action.outputs, action.produced) == (("a.o", "missing"), {"a.o": "o1"})
    assert (action.timeout, action.failure, action.key) == (60000, "NON_ZERO_EXIT", "k1")
    assert (action.cacheable, action.remote_cacheable, action.remotable) == (True, True, True)
    assert not action.cache_hit
    assert log.hash_function == "SHA-256"
    assert log.expanded == (name != "compact")


@pytest.mark.parametrize("name", FORMATS)
def test_read_log_with_one_pool_gives_equal_sets_once(tmp_path: Path, name: str) -> None:
    pool = Pool()
    path = written(tmp_path, FORMATS[name](SPAWN))
    first, second = read_log(path, pool), read_log(path, pool)
    assert first.actions[0].inputs is second.actions[0].inputs


@pytest.mark.parametrize("name", FORMATS)
def test_read_log_keeps_equal_words_of_commands_once(tmp_path: Path, name: str) -> None:
    log, _ = read(tmp_path, FORMATS[name](SPAWN, SPAWN))
    one, other = (action.arguments[1] for action in log.actions)
    assert one == "-O2"
    assert one is other


def test_read_log_of_json_larger_than_the_buffer_gives_every_action(tmp_path: Path) -> None:
    spawns = [Spawn(target=f"//:{number}", arguments=("x" * 900_000,)) for number in range(4)]
    log, _ = read(tmp_path, json_text(*spawns))
    assert [action.target for action in log.actions] == ["//:0", "//:1", "//:2", "//:3"]


def test_read_log_of_several_compressed_frames_is_one_log(tmp_path: Path) -> None:
    frames = [zstandard.compress(delimited(invocation())), zstandard.compress(b"")]
    assert read(tmp_path, b"".join(frames))[0].actions == []


def test_read_log_of_bazel_before_ids_of_one_kind_gives_the_same(tmp_path: Path) -> None:
    spawn = message((1, "run"), (4, 5), (6, message((1, 2))), (6, message((2, 3))), (8, "Run"))
    entries = [
        message((1, 1), (3, message((1, "a.c"), (2, message((1, "c1")))))),
        message((1, 2), (3, message((1, "a.o"), (2, message((1, "o1")))))),
        message((1, 3), (4, message((1, "tree"), (2, message((1, "x")))))),
        message((1, 4), (5, message((1, "link"), (2, "a.c")))),
        message((1, 5), (6, message((1, 1), (2, 3), (3, b"\x04")))),
        message((7, spawn)),
    ]
    log, pool = read(tmp_path, compressed(invocation(), *entries))
    (action,) = log.actions
    assert {pool.inputs[number].path for number in action.inputs.items} == {
        "a.c",
        "tree/x",
        "link",
    }
    assert action.outputs == ("a.o", "tree")
    assert action.produced == {"a.o": "o1", "tree/x": ""}


def test_read_log_of_nested_sets_gives_the_inputs_of_all(tmp_path: Path) -> None:
    entries = [
        message((1, 1), (3, message((1, "a")))),
        message((1, 2), (3, message((1, "b")))),
        message((1, 3), (6, message((5, 1)))),
        message((1, 4), (6, message((5, 2), (4, 3)))),
        message((7, message((1, "run"), (4, 4), (8, "Run")))),
    ]
    log, pool = read(tmp_path, compressed(invocation(), *entries))
    nodes = log.actions[0].inputs.nodes()
    assert sorted(pool.inputs[number].path for node in nodes for number in node.items) == [
        "a",
        "b",
    ]


def test_read_log_of_runfiles_gives_what_is_in_the_tree(tmp_path: Path) -> None:
    entry = message((1, "renamed"), (2, 1))
    tree = message(
        (1, "a.runfiles"),
        (2, 2),
        (3, 3),
        (5, "pkg/__init__.py"),
        (6, message((2, message((1, "m1"))))),
        (7, 1),
    )
    entries = [
        message((1, 1), (3, message((1, "a"), (2, message((1, "a1")))))),
        message((1, 2), (6, message((5, 1)))),
        message((1, 3), (9, message((1, entry)))),
        message((1, 4), (10, tree)),
        message((1, 5), (6, message((5, 4)))),
        message((7, message((1, "run"), (4, 5), (8, "Run")))),
        message((8, message((1, "a"), (2, "b")))),
    ]
    log, pool = read(tmp_path, compressed(invocation(), *entries))
    ((path, inner),) = log.actions[0].inputs.runfiles
    assert path == "a.runfiles"
    assert {pool.inputs[number] for node in inner.nodes() for number in node.items} == {
        Input("a", "a1"),
        Input("renamed from a", "a1"),
        Input("pkg/__init__.py", ""),
        Input("_repo_mapping", "m1"),
        Input("(--legacy_external_runfiles)", ""),
    }


def test_read_log_of_an_absent_file_names_it_and_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError) as caught:
        read_log(tmp_path / "absent", Pool())
    assert str(caught.value) == (
        f"`{tmp_path}/absent` cannot be read: No such file or directory\n"
        "hint: check the path; a path that is not absolute counts from the current folder"
    )
    assert caught.value.exit_code == 3


def test_read_log_of_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="cannot be read: Is a directory"):
        read_log(tmp_path, Pool())


def test_read_log_of_an_empty_file_says_what_may_have_happened(tmp_path: Path) -> None:
    assert failure(tmp_path, b"") == (
        "`FOLDER/log` has no actions: Bazel was killed, or ran none\n"
        "hint: actions that the local action cache answers are not logged: run `bazel clean` "
        "before the build that writes the log"
    )


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.99])
def test_read_log_that_ends_early_is_truncated(tmp_path: Path, name: str, kept: float) -> None:
    whole = FORMATS[name](*(Spawn(target=f"//:{number}") for number in range(20)))
    with pytest.raises(TruncatedLogError) as caught:
        read(tmp_path, whole[: int(len(whole) * kept)])
    assert caught.value.exit_code == 5


def test_read_log_that_ends_between_compressed_blocks_is_truncated(tmp_path: Path) -> None:
    compressor = zstandard.ZstdCompressor().compressobj()
    begun = compressor.compress(delimited(invocation()))
    begun += compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    assert failure(tmp_path, begun) == (
        "`FOLDER/log` ends too early: Bazel was killed, or the copy is not complete\n"
        "hint: copy it anew, or write the log anew and let Bazel come to its end"
    )


def test_read_log_of_json_that_ends_early_says_so(tmp_path: Path) -> None:
    assert failure(tmp_path, json_text(SPAWN)[:-2]) == (
        "`FOLDER/log` ends within an action, or is damaged there\n"
        "hint: Bazel completes it unless it is killed: write the log anew"
    )


@pytest.mark.parametrize(
    "content",
    [
        b"hello, this is a text\n",
        b"\x7fELF" + bytes(60),
        b"\x1f\x8b\x08" + bytes(60),
        b'{"id": {"started": {}}, "children": []}\n',
        b'{"mnemonic": "Run", "commandArgs": ["a"], "inputs": 5}',
        b'{"mnemonic": "Run", "commandArgs": [1]}',
        b'{"mnemonic": "Run", "commandArgs": "a"}',
        b'{"mnemonic": "Run", "commandArgs": ["a"], "listedOutputs": [1]}',
        b'{"mnemonic": "Run", "commandArgs": ["a"], "environmentVariables": [{"name": 1}]}',
        b'{"mnemonic": "Run", "commandArgs": ["a"], "platform": []}',
        b'{"mnemonic": ' + b"[" * 100_000,
        delimited(message((1, "something"), (3, "else"))),
        delimited(message((1, 5))),
    ],
    ids=[
        "text",
        "elf",
        "gzip",
        "events",
        "no list of inputs",
        "no text in a command",
        "no list of words",
        "no text as an output",
        "no text as a name",
        "no object as a platform",
        "nested too deeply",
        "other message",
        "number first",
    ],
)
def test_read_log_of_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(NoExecutionLogError, match="is no execution log") as caught:
        read(tmp_path, content)
    assert caught.value.exit_code == 4
    assert "--execution_log_compact_file" in caught.value.hint


def test_read_log_of_other_compressed_messages_is_refused(tmp_path: Path) -> None:
    assert failure(tmp_path, compressed(message((1, "an execution graph")))) == (
        "`FOLDER/log` is compressed, and what is in it is no execution log\n"
        "hint: name a file that Bazel wrote for --execution_log_compact_file"
    )


def test_read_log_with_an_entry_of_a_later_bazel_is_refused(tmp_path: Path) -> None:
    content = compressed(invocation(), message((1, 1), (11, message((1, "new")))))
    assert failure(tmp_path, content) == (
        "`FOLDER/log` has an entry of kind 11, which Bazel 7.7 does not write\n"
        "hint: write the log with Bazel 7.4 to 7.7, or for --execution_log_binary_file"
    )


def test_read_log_with_a_reference_to_nothing_is_refused(tmp_path: Path) -> None:
    spawn = message((1, "run"), (4, 9), (8, "Run"))
    assert failure(tmp_path, compressed(invocation(), message((7, spawn)))) == (
        "`FOLDER/log` is no execution log, or is damaged: an entry refers to entry 9, which does "
        "not stand before it\n"
        "hint: name a file that Bazel wrote for --execution_log_compact_file, "
        "--execution_log_binary_file or --execution_log_json_file"
    )


def test_read_log_with_damaged_compression_is_refused(tmp_path: Path) -> None:
    whole = bytearray(compact(*(Spawn(target=f"//:{number}") for number in range(200))))
    whole[8:40] = bytes(32)
    with pytest.raises(NoExecutionLogError, match="is damaged"):
        read(tmp_path, bytes(whole))


def test_read_log_of_a_compact_log_without_the_package_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, compact(SPAWN))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(DecompressorError) as caught:
        read_log(path, Pool())
    assert str(caught.value) == (
        f"`{path}` is compressed, and the package `zstandard` is not there to read it\n"
        "hint: use `bazel run //tools/cache/why`, or `pip install zstandard`"
    )


def test_read_log_of_the_other_formats_needs_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    for content in (binary(SPAWN), json_text(SPAWN)):
        assert len(read(tmp_path, content)[0].actions) == 1
