# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
import re

import pytest
from packaging.metadata import Metadata

from tests.wheel.built_wheel import BuiltWheel


def test_name_is_declared_by_version_file_and_toolchain(wheel: BuiltWheel) -> None:
    version = os.environ["TILEWRIGHT_VERSION"]
    assert wheel.distribution == "tilewright"
    assert wheel.version == version
    assert re.fullmatch(r"cp3\d+", wheel.python)
    assert re.fullmatch(wheel.python + "t?", wheel.abi)
    assert wheel.platform == "manylinux_2_27_x86_64"


def test_version_is_one_everywhere(wheel: BuiltWheel) -> None:
    namespace: dict[str, str] = {}
    exec(wheel.members["tilewright/_version.py"], namespace)
    assert namespace["__version__"] == wheel.metadata["Version"] == wheel.version


def test_wheel_file_agrees_with_the_name(wheel: BuiltWheel) -> None:
    assert wheel.wheel["Wheel-Version"] == "1.0"
    assert wheel.wheel["Root-Is-Purelib"] == "false"
    assert wheel.wheel.get_all("Tag") == [f"{wheel.python}-{wheel.abi}-{wheel.platform}"]


def test_extension_is_named_for_the_python_of_the_tag(wheel: BuiltWheel) -> None:
    extensions = [path for path in wheel.members if re.match(r"tilewright/_C\..*so$", path)]
    digits = wheel.abi.removeprefix("cp")
    assert extensions == [f"tilewright/_C.cpython-{digits}-x86_64-linux-gnu.so"]


def test_metadata_states_name_licence_and_pythons(wheel: BuiltWheel) -> None:
    metadata = wheel.metadata
    assert metadata["Metadata-Version"] == "2.4"
    assert metadata["Name"] == "tilewright"
    assert metadata["License-Expression"] == (
        "Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND BSD-3-Clause AND MIT"
    )
    assert metadata["Requires-Python"] == ">=3.10"
    assert metadata["Description-Content-Type"] == "text/markdown; charset=UTF-8"


def test_metadata_follows_the_specification(wheel: BuiltWheel) -> None:
    Metadata.from_email(wheel.members[f"{wheel.dist_info}/METADATA"], validate=True)


def test_description_has_no_links_into_the_repository(wheel: BuiltWheel) -> None:
    """A package index shows it without the files around it."""
    description = str(wheel.metadata.get_payload())
    assert "# tilewright" in description
    assert re.findall(r"\]\((?!https?://)[^)]*\)", description) == []


@pytest.mark.parametrize(
    ("extra", "requirement"),
    [
        ("cuda12", 'nvidia-cuda-runtime-cu12<13,>=12.4 ; extra == "cuda12"'),
        ("cuda13", 'nvidia-cuda-runtime<14,>=13.0 ; extra == "cuda13"'),
        ("tvm-ffi", 'apache-tvm-ffi<0.2,>=0.1.12 ; extra == "tvm-ffi"'),
    ],
)
def test_extra_names_the_package_that_brings_the_library(
    wheel: BuiltWheel, extra: str, requirement: str
) -> None:
    assert extra in wheel.metadata.get_all("Provides-Extra", [])
    assert requirement in wheel.metadata.get_all("Requires-Dist", [])


def test_metadata_requires_nothing_without_an_extra(wheel: BuiltWheel) -> None:
    requirements = wheel.metadata.get_all("Requires-Dist", [])
    assert [text for text in requirements if "extra ==" not in text] == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("LICENSE", "Apache License"),
        ("third_party/tvm/LICENSE", "Apache License"),
        ("third_party/tvm/NOTICE", "Apache TVM"),
        ("third_party/tvm/licenses/LICENSE.builtin_fp16.txt", "LLVM"),
        ("third_party/tvm/3rdparty/tvm-ffi/LICENSE", "Apache License"),
        ("third_party/tvm/3rdparty/tvm-ffi/3rdparty/dlpack/LICENSE", "Apache License"),
        ("third_party/zig/LICENSE", "Zig contributors"),
        ("third_party/zig/lib/libcxx/LICENSE.TXT", "LLVM Exceptions"),
        ("third_party/zig/lib/libcxxabi/LICENSE.TXT", "LLVM Exceptions"),
        ("third_party/zig/lib/libunwind/LICENSE.TXT", "LLVM Exceptions"),
        ("third_party/zig/lib/libc/glibc/LICENSES", "GNU"),
    ],
)
def test_licence_of_each_part_is_there(wheel: BuiltWheel, path: str, words: str) -> None:
    text = wheel.members[f"{wheel.dist_info}/licenses/{path}"].decode("utf-8")
    assert words in text
    assert path in wheel.metadata.get_all("License-File", [])


def test_licence_of_pybind11_is_there(wheel: BuiltWheel) -> None:
    pattern = re.compile(r"third_party/pybind11/pybind11-[\d.]+\.dist-info/licenses/LICENSE")
    listed = [path for path in wheel.metadata.get_all("License-File", []) if pattern.match(path)]
    assert len(listed) == 1
    assert b"Wenzel Jakob" in wheel.members[f"{wheel.dist_info}/licenses/{listed[0]}"]


def test_licence_files_and_their_list_agree(wheel: BuiltWheel) -> None:
    folder = f"{wheel.dist_info}/licenses/"
    found = sorted(path.removeprefix(folder) for path in wheel.members if path.startswith(folder))
    assert wheel.metadata.get_all("License-File", []) == found
