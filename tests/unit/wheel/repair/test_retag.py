# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from tools.wheel.repair.retag import retag


def test_retag_tags_are_replaced_and_the_rest_stays() -> None:
    text = (
        "Wheel-Version: 1.0\nGenerator: bdist_wheel (0.40)\nRoot-Is-Purelib: true\n"
        "Tag: py2-none-any\nTag: py3-none-any\nBuild: 7\n\n"
    )
    assert retag(text, ["py3-none-manylinux_2_27_x86_64", "py3-none-manylinux_2_28_x86_64"]) == (
        "Wheel-Version: 1.0\nGenerator: bdist_wheel (0.40)\nRoot-Is-Purelib: false\nBuild: 7\n"
        "Tag: py3-none-manylinux_2_27_x86_64\nTag: py3-none-manylinux_2_28_x86_64\n"
    )


def test_retag_names_of_fields_have_no_case() -> None:
    text = "Wheel-Version: 1.0\nroot-is-purelib: true\nTAG : py3-none-any\n"
    assert retag(text, ["py3-none-manylinux_2_27_x86_64"]) == (
        "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_27_x86_64\n"
    )
