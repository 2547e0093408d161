# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two builds of an action against the differences that are found in it."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cache.why.tiny_comparison import compared, compared_bytes
from tests.unit.cache.why.tiny_log import FORMATS, Spawn, compressed, invocation, message
from tools.cache.why.difference import Difference, Kind

SPAWN = Spawn(
    arguments=("cc", "-O2", "a.c"),
    environment={"PATH": "/bin"},
    platform={"image": "one"},
    inputs={"a.c": "c1"},
    tools={"cc": "t1"},
    key="k1",
)


@pytest.fixture(params=FORMATS)
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def differences(folder: Path, form: str, after: Spawn) -> list[Difference]:
    (cause,) = compared(folder, form, [SPAWN], [replace(after, key="k2")]).causes
    (miss,) = cause.direct
    assert cause.origin.what == miss.differences[0]
    return miss.differences


def test_compare_long_commands_with_repeated_words_takes_no_time(tmp_path: Path) -> None:
    def build(*more: str) -> Spawn:
        words = (word for number in range(20_000) for word in ("-isystem", f"include{number}"))
        return Spawn(arguments=(*more, *words, *more))

    started = time.process_time()
    (cause,) = compared(tmp_path, "compact", [build()], [build("-g", "-v")]).causes
    assert time.process_time() - started < 5
    assert [item.after for item in cause.direct[0].differences] == ["-g", "-v"]


