# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public symbols of a Python package, followed to where they are defined. Nothing is imported."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.reference.errors import SourceError
from tools.reference.model import Entry, parse_docstring


def entries(root: Path, path: Path) -> tuple[str, list[Entry]]:
    """Description and public symbols of a module.

    Args:
        root: the folder that the package is imported from.
        path: the module's file, relative to it.

    Raises:
        SourceError: something public is not documented, or not found.
    """
    module = ast.parse((root / path).read_text(), str(path))
    found = []
    for name in _public(module, path):
        node = _definition(root, path, module, name)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(_entry(node, path))
    return ast.get_docstring(module) or "", found


def _public(module: ast.Module, path: Path) -> list[str]:
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    raise SourceError(f"`{path}` has no `__all__`")


def _definition(root: Path, path: Path, module: ast.Module, name: str) -> ast.stmt | None:
    """The statement that defines `name`; None where it is a module or a value."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return node
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                itself = _module_name(path) == node.module  # imports a module of its own package
                if (alias.asname or alias.name) == name and not itself:
                    return _imported(root, node.module, alias.name)
    return None


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(root: Path, module: str, name: str) -> ast.stmt | None:
    base = root / module.replace(".", "/")
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        if file.exists():
            path = file.relative_to(root)
            return _definition(root, path, ast.parse(file.read_text(), str(path)), name)
    return None


def _entry(node: ast.FunctionDef | ast.ClassDef, path: Path) -> Entry:
    docstring = ast.get_docstring(node)
    if not docstring:
        raise SourceError(f"`{path}`: `{node.name}` has no docstring")
    text, sections = parse_docstring(docstring)
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return Entry(node.name, "class", text, f"class {node.name}({bases})", sections)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    signature = f"{node.name}({ast.unparse(node.args)}){returns}"
    return Entry(node.name, "function", text, signature, sections)
