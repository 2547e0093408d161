# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public symbols of a `defs.bzl`, followed to the files that define them.

Starlark's syntax is a subset of Python's, so Python's own parser reads it
(https://github.com/bazelbuild/starlark/blob/master/spec.md). What is not written out as a literal,
an attribute table merged of others or a loaded name is not understood and raises.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.reference.errors import SourceError
from tools.reference.model import Entry, Item, Section, parse_docstring

KINDS = {
    "aspect": "aspect",
    "macro": "macro",
    "module_extension": "module extension",
    "provider": "provider",
    "repository_rule": "repository rule",
    "rule": "rule",
}


@dataclass(frozen=True)
class _Definition:
    """An expression or function, and the file it stands in."""

    node: ast.expr | ast.FunctionDef
    file: _File


class _File:
    def __init__(self, root: Path, path: Path) -> None:
        self.root = root
        self.path = path
        self.module = ast.parse((root / path).read_text(), str(path))
        self.loaded: dict[str, tuple[str, str]] = {}
        self.assigned: dict[str, ast.expr] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        for node in self.module.body:
            self._take(node)

    def _take(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef):
            self.functions[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.assigned[node.targets[0].id] = node.value
        elif isinstance(node, ast.Expr) and _called(node.value) == "load":
            call = node.value
            assert isinstance(call, ast.Call)
            source = ast.literal_eval(call.args[0])
            for argument in call.args[1:]:
                name = ast.literal_eval(argument)
                self.loaded[name] = (source, name)
            for keyword in call.keywords:
                self.loaded[str(keyword.arg)] = (source, ast.literal_eval(keyword.value))

    def find(self, name: str) -> _Definition | None:
        """Where `name` is defined; None where another module defines it."""
        if name in self.functions:
            return _Definition(self.functions[name], self)
        if name in self.assigned:
            value = self.assigned[name]
            if isinstance(value, ast.Name):
                return self.find(value.id)
            return _Definition(value, self)
        if name in self.loaded:
            source, there = self.loaded[name]
            path = self._resolve(source)
            return _read(self.root, path).find(there) if path else None
        return None

    def _resolve(self, source: str) -> Path | None:
        """The file of a label, None where it is in another repository."""
        if source.startswith("@"):
            return None
        if source.startswith(":"):
            return self.path.parent / source[1:]
        return _module_root(self.root, self.path) / source.removeprefix("//").replace(":", "/")


@cache
def _read(root: Path, path: Path) -> _File:
    return _File(root, path)


def _module_root(root: Path, path: Path) -> Path:
    """The Bazel module that a file belongs to, relative to `root`."""
    return next(p for p in path.parents if (root / p / "MODULE.bazel").exists())


def entries(root: Path, path: Path) -> tuple[str, list[Entry]]:
    """Description and public symbols of a `defs.bzl`.

    Args:
        root: the source tree.
        path: the file, relative to it.

    Raises:
        SourceError: something is not documented, or not understood.
    """
    file = _read(root, path)
    public = [name for name in (*file.assigned, *file.functions) if not name.startswith("_")]
    found = []
    for name in sorted(public, key=lambda name: (name.lower(), name)):
        definition = file.find(name)
        if definition is None:
            raise SourceError(f"`{path}`: `{name}` leads to no file of this repository")
        found.append(_entry(name, definition))
    return ast.get_docstring(file.module) or "", found


def _entry(name: str, definition: _Definition) -> Entry:
    node, file = definition.node, definition.file
    if isinstance(node, ast.FunctionDef):
        docstring = ast.get_docstring(node)
        if not docstring:
            raise SourceError(f"`{file.path}`: `{name}` has no docstring")
        text, sections = parse_docstring(docstring)
        return Entry(name, KINDS["macro"], text, f"{name}({_parameters(node)})", sections)
    kind = KINDS.get(_called(node))
    if kind is None:
        return Entry(name, "constant", "", f"{name} = {ast.unparse(node)}")
    assert isinstance(node, ast.Call)
    values = {keyword.arg: keyword.value for keyword in node.keywords}
    text = _string(values["doc"], file) if "doc" in values else ""
    if not text:
        raise SourceError(f"`{file.path}`: `{name}` has no `doc`")
    attributes: list[Section] = []
    for key, title in (("attrs", "Attributes"), ("fields", "Fields"), ("tag_classes", "Tags")):
        if key in values:
            items = tuple(_items(name, values[key], file))
            attributes.append(Section(title, items))
    return Entry(name, kind, parse_docstring(text)[0], "", tuple(s for s in attributes if s.items))


def _items(owner: str, node: ast.expr, file: _File) -> list[Item]:
    table = sorted(_table(node, file).items())
    return [_item(owner, name, value, file) for name, value in table if not name.startswith("_")]


def _item(owner: str, name: str, node: ast.expr, file: _File) -> Item:
    if not isinstance(node, ast.Call):
        return Item(name, _string(node, file))
    values = {keyword.arg: keyword.value for keyword in node.keywords}
    text = _string(values["doc"], file) if "doc" in values else ""
    if not text:
        raise SourceError(f"`{file.path}`: attribute `{name}` of `{owner}` has no `doc`")
    facts = [_called(node).removeprefix("attr.").replace("_", " ")]
    if "mandatory" in values:
        facts.append("mandatory")
    elif "default" in values and not isinstance(values["default"], ast.Name | ast.Call):
        facts.append(f"default `{ast.unparse(values['default'])}`")
    return Item(name, " ".join(text.split()), ", ".join(facts))


def _table(node: ast.expr, file: _File) -> dict[str, ast.expr]:
    """A dict literal, names that stand for one, and unions of them."""
    if isinstance(node, ast.Dict):
        return {
            ast.literal_eval(key): value
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    if isinstance(node, ast.List):
        return {ast.literal_eval(name): ast.Constant("") for name in node.elts}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return {**_table(node.left, file), **_table(node.right, file)}
    if isinstance(node, ast.Name):
        definition = file.find(node.id)
        if definition is not None and isinstance(definition.node, ast.expr):
            return _table(definition.node, definition.file)
    raise SourceError(f"`{file.path}`: cannot read the table `{ast.unparse(node)[:60]}`")


def _string(node: ast.expr, file: _File) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _string(node.left, file) + _string(node.right, file)
    if isinstance(node, ast.Name):
        definition = file.find(node.id)
        if definition is not None and isinstance(definition.node, ast.expr):
            return _string(definition.node, definition.file)
    raise SourceError(f"`{file.path}`: cannot read the text `{ast.unparse(node)[:60]}`")


def _called(node: ast.expr) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def _parameters(node: ast.FunctionDef) -> str:
    return ast.unparse(node.args)
