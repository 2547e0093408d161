# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""SBOMs as they are written, and as any tool may have written them."""

import json

import pytest

from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.sbom.component import Component
from tools.wheel.sbom.cyclonedx import SbomFormatError, parse_sbom, render_sbom, sbom_path

WHEEL = parse_wheel_name("my_pkg-1.0+cu130-cp312-cp312-linux_x86_64.whl")
STATIC = Component(
    "TVM",
    "0.25",
    "pkg:pypi/tilelang@0.1.14",
    "static",
    license_expression="Apache-2.0",
    source_url="pkg:pypi/tilelang@0.1.14",
    source_sha256="ab" * 32,
    files=("pkg/a.so", "pkg/b.so"),
    notes="a fork",
)
GRAFTED = Component(
    "libfoo.so.1",
    "",
    "pkg:generic/libfoo.so.1?checksum=sha256:cd",
    "grafted",
    files=("my_pkg.libs/libfoo-01234567.so.1",),
    sha256="ef" * 32,
    original_sha256="cd" * 32,
)


def test_sbom_lies_where_installers_keep_it() -> None:
    assert sbom_path(WHEEL, "tool") == "my_pkg-1.0+cu130.dist-info/sboms/tool.cdx.json"


def test_sbom_says_everything_known_of_a_component_and_nothing_else() -> None:
    static, grafted = json.loads(render_sbom(WHEEL, "tool", [STATIC, GRAFTED]))["components"]
    assert static == {
        "type": "library",
        "bom-ref": "pkg:pypi/tilelang@0.1.14",
        "name": "TVM",
        "version": "0.25",
        "licenses": [{"expression": "Apache-2.0"}],
        "purl": "pkg:pypi/tilelang@0.1.14",
        "pedigree": {"notes": "a fork"},
        "externalReferences": [
            {
                "type": "distribution",
                "url": "pkg:pypi/tilelang@0.1.14",
                "hashes": [{"alg": "SHA-256", "content": "ab" * 32}],
            }
        ],
        "properties": [{"name": "tilewright:linkage", "value": "static"}],
        "evidence": {"occurrences": [{"location": "pkg/a.so"}, {"location": "pkg/b.so"}]},
    }
    assert grafted == {
        "type": "library",
        "bom-ref": "pkg:generic/libfoo.so.1?checksum=sha256:cd",
        "name": "libfoo.so.1",
        "hashes": [{"alg": "SHA-256", "content": "ef" * 32}],
        "purl": "pkg:generic/libfoo.so.1?checksum=sha256:cd",
        "pedigree": {
            "ancestors": [
                {
                    "type": "library",
                    "name": "libfoo.so.1",
                    "hashes": [{"alg": "SHA-256", "content": "cd" * 32}],
                }
            ]
        },
        "properties": [{"name": "tilewright:linkage", "value": "grafted"}],
        "evidence": {"occurrences": [{"location": "my_pkg.libs/libfoo-01234567.so.1"}]},
    }


def test_sbom_is_of_the_wheel_and_depends_on_every_component() -> None:
    content = json.loads(render_sbom(WHEEL, "tool", [STATIC, GRAFTED]))
    main = "pkg:pypi/my-pkg@1.0%2Bcu130"
    assert content["metadata"]["component"]["purl"] == main
    assert content["dependencies"][0] == {"ref": main, "dependsOn": [STATIC.purl, GRAFTED.purl]}


def test_sbom_is_the_same_in_any_order_and_at_any_time() -> None:
    text = render_sbom(WHEEL, "tool", [STATIC, GRAFTED])
    assert text == render_sbom(WHEEL, "tool", [GRAFTED, STATIC])
    assert "timestamp" not in text
    assert "serialNumber" not in text


def test_sbom_written_is_read_again() -> None:
    sbom = parse_sbom(render_sbom(WHEEL, "tool", [STATIC, GRAFTED]))
    assert sbom.names == {"TVM", "libfoo.so.1"}
    assert sbom.files == {
        "pkg/a.so": "",
        "pkg/b.so": "",
        "my_pkg.libs/libfoo-01234567.so.1": "ef" * 32,
    }


def test_sbom_of_another_tool_is_read_with_what_it_nests() -> None:
    content = {
        "bomFormat": "CycloneDX",
        "components": [{"name": "a", "components": [{"name": "b", "hashes": [{"alg": "MD5"}]}]}, 7],
    }
    assert parse_sbom(json.dumps(content)).names == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "it is not JSON: "),
        ("[" * 100_000, "it is not JSON: "),
        ("[]", "its `bomFormat` is not `CycloneDX`"),
        ('{"spdxVersion": "SPDX-2.3"}', "its `bomFormat` is not `CycloneDX`"),
    ],
)
def test_text_that_is_no_sbom_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SbomFormatError) as error:
        parse_sbom(text)
    assert str(error.value).startswith(problem)