CHANGES: Mapping[str, tuple[Spawn, Difference]] = {
    "platform": (
        replace(SPAWN, platform={"image": "two"}),
        Difference(Kind.PLATFORM, "image", "one", "two"),
    ),
    "environment": (
        replace(SPAWN, environment={"PATH": "/usr/bin"}),
        Difference(Kind.ENVIRONMENT, "PATH", "/bin", "/usr/bin"),
    ),
    "environment added": (
        replace(SPAWN, environment={"PATH": "/bin", "LANG": "C"}),
        Difference(Kind.ENVIRONMENT, "LANG", None, "C"),
    ),
    "environment removed": (
        replace(SPAWN, environment={}),
        Difference(Kind.ENVIRONMENT, "PATH", "/bin", None),
    ),
    "argument": (
        replace(SPAWN, arguments=("cc", "-O3", "a.c")),
        Difference(Kind.ARGUMENT, "", "-O2", "-O3"),
    ),
    "argument added": (
        replace(SPAWN, arguments=("cc", "-O2", "-g", "a.c")),
        Difference(Kind.ARGUMENT, "", None, "-g"),
    ),
    "argument removed": (
        replace(SPAWN, arguments=("cc", "a.c")),
        Difference(Kind.ARGUMENT, "", "-O2", None),
    ),
    "output": (
        replace(SPAWN, outputs={"bazel-out/k8/bin/b": "a1"}),
        Difference(Kind.OUTPUT, "", "bazel-out/k8/bin/a", "bazel-out/k8/bin/b"),
    ),
    "configuration": (
        replace(SPAWN, outputs={"bazel-out/k8-opt/bin/a": "a1"}),
        Difference(Kind.CONFIGURATION, "", "k8", "k8-opt"),
    ),
    "argument that names an added input": (
        replace(SPAWN, arguments=("cc", "-O2", "a.c", "b.c"), inputs={"a.c": "c1", "b.c": "c2"}),
        Difference(Kind.INPUT, "b.c", None, "c2"),
    ),
    "timeout": (
        replace(SPAWN, timeout=300000),
        Difference(Kind.TIMEOUT, "", "0", "300000"),
    ),
    "input": (
        replace(SPAWN, inputs={"a.c": "c2"}),
        Difference(Kind.INPUT, "a.c", "c1", "c2"),
    ),
    "input added": (
        replace(SPAWN, inputs={"a.c": "c1", "a.h": "h1"}),
        Difference(Kind.INPUT, "a.h", None, "h1"),
    ),
    "input removed": (
        replace(SPAWN, inputs={}),
        Difference(Kind.INPUT, "a.c", "c1", None),
    ),
    "symbolic link": (
        replace(SPAWN, inputs={"a.c": "-> b.c"}),
        Difference(Kind.INPUT, "a.c", "c1", "-> b.c"),
    ),
    "tool": (
        replace(SPAWN, tools={"cc": "t2"}),
        Difference(Kind.TOOL, "cc", "t1", "t2"),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_compare_one_change_names_it_alone(tmp_path: Path, form: str, change: str) -> None:
    after, expected = CHANGES[change]
    assert differences(tmp_path, form, after) == [expected]


def test_compare_arguments_in_another_order_names_what_stands_where(
    tmp_path: Path, form: str
) -> None:
    assert differences(tmp_path, form, replace(SPAWN, arguments=("cc", "a.c", "-O2"))) == [
        Difference(Kind.ARGUMENT, "", "-O2", "a.c"),
        Difference(Kind.ARGUMENT, "", "a.c", "-O2"),
    ]


def test_compare_all_changes_gives_them_in_the_order_of_kinds(tmp_path: Path, form: str) -> None:
    after = replace(
        SPAWN,
        platform={"image": "two"},
        environment={"PATH": "/usr/bin"},
        outputs={"bazel-out/k8/bin/b": "a1"},
        arguments=("cc", "-O3", "a.c"),
        timeout=1,
        inputs={"a.c": "c2"},
        tools={"cc": "t2"},
    )
    assert [item.kind for item in differences(tmp_path, form, after)] == [
        Kind.PLATFORM,
        Kind.ENVIRONMENT,
        Kind.OUTPUT,
        Kind.ARGUMENT,
        Kind.TIMEOUT,
        Kind.TOOL,
        Kind.INPUT,
    ]


def test_compare_tool_in_another_configuration_is_told_as_that(tmp_path: Path, form: str) -> None:
    def build(configuration: str) -> Spawn:
        path = f"bazel-out/{configuration}/bin/tool"
        return Spawn(arguments=(path, "a"), tools={path: "t1"}, environment={"TOOL": path})

    (cause,) = compared(tmp_path, form, [build("k8-exec-1")], [build("k8-exec-2")]).causes
    assert cause.direct[0].differences == [
        Difference(Kind.CONFIGURATION, "", "k8-exec-1", "k8-exec-2")
    ]


def test_compare_file_that_moved_and_changed_is_told_as_both(tmp_path: Path, form: str) -> None:
    def build(configuration: str, content: str) -> Spawn:
        return Spawn(inputs={f"bazel-out/{configuration}/bin/in": content})

    (cause,) = compared(tmp_path, form, [build("k8", "1")], [build("k9", "2")]).causes
    assert set(cause.direct[0].differences) == {
        Difference(Kind.CONFIGURATION, "", "k8", "k9"),
        Difference(Kind.INPUT, "bazel-out/k9/bin/in", "1", "2"),
    }


def tree_log(content: str, *, runfiles: bool, tool: bool = False) -> bytes:
    """A compact log whose action has a file in a folder, or in a runfiles tree."""
    digest = message((1, content))
    entries = [
        message((1, 1), (3, message((1, "same"), (2, message((1, "s")))))),
        message((1, 2), (6, message((5, 1)))),
        message((1, 3), (4, message((1, "d"), (2, message((1, "file"), (2, digest)))))),
        message((1, 4), (6, message((5, 3), (4, 2)))),
        message((1, 5), (10, message((1, "t.runfiles"), (2, 4)))),
        message((1, 6), (6, message((5, 5)) if runfiles else message((4, 4)))),
        message(
            (7, message((1, "run"), (4, 6), (5, 6 if tool else 0), (8, "Run"), (14, 1), (15, 1)))
        ),
    ]
    return compressed(invocation(), *entries)


@pytest.mark.parametrize("runfiles", [False, True])
@pytest.mark.parametrize("tool", [False, True])
def test_compare_file_in_a_folder_or_a_runfiles_tree_is_named(
    tmp_path: Path, runfiles: bool, tool: bool
) -> None:
    first, second = (tree_log(content, runfiles=runfiles, tool=tool) for content in ("1", "2"))
    (cause,) = compared_bytes(tmp_path, first, second).causes
    kind = Kind.TOOL if tool else Kind.INPUT
    assert cause.origin.what == Difference(kind, "d/file", "1", "2")


def test_compare_runfiles_tree_of_one_log_alone_names_its_files(tmp_path: Path) -> None:
    logs = tree_log("1", runfiles=False), tree_log("1", runfiles=True)
    (cause,) = compared_bytes(tmp_path, *logs).causes
    assert {(item.name, item.before, item.after) for item in cause.direct[0].differences} == {
        ("d/file", "1", None),
        ("same", "s", None),
        ("d/file", None, "1"),
        ("same", None, "s"),
    }


def test_compare_runfiles_tree_in_another_configuration_is_told_as_that(tmp_path: Path) -> None:
    def log(configuration: str, content: str) -> bytes:
        entries = [
            message((1, 1), (3, message((1, "same"), (2, message((1, "s")))))),
            message((1, 2), (3, message((1, "file"), (2, message((1, content)))))),
            message((1, 3), (6, message((5, 1), (5, 2)))),
            message((1, 4), (10, message((1, f"bazel-out/{configuration}/t.runfiles"), (2, 3)))),
            message((1, 5), (6, message((5, 4)))),
            message((7, message((1, "run"), (4, 5), (8, "Run"), (14, 1), (15, 1)))),
        ]
        return compressed(invocation(), *entries)

    (cause,) = compared_bytes(tmp_path, log("k8", "1"), log("k9", "2")).causes
    assert set(cause.direct[0].differences) == {
        Difference(Kind.CONFIGURATION, "", "k8", "k9"),
        Difference(Kind.INPUT, "file", "1", "2"),
    }
