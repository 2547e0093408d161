# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from email.parser import HeaderParser
from typing import Any

import pytest

from tools.wheel.archive.names import WheelName, parse_wheel_name
from tools.wheel.assemble.errors import MetadataError
from tools.wheel.assemble.metadata import render_entry_points, render_metadata, render_wheel
from tools.wheel.assemble.request import MetadataFields, Request


def _render(
    description: str = "",
    description_file: str = "",
    licenses: tuple[str, ...] = (),
    distribution: str = "pkg",
    version: str = "1.0",
    **fields: Any,
) -> str:
    request = Request(
        distribution=distribution,
        name=WheelName("pkg", version, "", "py3", "none", "any"),
        metadata=MetadataFields(**fields),
        files=(),
        description_file=description_file,
    )
    return render_metadata(request, licenses, description)


def test_render_metadata_least_has_three_fields() -> None:
    assert _render() == "Metadata-Version: 2.4\nName: pkg\nVersion: 1.0\n"


def test_render_metadata_every_field_in_order() -> None:
    text = _render(
        distribution="My-Pkg",
        summary="does things",
        author="A. Uthor",
        author_email="a@example.org",
        homepage="https://example.org",
        license_expression="apache-2.0 and mit",
        licenses=("b/LICENSE", "a/LICENSE"),
        python_requires=">=3.10",
        classifiers=("Programming Language :: Python :: 3",),
        project_urls={"Source": "https://example.org/src"},
        requires=("numpy>=1",),
        extra_requires={"cuda13": ("nvidia-cuda-runtime>=13.0,<14",)},
        description="# Title\n",
        description_file="dir/README.md",
    )
    assert text == (
        "Metadata-Version: 2.4\n"
        "Name: My-Pkg\n"
        "Version: 1.0\n"
        "Summary: does things\n"
        "Home-page: https://example.org\n"
        "Author: A. Uthor\n"
        "Author-email: a@example.org\n"
        "License-Expression: Apache-2.0 AND MIT\n"
        "License-File: a/LICENSE\n"
        "License-File: b/LICENSE\n"
        "Classifier: Programming Language :: Python :: 3\n"
        "Project-URL: Source, https://example.org/src\n"
        "Requires-Python: >=3.10\n"
        "Requires-Dist: numpy>=1\n"
        "Provides-Extra: cuda13\n"
        'Requires-Dist: nvidia-cuda-runtime<14,>=13.0 ; extra == "cuda13"\n'
        "Description-Content-Type: text/markdown; charset=UTF-8\n"
        "\n# Title\n"
    )


def test_render_metadata_marker_of_extra_is_kept_in_parentheses() -> None:
    text = _render(extra_requires={"x": ('a>=1; python_version < "3.11" or os_name == "nt"',)})
    message = HeaderParser().parsestr(text)
    assert message["Requires-Dist"] == (
        'a>=1 ; (python_version < "3.11" or os_name == "nt") and extra == "x"'
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"version": "1.0.DEV"}, "not normalised"),
        ({"version": "latest"}, "PEP 440"),
        ({"distribution": "-pkg"}, "name '-pkg' is not valid"),
        ({"license": "MIT", "license_expression": "MIT"}, "both `license`"),
        ({"license_expression": "Apache 2"}, "no SPDX expression"),
        ({"requires": ("numpy>>1",)}, "requirement `numpy>>1` cannot be read"),
        ({"extra_requires": {"tvm_ffi": ()}}, "extra `tvm_ffi` is not normalised"),
        ({"python_requires": "3.10+"}, "`python_requires` '3.10\\+' cannot be read"),
        ({"classifiers": ("Private :: x", "two\nlines")}, "`Classifier` has a line break"),
        ({"description": "x", "description_content_type": "text/x"}, "specification: .*text/x"),
    ],
)
def test_render_metadata_bad_value_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(MetadataError, match=message) as caught:
        _render(**fields)
    assert "hint: " in str(caught.value)
    assert caught.value.exit_code == 21


@pytest.mark.parametrize("end", ["\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("rest", ["", "Requires-Dist: evil"])
def test_render_metadata_line_break_of_any_kind_is_refused(end: str, rest: str) -> None:
    with pytest.raises(MetadataError, match="`Summary` has a line break"):
        _render(summary=f"one{end}{rest}")


def test_render_wheel_lists_expanded_tags() -> None:
    name = parse_wheel_name("pkg-1.0-7-cp312-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl")
    assert render_wheel(name) == (
        "Wheel-Version: 1.0\n"
        "Generator: tilewright-assemble\n"
        "Root-Is-Purelib: false\n"
        "Tag: cp312-abi3-manylinux2014_x86_64\n"
        "Tag: cp312-abi3-manylinux_2_17_x86_64\n"
        "Build: 7\n"
    )


def test_render_wheel_any_platform_is_purelib() -> None:
    text = render_wheel(parse_wheel_name("pkg-1.0-py3-none-any.whl"))
    assert "Root-Is-Purelib: true\n" in text


def test_render_entry_points_sorts_groups_and_entries() -> None:
    groups = {
        "z.group": ["b c = pkg"],
        "console_scripts": ["y = pkg:f", "x = pkg.cli:main [extra]"],
    }
    assert render_entry_points(groups) == (
        "[console_scripts]\nx = pkg.cli:main [extra]\ny = pkg:f\n\n[z.group]\nb c = pkg\n"
    )


@pytest.mark.parametrize(
    "entry",
    [
        "pkg:main",
        "x = ",
        "x = pkg:",
        "x = pkg..a:main",
        "[x] = pkg:main",
        "#x = pkg:main",
        "a\n[evil]\nb = z:y",
        "x = pkg:main\n",
        "x = pkg:main [a\u2028b]",
        "x y = pkg:main",
        "bin/x = pkg:main",
        "x = pkg",
    ],
)
def test_render_entry_points_unreadable_entry_is_refused(entry: str) -> None:
    with pytest.raises(MetadataError, match="of group `console_scripts` cannot be read"):
        render_entry_points({"console_scripts": [entry]})


@pytest.mark.parametrize("group", ["", "a]\n[b", "gui scripts", "a..b", "a\n"])
def test_render_entry_points_odd_group_is_refused(group: str) -> None:
    with pytest.raises(MetadataError, match="entry point group .* is not valid"):
        render_entry_points({group: ["x = pkg:main"]})


def test_render_entry_points_name_twice_in_a_group_is_refused() -> None:
    groups = {"console_scripts": ["x = pkg:main", "x = pkg:other"]}
    with pytest.raises(MetadataError, match="`x = pkg:main` and `x = pkg:other`"):
        render_entry_points(groups)
    assert render_entry_points({"a": ["x = pkg"], "b": ["x = pkg"]})
