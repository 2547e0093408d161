# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Actions of two logs against the pairs that are made of them."""

from tests.unit.cache.why.tiny_log import Spawn
from tools.cache.why.log import Action, Pool
from tools.cache.why.pairing import pair_actions


def action(target: str, *outputs: str, mnemonic: str = "Run", key: str = "") -> Action:
    spawn, empty = Spawn(target=target, mnemonic=mnemonic, key=key), Pool().empty
    return Action(
        target=spawn.target,
        mnemonic=spawn.mnemonic,
        arguments=spawn.arguments,
        environment={},
        platform={},
        outputs=outputs,
        produced={},
        inputs=empty,
        tools=empty,
        timeout=0,
        cacheable=True,
        remote_cacheable=True,
        remotable=True,
        cache_hit=False,
        runner="",
        failure="",
        key=spawn.key,
    )


def test_pair_actions_with_equal_outputs_are_pairs_in_the_order_of_the_second() -> None:
    a, b = action("//:a", "a"), action("//:b", "b")
    other_b, other_a = action("//:b", "b"), action("//:a", "a")
    pairing = pair_actions([a, b], [other_b, other_a])
    assert pairing.both == [(b, other_b), (a, other_a)]
    assert (pairing.only_first, pairing.only_second) == ([], [])


def test_pair_actions_in_another_configuration_are_pairs() -> None:
    fast, tool = (
        action("//:a", "bazel-out/k8-fastbuild/bin/a"),
        action("//:a", "bazel-out/k8-opt-exec/bin/a"),
    )
    opt, new_tool = (
        action("//:a", "bazel-out/k8-opt/bin/a"),
        action("//:a", "bazel-out/k8-opt-exec-ST-1/bin/a"),
    )
    assert pair_actions([fast, tool], [new_tool, opt]).both == [(tool, new_tool), (fast, opt)]


def test_pair_actions_alone_of_their_kind_are_pairs_whatever_they_write() -> None:
    before, after = action("//:a", "old"), action("//:a", "new")
    assert pair_actions([before], [after]).both == [(before, after)]


def test_pair_actions_of_several_candidates_are_left_apart() -> None:
    first = [action("//:a", "1"), action("//:a", "2")]
    second = [action("//:a", "3")]
    pairing = pair_actions(first, second)
    assert (pairing.both, pairing.only_first, pairing.only_second) == ([], first, second)


def test_pair_actions_of_other_kinds_are_left_apart() -> None:
    first, second = [action("//:a", "a")], [action("//:a", "a", mnemonic="Other")]
    pairing = pair_actions(first, second)
    assert (pairing.only_first, pairing.only_second) == (first, second)


def test_pair_actions_that_ran_twice_are_pairs_in_order() -> None:
    first = [action("//:a", "a", key="1"), action("//:a", "a", key="2")]
    second = [action("//:a", "a", key="3"), action("//:a", "a", key="4")]
    assert pair_actions(first, second).both == list(zip(first, second, strict=True))
