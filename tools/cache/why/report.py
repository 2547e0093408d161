# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints a comparison: text for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .causes import Cause, Comparison, Miss
from .difference import Difference, Kind
from .log import Action
from .origins import Origin, Reason

_SHOWN = 5
_WIDTH = 60
_DIGEST = 12

_HINTS = {
    Kind.PLATFORM: "give both builds the same --platforms and --host_platform, and targets the "
    "same `exec_properties`",
    Kind.ENVIRONMENT: "give both builds the same --action_env, --test_env and other flags of "
    "tests, best in .bazelrc and with values",
    Kind.CONFIGURATION: "build with the same flags: -c, --cpu, --copt, --define, --platforms",
    Kind.OUTPUT: "see which flag or attribute names the output",
    Kind.ARGUMENT: "see which flag, attribute or toolchain brings it: `bazel aquery` on the target",
    Kind.TIMEOUT: "give tests the same --test_timeout and `size` or `timeout`",
    Kind.TOOL: "pin the tool, or build it the same way on both sides",
    Kind.INPUT: "if it should be the same, see what wrote it: a commit, a generator, a machine",
    Reason.NOT_IN_CACHE: "see whether the first build could upload, and how the cache is bounded",
    Reason.NO_CACHE: "pass --remote_cache or --disk_cache, and look for warnings about the cache",
    Reason.NOTHING_UPLOADED: "name the log of a build that wrote to the cache as the first one",
    Reason.NOT_CACHEABLE_BEFORE: "the next build hits if this one could upload",
    Reason.FAILED_BEFORE: "failures are not cached; the next build hits once it succeeds",
    Reason.UNKNOWN: "compare what is not logged: scrubbing, salts, versions of Bazel",
    Reason.OTHER_BYTES: "keep clocks, random numbers, absolute paths and orders of hash tables "
    "out of its output; if it has none of them, the cache holds a wrong result",
}

_PARAMETER_FILE_HINT = (
    "see which flag, attribute or toolchain brings its words: `bazel aquery --include_param_files` "
    "on the target"
)


def render_text(comparison: Comparison, *, everything: bool = False) -> str:
    """The comparison for people, causes first, the summary last.

    Args:
        comparison: what to tell.
        everything: tell every action and every difference, not the first few.
    """
    lines: list[str] = []
    for number, cause in enumerate(comparison.causes, start=1):
        lines += [*_cause(number, cause, everything), ""]
    listings = (
        (
            "executed in any build, as they are not cacheable",
            [f"{action}: {why}" for action, why in comparison.not_cacheable],
        ),
        ("executed, and only in the second log", map(_described, comparison.only_second)),
        (
            "only in the first log: not built, or answered by the local action cache",
            map(_described, comparison.only_first),
        ),
    )
    for title, items in listings:
        shown = _some(list(items), everything)
        if shown:
            lines += [f"{title}:", *(f"  {item}" for item in shown), ""]
    return "\n".join([*lines, summary(comparison)]) + "\n"


def summary(comparison: Comparison) -> str:
    """How many actions there are, hit and missed, in one line."""
    rest = [
        f"{len(items)} {what}"
        for items, what in (
            (comparison.not_cacheable, "not cacheable"),
            (comparison.only_second, "only in the second log"),
            (comparison.only_first, "only in the first log"),
        )
        if items
    ]
    counts = (
        f"{_count(comparison.actions, 'action')}, {_count(comparison.hits, 'hit')}, "
        f"{comparison.missed} missed"
    )
    if comparison.causes:
        counts += f" by {_count(len(comparison.causes), 'cause')}"
    return "; ".join([counts, *rest])


def _cause(number: int, cause: Cause, everything: bool) -> Iterator[str]:
    yield f"cause {number}: {_origin(cause.origin)}"
    yield f"  hint: {_hint(cause.origin.what)}"
    for title, misses in (("missed by it", cause.direct), ("followed", cause.consequences)):
        if misses:
            yield f"  {_count(len(misses), 'action')} {title}:"
            texts = [_miss(miss, everything) for miss in misses]
            yield from (f"    {line}" for line in _some(texts, everything))
    more = sum(len(miss.differences) > 1 for miss in cause.direct)
    if more and not everything:
        yield f"  {more} of these {'differs' if more == 1 else 'differ'} in more; --all tells all"


