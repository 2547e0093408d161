# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The words that causes are told in."""

from pathlib import Path

import pytest

from tests.unit.cache.why.tiny_comparison import compared
from tests.unit.cache.why.tiny_log import Spawn
from tools.cache.why.report import render_text

LONG = "source external/bazel_tools/tools/genrule/genrule-setup.sh; date > bazel-out/k8/bin/"


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (
            Spawn(environment={"A": "1"}),
            Spawn(environment={"A": "2"}),
            "environment variable `A`: `1` before, `2` after",
        ),
        (
            Spawn(),
            Spawn(environment={"A": "2"}),
            "environment variable `A` only in the second log: `2`",
        ),
        (
            Spawn(arguments=("run", "-g")),
            Spawn(),
            "argument only in the first log: `-g`",
        ),
        (
            Spawn(arguments=(f"{LONG}one",)),
            Spawn(arguments=(f"{LONG}two",)),
            "argument: `... > bazel-out/k8/bin/one` before, `... > bazel-out/k8/bin/two` after",
        ),
        (
            Spawn(arguments=("a" * 100,)),
            Spawn(arguments=("b\nb",)),
            f"argument: `{'a' * 57}...` before, `b\\nb` after",
        ),
        (
            Spawn(environment={"A": "\x1b[31m"}),
            Spawn(environment={"A": "é\t"}),
            "environment variable `A`: `\\x1b[31m` before, `é\\t` after",
        ),
        (
            Spawn(platform={"image": "one"}),
            Spawn(platform={"image": "two"}),
            "platform property `image`: `one` before, `two` after",
        ),
        (
            Spawn(outputs={"bazel-out/k8/bin/a": "1"}),
            Spawn(outputs={"bazel-out/k9/bin/a": "1"}),
            "configuration in paths: `k8` before, `k9` after",
        ),
        (
            Spawn(outputs={"a": "1"}),
            Spawn(outputs={"b": "1"}),
            "output path: `a` before, `b` after",
        ),
        (
            Spawn(timeout=60000),
            Spawn(timeout=300000),
            "timeout in milliseconds: `60000` before, `300000` after",
        ),
        (
            Spawn(inputs={"a": "0123456789abcdef"}),
            Spawn(),
            "input `a` only in the first log: `0123456789ab`",
        ),
        (
            Spawn(inputs={"a": "-> somewhere/that/is/rather/far"}),
            Spawn(inputs={"a": ""}),
            "input `a`: `-> somewhere/that/is/rather/far` before, `(empty file)` after",
        ),
        (
            Spawn(tools={"cc": "1"}),
            Spawn(tools={"cc": "2"}),
            "tool `cc`: `1` before, `2` after",
        ),
        (
            Spawn(key="1"),
            Spawn(key="1"),
            "nothing differs: not in the cache, evicted or not uploaded",
        ),
        (
            Spawn(key="1"),
            Spawn(),
            "nothing differs: no cache was in use when the second log was written",
        ),
        (
            Spawn(),
            Spawn(key="1"),
            "nothing differs: no cache was in use when the first log was written",
        ),
        (
            Spawn(cacheable=False),
            Spawn(key="1"),
            "nothing differs: when the first log was written, caching it was off",
        ),
        (
            Spawn(exit_code=2, key="1"),
            Spawn(key="1"),
            "nothing differs: it failed when the first log was written",
        ),
        (
            Spawn(key="1"),
            Spawn(key="2"),
            "the keys differ, in nothing that a log shows",
        ),
    ],
)
def test_render_text_words_each_cause(
    tmp_path: Path,
    before: Spawn,
    after: Spawn,
    line: str,
) -> None:
    lines = render_text(compared(tmp_path, "compact", [before], [after])).splitlines()
    assert lines[0] == f"cause 1: {line}"
    assert lines[1].startswith("  hint: ")


def test_render_text_hints_at_the_words_of_a_parameter_file(tmp_path: Path) -> None:
    before, after = (Spawn(inputs={"bazel-out/k8/bin/a-0.params": content}) for content in "12")
    lines = render_text(compared(tmp_path, "compact", [before], [after])).splitlines()
    assert lines[1] == (
        "  hint: see which flag, attribute or toolchain brings its words: `bazel aquery "
        "--include_param_files` on the target"
    )
