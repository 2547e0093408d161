# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two builds against the causes that are found for their misses."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cache.why.tiny_comparison import compared
from tests.unit.cache.why.tiny_log import FORMATS, Spawn
from tools.cache.why.difference import Difference, Kind
from tools.cache.why.origins import Reason

SPAWN = Spawn(
    arguments=("cc", "-O2", "a.c"), environment={"PATH": "/bin"}, inputs={"a.c": "c1"}, key="k1"
)


@pytest.fixture(params=FORMATS)
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_compare_with_equal_keys_finds_no_difference(tmp_path: Path, form: str) -> None:
    (cause,) = compared(tmp_path, form, [SPAWN], [replace(SPAWN, timeout=1)]).causes
    assert cause.origin.what is Reason.NOT_IN_CACHE


def test_compare_hits_are_counted_and_have_no_cause(tmp_path: Path, form: str) -> None:
    found = compared(tmp_path, form, [SPAWN], [replace(SPAWN, hit=True)])
    assert (found.actions, found.hits, found.missed, found.causes) == (1, 1, 0, [])


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (SPAWN, SPAWN, Reason.NOT_IN_CACHE),
        (SPAWN, replace(SPAWN, key=""), Reason.NO_CACHE),
        (replace(SPAWN, key=""), SPAWN, Reason.NOTHING_UPLOADED),
        (replace(SPAWN, key="", cacheable=False), SPAWN, Reason.NOT_CACHEABLE_BEFORE),
        (replace(SPAWN, exit_code=1), SPAWN, Reason.FAILED_BEFORE),
        (SPAWN, replace(SPAWN, key="k2"), Reason.UNKNOWN),
    ],
)
def test_compare_without_a_visible_difference_says_why(
    tmp_path: Path, form: str, before: Spawn, after: Spawn, reason: Reason
) -> None:
    (cause,) = compared(tmp_path, form, [before], [after]).causes
    assert cause.origin.what is reason


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (
            replace(SPAWN, cacheable=False, remote_cacheable=False, remotable=False),
            "no cache may keep it: tagged `local`",
        ),
        (
            replace(SPAWN, cacheable=False, remote_cacheable=False),
            "no cache may keep it: tagged `no-cache`",
        ),
        (
            replace(SPAWN, cacheable=False, mnemonic="TestRunner"),
            "no cache may keep it: tagged `no-cache` or `external`, or built with "
            "--nocache_test_results",
        ),
        (
            replace(SPAWN, remote_cacheable=False),
            "only a disk cache may keep it: tagged `no-remote-cache`",
        ),
        (
            replace(SPAWN, remote_cacheable=False, remotable=False),
            "only a disk cache may keep it: tagged `no-remote`",
        ),
    ],
)
def test_compare_what_no_cache_may_keep_says_why_and_is_no_miss(
    tmp_path: Path, form: str, after: Spawn, why: str
) -> None:
    before = replace(SPAWN, mnemonic=after.mnemonic)
    found = compared(tmp_path, form, [before], [after])
    assert [text for _, text in found.not_cacheable] == [why]
    assert found.missed == 0


def test_compare_changed_action_of_a_disk_cache_is_a_miss(tmp_path: Path, form: str) -> None:
    after = replace(SPAWN, remote_cacheable=False, arguments=("cc",), key="k2")
    found = compared(tmp_path, form, [SPAWN], [after])
    assert (found.missed, found.not_cacheable) == (1, [])


def chain(source: str, suffix: str, **changes: str) -> list[Spawn]:
    """Compile, archive, link: each takes what the one before it wrote."""
    return [
        Spawn(
            "//:a",
            "Compile",
            inputs={"a.c": source},
            outputs={"bazel-out/k8/bin/a.o": f"o{suffix}"},
        ),
        Spawn(
            "//:a",
            "Archive",
            inputs={"bazel-out/k8/bin/a.o": f"o{suffix}"},
            outputs={"bazel-out/k8/bin/a.a": f"a{suffix}"},
        ),
        Spawn(
            "//:b",
            "Link",
            environment=changes,
            inputs={"bazel-out/k8/bin/a.a": f"a{suffix}", "b.ld": "1"},
            outputs={"bazel-out/k8/bin/b": f"b{suffix}"},
        ),
    ]


