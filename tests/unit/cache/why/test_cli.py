# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command: what it prints, word by word, and its exit codes."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cache.why.tiny_log import (
    Spawn,
    binary,
    compact,
    compressed,
    invocation,
    json_text,
    message,
)
from tools.cache.why.cli import main

FIRST = [
    Spawn("//:a", "Compile", inputs={"a.c": "c1"}, outputs={"bazel-out/k8/bin/a.o": "o1"}),
    Spawn("//:b", "Link", inputs={"bazel-out/k8/bin/a.o": "o1"}, outputs={"b": "b1", "b.d": "1"}),
    Spawn("//:c", "Compile", outputs={"c": "1"}),
    Spawn("//:local", "Genrule", outputs={"l": "1"}, cacheable=False),
    Spawn("//:old", "Compile", outputs={"old": "1"}),
]
SECOND = [
    replace(FIRST[0], inputs={"a.c": "c2"}, outputs={"bazel-out/k8/bin/a.o": "o2"}),
    replace(FIRST[1], inputs={"bazel-out/k8/bin/a.o": "o2"}),
    replace(FIRST[2], hit=True),
    FIRST[3],
    Spawn("//:new", "Compile", outputs={"new": "1"}),
]

HINT_INPUT = "  hint: if it should be the same, see what wrote it: a commit, a generator, a machine"


def run(folder: Path, first: Sequence[Spawn], second: Sequence[Spawn], *options: str) -> int:
    (folder / "1.log").write_bytes(compact(*first))
    (folder / "2.log").write_bytes(compact(*second))
    return main([str(folder / "1.log"), str(folder / "2.log"), *options])


def printed(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    first: Sequence[Spawn],
    second: Sequence[Spawn],
    *options: str,
) -> str:
    run(folder, first, second, *options)
    return capsys.readouterr().out


def test_main_tells_causes_then_the_rest_then_the_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIRST, SECOND) == 1
    assert (
        capsys.readouterr().out
        == f"""\
cause 1: input `a.c`: `c1` before, `c2` after
{HINT_INPUT}
  1 action missed by it:
    //:a (Compile) -> bazel-out/k8/bin/a.o
  1 action followed:
    //:b (Link) -> b and 1 more
      through `bazel-out/k8/bin/a.o`, made by //:a (Compile)

executed in any build, as they are not cacheable:
  //:local (Genrule): no cache may keep it: tagged `no-cache`

executed, and only in the second log:
  //:new (Compile) -> new

only in the first log: not built, or answered by the local action cache:
  //:old (Compile) -> old

5 actions, 1 hit, 2 missed by 1 cause; 1 not cacheable; 1 only in the second log; \
1 only in the first log
"""
    )


def test_main_of_builds_that_hit_ends_with_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIRST[:1], [replace(FIRST[0], hit=True)]) == 0
    assert capsys.readouterr().out == "1 action, 1 hit, 0 missed\n"


def test_main_of_actions_that_no_cache_may_keep_ends_with_success(tmp_path: Path) -> None:
    assert run(tmp_path, [FIRST[3]], [FIRST[3]]) == 0


def test_main_blames_an_action_that_is_not_deterministic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Spawn("//:clock", outputs={"bazel-out/k8/bin/t": "1"}, key="k")
    user = Spawn("//:user", inputs={"bazel-out/k8/bin/t": "1"}, outputs={"u": "1"})
    second = [
        replace(clock, outputs={"bazel-out/k8/bin/t": "2"}, cacheable=False),
        replace(user, inputs={"bazel-out/k8/bin/t": "2"}),
    ]
    assert printed(capsys, tmp_path, [clock, user], second).startswith("""\
cause 1: //:clock (Run) wrote other bytes with the same key
  hint: keep clocks, random numbers, absolute paths and orders of hash tables out of its output; \
if it has none of them, the cache holds a wrong result
  1 action followed:
    //:user (Run) -> u
      through `bazel-out/k8/bin/t`, made by //:clock (Run)
""")


def many(environment: str, argument: str) -> list[Spawn]:
    return [
        Spawn(
            f"//:{number}",
            environment={"A": environment},
            arguments=("run", argument),
            outputs={str(number): "1"},
        )
        for number in range(7)
    ]


def test_main_shows_the_first_few_actions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        printed(capsys, tmp_path, many("1", "x"), many("2", "y"))
        == """\
cause 1: environment variable `A`: `1` before, `2` after
  hint: give both builds the same --action_env, --test_env and other flags of tests, best in \
.bazelrc and with values
  7 actions missed by it:
    //:0 (Run) -> 0
    //:1 (Run) -> 1
    //:2 (Run) -> 2
    //:3 (Run) -> 3
    //:4 (Run) -> 4
    and 2 more; --all tells all
  7 of these differ in more; --all tells all

7 actions, 0 hits, 7 missed by 1 cause
"""
    )


def test_main_with_all_shows_every_action_and_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, tmp_path, many("1", "x"), many("2", "y"), "--all")
    assert "--all" not in text
    assert text.count("      environment variable `A`: `1` before, `2` after\n") == 7
    assert text.count("      argument: `x` before, `y` after\n") == 7


@pytest.mark.parametrize(
    ("options", "summary"),
    [
        (["--target", "//:b"], "1 action, 0 hits, 1 missed by 1 cause"),
        (["--target", "//:[bc]"], "2 actions, 1 hit, 1 missed by 1 cause"),
        (["--target", "//:b", "--target", "//:c"], "2 actions, 1 hit, 1 missed by 1 cause"),
        (["--mnemonic", "Lin*"], "1 action, 0 hits, 1 missed by 1 cause"),
    ],
)
def test_main_with_a_filter_tells_only_of_these(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], summary: str
) -> None:
    assert printed(capsys, tmp_path, FIRST, SECOND, *options).splitlines()[-1] == summary


