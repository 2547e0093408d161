# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tools.reference.errors import SourceError
from tools.reference.python_api import entries


def _package(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def test_entries_reexported_function_is_found_where_it_is_defined(tmp_path: Path) -> None:
    root = _package(
        tmp_path,
        {
            "p/__init__.py": '"""Doc."""\nfrom p import errors\nfrom p.ops import norm\n'
            '__all__ = ["VALUE", "errors", "norm"]\nVALUE = 1\n',
            "p/errors.py": "",
            "p/ops/__init__.py": "from p.ops.norm import norm\n",
            "p/ops/norm.py": 'def norm(x: int, *, eps: float = 1e-6) -> int:\n    """Norm."""\n',
        },
    )
    text, (norm,) = entries(root, Path("p/__init__.py"))
    assert text == "Doc."
    assert norm.signature == "norm(x: int, *, eps: float=1e-06) -> int"
    assert (norm.kind, norm.text) == ("function", "Norm.")


def test_entries_class_names_its_bases(tmp_path: Path) -> None:
    source = '__all__ = ["E"]\nclass E(A, ValueError):\n    """Bad."""\n'
    _, (found,) = entries(_package(tmp_path, {"e.py": source}), Path("e.py"))
    assert found.signature == "class E(A, ValueError)"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(): ...\n", "has no `__all__`"),
        ('__all__ = ["f"]\ndef f(): ...\n', "`f` has no docstring"),
    ],
)
def test_entries_undocumented_module_raises(tmp_path: Path, source: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        entries(_package(tmp_path, {"m.py": source}), Path("m.py"))