def test_compare_with_roots_counts_consequences_to_the_cause(tmp_path: Path, form: str) -> None:
    (cause,) = compared(tmp_path, form, chain("c1", "1"), chain("c2", "2")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "a.c", "c1", "c2")
    assert [str(miss.action) for miss in cause.direct] == ["//:a (Compile)"]
    assert [
        (str(miss.action), miss.through and miss.through.name, str(miss.made_by))
        for miss in cause.consequences
    ] == [
        ("//:a (Archive)", "bazel-out/k8/bin/a.o", "//:a (Compile)"),
        ("//:b (Link)", "bazel-out/k8/bin/a.a", "//:a (Archive)"),
    ]


def test_compare_without_roots_names_what_each_action_sees(tmp_path: Path, form: str) -> None:
    found = compared(tmp_path, form, chain("c1", "1"), chain("c2", "2"), roots=False)
    assert [
        (cause.origin.what.name, len(cause.direct), len(cause.consequences))
        for cause in found.causes
        if isinstance(cause.origin.what, Difference)
    ] == [("a.c", 1, 0), ("bazel-out/k8/bin/a.o", 1, 0), ("bazel-out/k8/bin/a.a", 1, 0)]


def test_compare_consequence_with_a_change_of_its_own_is_its_own_cause(
    tmp_path: Path, form: str
) -> None:
    found = compared(tmp_path, form, chain("c1", "1"), chain("c2", "2", LANG="C"))
    assert [(cause.origin.what, cause.misses) for cause in found.causes] == [
        (Difference(Kind.INPUT, "a.c", "c1", "c2"), 2),
        (Difference(Kind.ENVIRONMENT, "LANG", None, "C"), 1),
    ]


def test_compare_consequence_of_a_hit_that_changed_follows_from_the_change(
    tmp_path: Path, form: str
) -> None:
    compiled, *rest = chain("c2", "2")
    found = compared(tmp_path, form, chain("c1", "1"), [replace(compiled, hit=True), *rest])
    (cause,) = found.causes
    assert cause.origin.what == Difference(Kind.INPUT, "a.c", "c1", "c2")
    assert (len(cause.direct), len(cause.consequences)) == (0, 2)