def test_main_with_a_filter_that_no_action_passes_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIRST, SECOND, "--mnemonic", "Link", "--target", "//:a") == 2
    assert capsys.readouterr().err == (
        "why: no action of the two logs is of the targets and mnemonics that are asked for\n"
        "hint: patterns are of whole labels, such as //csrc:_C or '//csrc/*'; without --target and "
        "--mnemonic all actions are told\n"
    )


def test_main_with_a_filter_still_follows_other_actions_to_the_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, tmp_path, FIRST, SECOND, "--target", "//:b").splitlines()
    assert lines[0] == "cause 1: input `a.c`: `c1` before, `c2` after"


def test_main_without_roots_names_what_each_action_sees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, tmp_path, FIRST, SECOND, "--no-roots").splitlines()
    assert [line for line in lines if line.startswith("cause")] == [
        "cause 1: input `a.c`: `c1` before, `c2` after",
        "cause 2: input `bazel-out/k8/bin/a.o`: `o1` before, `o2` after",
    ]


def test_main_with_json_prints_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIRST, SECOND, "--json") == 1
    compiled = {"target": "//:a", "mnemonic": "Compile", "outputs": ["bazel-out/k8/bin/a.o"]}
    changed = {"kind": "input", "name": "a.c", "before": "c1", "after": "c2"}
    through = {"kind": "input", "name": "bazel-out/k8/bin/a.o", "before": "o1", "after": "o2"}
    assert json.loads(capsys.readouterr().out) == {
        "actions": 5,
        "hits": 1,
        "missed": 2,
        "causes": [
            {
                **changed,
                "missed": [{**compiled, "differences": [changed]}],
                "followed": [
                    {
                        "target": "//:b",
                        "mnemonic": "Link",
                        "outputs": ["b", "b.d"],
                        "through": "bazel-out/k8/bin/a.o",
                        "made_by": compiled,
                        "differences": [through],
                    }
                ],
            }
        ],
        "not_cacheable": [
            {
                "target": "//:local",
                "mnemonic": "Genrule",
                "outputs": ["l"],
                "why": "no cache may keep it: tagged `no-cache`",
            }
        ],
        "only_in_second": [{"target": "//:new", "mnemonic": "Compile", "outputs": ["new"]}],
        "only_in_first": [{"target": "//:old", "mnemonic": "Compile", "outputs": ["old"]}],
    }


def test_main_with_json_words_a_cause_without_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, [Spawn(key="1")], [Spawn(key="1")], "--json")
    (cause,) = json.loads(capsys.readouterr().out)["causes"]
    assert cause["kind"] == "not in cache"
    assert cause["message"] == "nothing differs: not in the cache, evicted or not uploaded"


def test_main_of_a_binary_and_a_json_log_compares_them(tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(binary(*FIRST))
    (tmp_path / "2").write_bytes(json_text(*SECOND))
    assert main([str(tmp_path / "1"), str(tmp_path / "2")]) == 1


def test_main_of_a_compact_and_another_log_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1").write_bytes(binary(*FIRST))
    Path("2").write_bytes(compact(*SECOND))
    assert main(["1", "2"]) == 7
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "why: `2` is a compact log and `1` is not: they name runfiles differently\n"
        "hint: write both with the same one of Bazel's --execution_log_*_file flags\n"
    )


@pytest.mark.parametrize("empty", [compressed(invocation()), b""])
def test_main_of_a_log_without_actions_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    empty: bytes,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1").write_bytes(empty)
    Path("2").write_bytes(compact(*SECOND))
    assert main(["1", "2"]) == main(["2", "1"]) == 5
    told = (
        "why: `1` has no actions: Bazel was killed, or ran none\n"
        "hint: actions that the local action cache answers are not logged: run `bazel clean` "
        "before the build that writes the log\n"
    )
    assert capsys.readouterr().err == told * 2


def test_main_of_other_hash_functions_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    spawn = message((7, message((1, "run"), (8, "Run"))))
    Path("1").write_bytes(compressed(invocation(), spawn))
    Path("2").write_bytes(compressed(invocation("BLAKE3"), spawn))
    assert main(["1", "2"]) == 7
    assert capsys.readouterr().err == (
        "why: `1` has digests of SHA-256, `2` of BLAKE3: no key is the same\n"
        "hint: run both builds with the same startup option --digest_function\n"
    )


def test_main_of_a_file_that_is_no_log_tells_on_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1").write_text("hello\n")
    assert main(["1", "2"]) == 4
    assert capsys.readouterr().err == (
        "why: `1` is no execution log, or is damaged: it starts as none of the three formats does\n"
        "hint: name a file that Bazel wrote for --execution_log_compact_file, "
        "--execution_log_binary_file or --execution_log_json_file\n"
    )


def test_main_with_one_log_twice_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1").write_bytes(compact(*FIRST))
    Path("2").symlink_to("1")
    with pytest.raises(SystemExit) as caught:
        main(["1", "2"])
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith(
        "why: error: LOG1 and LOG2 are one file, `2`: name logs of two builds\n"
    )


def test_main_whose_output_cannot_be_written_says_so(tmp_path: Path) -> None:
    for name, spawns in (("1", FIRST), ("2", SECOND)):
        (tmp_path / name).write_bytes(binary(*spawns))
    program = "from tools.cache.why.cli import main; raise SystemExit(main())"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", program, tmp_path / "1", tmp_path / "2"],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=False,
        )
    assert done.returncode == 15
    assert done.stderr.startswith(b"why: [Errno 28] No space left on device\nhint: ")


def test_main_with_one_log_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["1"])
    assert caught.value.code == 2
    assert "the following arguments are required: LOG2" in capsys.readouterr().err
