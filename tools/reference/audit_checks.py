# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The page of the audit's checks, from their declarations. Nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.reference.errors import SourceError

CHECKS = Path("tools/wheel/audit/checks")
BEHAVIOURS = Path("tools/wheel/audit/behaviours.py")


_HEAD = f"""\
<!-- Made from the sources by `bazel run //tools/lint:fix -- reference`; not edited. -->

# Checks of the audit

Made from `{CHECKS}`. The audit ends with the exit code of its worst finding: that of the first
check in this order with an error, or with a warning where `--strict` is given.

| exit code | check | finding | what holds |
|---|---|---|---|""".splitlines()

_BEHAVIOURS_HEAD = """
## By behaviour

What a good builder and auditor of CUDA wheels does, the checks that look after it, and what else
does: repair refuses with the [exit codes](wheel_exit_codes.md) named.

| | behaviour | checks (exit code) | elsewhere |
|---|---|---|---|""".splitlines()


@dataclass(frozen=True)
class CheckRow:
    """One check, as its decorator and docstring declare it."""

    id: str
    exit_code: int
    behaviours: tuple[int, ...]
    severity: str
    title: str


def page(root: Path) -> str:
    """The Markdown page.

    Raises:
        SourceError: a check is declared in a way that is not understood, or nothing holds to a
            behaviour.
    """
    checks = sorted(_checks(root), key=lambda row: row.exit_code)
    rows = (f"| {row.exit_code} | `{row.id}` | {row.severity} | {row.title} |" for row in checks)
    elsewhere = _table(root, "ELSEWHERE")
    lines = [*_HEAD, *rows, *_BEHAVIOURS_HEAD]
    for number, text in _table(root, "BEHAVIOURS").items():
        covering = [f"`{row.id}` ({row.exit_code})" for row in checks if number in row.behaviours]
        if not covering and number not in elsewhere:
            raise SourceError(f"`{BEHAVIOURS}`: nothing holds to behaviour {number}")
        lines.append(f"| {number} | {text} | {', '.join(covering)} | {elsewhere.get(number, '')} |")
    return "\n".join([*lines, ""])


def _table(root: Path, name: str) -> dict[int, str]:
    for node in ast.parse((root / BEHAVIOURS).read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return dict(ast.literal_eval(node.value))
    raise SourceError(f"`{BEHAVIOURS}` has no `{name}`")


def _checks(root: Path) -> Iterator[CheckRow]:
    for path in sorted((root / CHECKS).glob("*.py")):
        for node in ast.parse(path.read_text(), str(path)).body:
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "check":
                        yield _row(node, decorator, path.relative_to(root))


def _row(node: ast.FunctionDef, decorator: ast.Call, path: Path) -> CheckRow:
    keywords = {keyword.arg: keyword.value for keyword in decorator.keywords}
    title = ast.get_docstring(node)
    if not title:
        raise SourceError(f"`{path}`: the check `{node.name}` has no docstring")
    try:
        return CheckRow(
            id=ast.literal_eval(decorator.args[0]),
            exit_code=ast.literal_eval(keywords["exit_code"]),
            behaviours=ast.literal_eval(keywords["behaviours"]),
            severity=_severity(keywords.get("severity")),
            title=title,
        )
    except (IndexError, KeyError, ValueError) as error:
        raise SourceError(
            f"`{path}`: id, exit code and behaviours of `{node.name}` must be literals"
        ) from error


def _severity(node: ast.expr | None) -> str:
    return ast.unparse(node).rpartition(".")[2].lower() if node else "error"