def test_compare_other_bytes_from_the_same_key_are_told_of_the_last_action_too(
    tmp_path: Path, form: str
) -> None:
    after = replace(SPAWN, outputs={"bazel-out/k8/bin/a": "a2"})
    (cause,) = compared(tmp_path, form, [replace(SPAWN, hit=True)], [after]).causes
    assert (cause.origin.what, str(cause.origin.action)) == (Reason.OTHER_BYTES, "//:a (Run)")
    assert [str(miss.action) for miss in cause.direct] == ["//:a (Run)"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A test's log and report hold how long it took.
        ({"mnemonic": "TestRunner"}, {"mnemonic": "TestRunner"}),
        ({"exit_code": 1}, {}),
        ({}, {"exit_code": 1}),
        ({"key": ""}, {"key": ""}),
    ],
)
def test_compare_other_bytes_that_were_to_be_expected_are_not_told(
    tmp_path: Path, form: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    after = {"outputs": {"bazel-out/k8/bin/a": "a2"}, **after}
    found = compared(tmp_path, form, [replace(SPAWN, **before)], [replace(SPAWN, **after)])
    assert [cause.origin.action for cause in found.causes] == [None]


def test_compare_other_bytes_from_the_same_key_blames_the_action_that_wrote_them(
    tmp_path: Path, form: str
) -> None:
    compiled, *rest = chain("c1", "2")
    first = [replace(spawn, key=spawn.mnemonic) for spawn in chain("c1", "1")]
    second = [replace(compiled, key="Compile", hit=True), *rest]
    (cause,) = compared(tmp_path, form, first, second).causes
    assert cause.origin.what is Reason.OTHER_BYTES
    assert str(cause.origin.action) == "//:a (Compile)"
    assert (len(cause.direct), len(cause.consequences)) == (0, 2)


def test_compare_other_bytes_from_another_key_are_no_lack_of_determinism(
    tmp_path: Path, form: str
) -> None:
    first = [replace(spawn, key=f"{spawn.mnemonic}1") for spawn in chain("c1", "1")]
    second = [replace(spawn, key=f"{spawn.mnemonic}2") for spawn in chain("c1", "2")]
    (cause,) = compared(tmp_path, form, first, second).causes
    assert cause.origin.what is Reason.UNKNOWN
    assert (len(cause.direct), len(cause.consequences)) == (1, 2)


@pytest.mark.parametrize("path", ["bazel-out/k8/bin/link", "link from bazel-out/k8/bin/a.o"])
def test_compare_input_through_a_link_follows_its_content(
    tmp_path: Path, form: str, path: str
) -> None:
    def build(source: str, content: str) -> list[Spawn]:
        # Sorted logs do not know of links: here the action stands before what it depends on.
        user = Spawn("//:b", inputs={path: content}, outputs={"b": content * 2})
        return [user, replace(chain(source, "")[0], outputs={"bazel-out/k8/bin/a.o": content})]

    (cause,) = compared(tmp_path, form, build("c1", "o1"), build("c2", "o2")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "a.c", "c1", "c2")
    assert [str(miss.made_by) for miss in cause.consequences] == ["//:a (Compile)"]


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("link", ["", "y from "])
@pytest.mark.parametrize(("before", "after"), [(None, "2"), ("2", None)])
def test_compare_file_that_came_or_went_in_a_folder_follows_who_wrote_the_folder(
    tmp_path: Path, form: str, before: str | None, after: str | None, link: str, order: int
) -> None:
    def build(source: str, content: str | None) -> list[Spawn]:
        files = {"x": "1", **({"y": content} if content else {})}
        folder = {f"{link}bazel-out/k8/bin/t/{name}": hashed for name, hashed in files.items()}
        return [
            Spawn("//:t", inputs={"list": source}, outputs={"bazel-out/k8/bin/t": files}),
            Spawn("//:a", arguments=("run", *folder), inputs=folder, outputs={"a": source}),
        ][::order]

    (cause,) = compared(tmp_path, form, build("1", before), build("2", after)).causes
    assert cause.origin.what == Difference(Kind.INPUT, "list", "1", "2")
    assert [str(miss.action) for miss in cause.direct] == ["//:t (Run)"]
    assert [(miss.through, str(miss.made_by), miss.differences) for miss in cause.consequences] == [
        (
            Difference(Kind.INPUT, f"{link}bazel-out/k8/bin/t/y", before, after),
            "//:t (Run)",
            [Difference(Kind.INPUT, f"{link}bazel-out/k8/bin/t/y", before, after)],
        )
    ]


def test_compare_parameter_file_follows_files_that_came(tmp_path: Path, form: str) -> None:
    def build(source: str, names: str) -> list[Spawn]:
        files = dict.fromkeys(names, "1")
        folder = {f"bazel-out/k8/bin/t/{name}": hashed for name, hashed in files.items()}
        parameters = {"bazel-out/k8/bin/a-0.params": names}
        return [
            Spawn("//:t", inputs={"list": source}, outputs={"bazel-out/k8/bin/t": files}),
            Spawn("//:a", inputs={**parameters, **folder}, outputs={"a": source}),
        ]

    (cause,) = compared(tmp_path, form, build("1", "x"), build("2", "xy")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "list", "1", "2")
    assert [miss.through and miss.through.name for miss in cause.consequences] == [
        "bazel-out/k8/bin/t/y"
    ]


def test_compare_parameter_file_alone_is_a_cause_beside_a_changed_input(
    tmp_path: Path, form: str
) -> None:
    def build(source: str) -> list[Spawn]:
        files = {"bazel-out/k8/bin/t": source, "bazel-out/k8/bin/a-0.params": source}
        return [
            Spawn("//:t", inputs={"list": source}, outputs={"bazel-out/k8/bin/t": source}),
            Spawn("//:a", inputs=files, outputs={"a": source}),
        ]

    found = compared(tmp_path, form, build("1"), build("2"))
    assert {cause.origin.what for cause in found.causes} == {
        Difference(Kind.INPUT, "list", "1", "2"),
        Difference(Kind.INPUT, "bazel-out/k8/bin/a-0.params", "1", "2"),
    }


def test_compare_long_chain_against_the_order_of_its_actions_is_one_cause(
    tmp_path: Path, form: str
) -> None:
    def build(content: str) -> list[Spawn]:
        paths = ["a.c", *(f"bazel-out/k8/bin/{number}" for number in range(1500))]
        return [
            Spawn(f"//:{path}", inputs={source: content}, outputs={path: content})
            for source, path in pairwise(paths)
        ][::-1]

    (cause,) = compared(tmp_path, form, build("1"), build("2")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "a.c", "1", "2")
    assert (len(cause.direct), len(cause.consequences)) == (1, 1499)


def test_compare_files_that_are_made_of_each_other_end(tmp_path: Path, form: str) -> None:
    def build(content: str) -> list[Spawn]:
        names = {"x": "y", "y": "x"}
        return [
            Spawn(
                f"//:{name}",
                inputs={f"bazel-out/k8/bin/{source}": f"{source}{content}"},
                outputs={f"bazel-out/k8/bin/{name}": f"{name}{content}"},
            )
            for name, source in names.items()
        ]

    (cause,) = compared(tmp_path, form, build("1"), build("2")).causes
    assert (len(cause.direct), len(cause.consequences)) == (1, 1)


@pytest.mark.parametrize("path", ["a.c", "bazel-out/k8/bin/t.runfiles/_main/a.c"])
def test_compare_source_that_is_copied_is_not_made_by_the_copy(
    tmp_path: Path, form: str, path: str
) -> None:
    def build(content: str) -> list[Spawn]:
        return [
            Spawn("//:copy", inputs={"a.c": content}, outputs={"bazel-out/k8/bin/b.c": content}),
            Spawn("//:b", inputs={path: content}, outputs={"b": content * 2}),
        ]

    (cause,) = compared(tmp_path, form, build("c1"), build("c2")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "a.c", "c1", "c2")
    assert (len(cause.direct), len(cause.consequences)) == (2, 0)


def test_compare_source_and_a_link_to_it_names_the_source(tmp_path: Path, form: str) -> None:
    def build(content: str) -> list[Spawn]:
        return [Spawn(inputs={"z.sh": content, "bazel-out/k8/bin/a": content})]

    (cause,) = compared(tmp_path, form, build("1"), build("2")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "z.sh", "1", "2")


def test_compare_attempts_of_a_flaky_test_compares_the_last_ones(tmp_path: Path, form: str) -> None:
    passed = replace(SPAWN, mnemonic="TestRunner")
    failed = replace(passed, exit_code=1)
    found = compared(tmp_path, form, [failed, passed], [replace(passed, hit=True)])
    assert [action.failure for action in found.only_first] == ["exit code 1"]
    found = compared(tmp_path, form, [passed], [failed, passed])
    assert [cause.origin.what for cause in found.causes] == [Reason.NOT_IN_CACHE]
    assert [action.failure for action in found.only_second] == ["exit code 1"]


def test_compare_one_file_by_several_ways_is_one_cause(tmp_path: Path) -> None:
    def build(content: str) -> list[Spawn]:
        paths = ("bazel-out/k8/bin/t.runfiles/_main/a.txt", "b from a.txt", "a.txt")
        return [
            Spawn(f"//:{number}", inputs={path: content}, outputs={str(number): "same"})
            for number, path in enumerate(paths)
        ]

    (cause,) = compared(tmp_path, "binary", build("1"), build("2")).causes
    assert cause.origin.what == Difference(Kind.INPUT, "a.txt", "1", "2")
    assert len(cause.direct) == 3


def test_compare_actions_of_one_log_are_listed_apart(tmp_path: Path, form: str) -> None:
    found = compared(
        tmp_path,
        form,
        [SPAWN, Spawn("//:old", outputs={"old": "1"})],
        [
            replace(SPAWN, hit=True),
            Spawn("//:new", outputs={"new": "1"}),
            Spawn("//:hit", outputs={"hit": "1"}, hit=True),
        ],
    )
    assert [action.target for action in found.only_first] == ["//:old"]
    assert [action.target for action in found.only_second] == ["//:new"]
    assert (found.actions, found.hits, found.missed) == (3, 2, 0)