def _hint(what: Difference | Reason) -> str:
    if isinstance(what, Reason):
        return _HINTS[what]
    return _PARAMETER_FILE_HINT if what.is_parameter_file else _HINTS[what.kind]


def _origin(origin: Origin) -> str:
    if isinstance(origin.what, Difference):
        return _difference(origin.what)
    return f"{origin.action} {origin.what.value}" if origin.action else origin.what.value


def _miss(miss: Miss, everything: bool) -> str:
    text = _described(miss.action)
    if miss.through:
        text += f"\n      through `{miss.through.name}`, made by {miss.made_by}"
    if everything:
        text += "".join(f"\n      {_difference(item)}" for item in miss.differences)
    return text


def _difference(item: Difference) -> str:
    name = f"{item.kind.value} `{item.name}`" if item.name else item.kind.value
    if item.before is None:
        return f"{name} only in the second log: {_quoted(item.after or '', item)}"
    if item.after is None:
        return f"{name} only in the first log: {_quoted(item.before, item)}"
    before, after = _around(item.before, item.after)
    return f"{name}: {_quoted(before, item)} before, {_quoted(after, item)} after"


def _quoted(value: str, item: Difference) -> str:
    if item.kind in (Kind.INPUT, Kind.TOOL):
        value = value if value.startswith("-> ") else value[:_DIGEST] or "(empty file)"
    return f"`{_shortened(value)}`"


def _around(before: str, after: str) -> tuple[str, str]:
    """Two values without most of what they both start with."""
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    cut = max(0, same - _WIDTH // 3)
    if cut == 0 or max(len(before), len(after)) <= _WIDTH:
        return before, after
    return f"...{before[cut:]}", f"...{after[cut:]}"


def _shortened(value: str) -> str:
    line = "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in value
    )
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."


def _described(action: Action) -> str:
    if not action.outputs:
        return str(action)
    more = f" and {len(action.outputs) - 1} more" if len(action.outputs) > 1 else ""
    return f"{action} -> {action.outputs[0]}{more}"


def _some(items: Sequence[str], everything: bool) -> list[str]:
    shown = list(items) if everything else list(items[:_SHOWN])
    hidden = len(items) - len(shown)
    return [*shown, f"and {hidden} more; --all tells all"] if hidden else shown


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def render_json(comparison: Comparison) -> str:
    """The comparison for programs; every action, with every difference."""
    document = {
        "actions": comparison.actions,
        "hits": comparison.hits,
        "missed": comparison.missed,
        "causes": [_json_cause(cause) for cause in comparison.causes],
        "not_cacheable": [
            {**_json_action(action), "why": why} for action, why in comparison.not_cacheable
        ],
        "only_in_second": _json_actions(comparison.only_second),
        "only_in_first": _json_actions(comparison.only_first),
    }
    return json.dumps(document, indent=2) + "\n"


def _json_cause(cause: Cause) -> dict[str, Any]:
    what = cause.origin.what
    if isinstance(what, Difference):
        described = _json_difference(what)
    else:
        described = {"kind": what.name.lower().replace("_", " "), "message": what.value}
        if cause.origin.action:
            described["action"] = _json_action(cause.origin.action)
    return {
        **described,
        "missed": [_json_miss(miss) for miss in cause.direct],
        "followed": [_json_miss(miss) for miss in cause.consequences],
    }


def _json_miss(miss: Miss) -> dict[str, Any]:
    found = _json_action(miss.action)
    if miss.through and miss.made_by:
        found |= {"through": miss.through.name, "made_by": _json_action(miss.made_by)}
    return {**found, "differences": [_json_difference(item) for item in miss.differences]}


def _json_difference(item: Difference) -> dict[str, Any]:
    return {
        "kind": item.kind.value,
        "name": item.name,
        "before": item.before,
        "after": item.after,
    }


def _json_actions(actions: Iterable[Action]) -> list[dict[str, Any]]:
    return [_json_action(action) for action in actions]


def _json_action(action: Action) -> dict[str, Any]:
    return {
        "target": action.target,
        "mnemonic": action.mnemonic,
        "outputs": list(action.outputs),
    }
