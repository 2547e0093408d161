# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts from elsewhere, declared rightly and wrongly."""

import json
from typing import Any

import pytest

from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.assemble.components import resolve_components
from tools.wheel.assemble.errors import ComponentError
from tools.wheel.assemble.plan import plan_assembly
from tools.wheel.assemble.request import (
    ComponentRequest,
    InputFile,
    MetadataFields,
    Request,
    parse_request,
)

PATHS = ("pkg/lib/a.so", "pkg/lib/b.so", "pkg/x.py")


def component(**changes: Any) -> ComponentRequest:
    values: dict[str, Any] = {
        "name": "pybind11",
        "version": "3.1.0",
        "purl": "pkg:pypi/pybind11@3.1.0",
        "linkage": "header-only",
        "license_expression": "bsd-3-clause",
        "files": ("pkg/lib/*.so",),
        "label": "//x:pybind11",
    }
    return ComponentRequest(**{**values, **changes})


def test_component_is_resolved_to_files_and_a_canonical_license() -> None:
    (resolved,) = resolve_components([component()], PATHS)
    assert resolved.files == ("pkg/lib/a.so", "pkg/lib/b.so")
    assert resolved.license_expression == "BSD-3-Clause"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"purl": "pybind11"}, "has package URL 'pybind11', which is none"),
        ({"purl": "pkg:pypi/py bind"}, "has package URL 'pkg:pypi/py bind', which is none"),
        ({"linkage": "dynamic"}, "has linkage 'dynamic'"),
        ({"source_sha256": "AB"}, "has sha256 'AB'"),
        (
            {"files": ("pkg/lib/*.so", "gone.so")},
            "is said to be in `gone.so`, and no file of the wheel is called so",
        ),
        ({"license_expression": "BSD3"}, "has license expression 'BSD3': "),
    ],
)
def test_component_declared_wrongly_is_refused_with_its_label(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ComponentError) as error:
        resolve_components([component(**changes)], PATHS)
    assert error.value.what.startswith(f"component `pybind11` (from `//x:pybind11`) {message}")
    assert error.value.hint


def test_component_declared_twice_is_refused() -> None:
    with pytest.raises(ComponentError, match="is declared twice, last by `//x:pybind11`"):
        resolve_components([component(), component(files=("pkg/x.py",))], PATHS)


def test_wheel_with_components_has_an_sbom(tmp_path: Any) -> None:
    module = tmp_path / "x.py"
    module.write_text("")
    request = Request(
        distribution="pkg",
        name=parse_wheel_name("pkg-1.0-py3-none-any.whl"),
        metadata=MetadataFields(),
        files=(InputFile(str(module), "pkg/x.py"),),
        components=(component(files=("pkg/x.py",)),),
    )
    (sbom,) = [
        member
        for member in plan_assembly(request).members
        if member.path == "pkg-1.0.dist-info/sboms/tilewright-assemble.cdx.json"
    ]
    assert isinstance(sbom.source, bytes)
    (found,) = json.loads(sbom.source)["components"]
    assert found["evidence"] == {"occurrences": [{"location": "pkg/x.py"}]}


def test_request_of_the_rule_is_read() -> None:
    values = {**vars(component()), "files": ["pkg/x.py"]}
    request = parse_request(
        {
            "distribution": "pkg",
            "name": "pkg-1.0-py3-none-any.whl",
            "metadata": {},
            "components": [values],
        }
    )
    assert request.components == (component(files=("pkg/x.py",)),)
