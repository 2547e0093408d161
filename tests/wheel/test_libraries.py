# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the loader sees of each shared object, stated outright: a change here reaches users."""

import re
from pathlib import PurePosixPath

import pytest

from tests.wheel.built_wheel import BuiltWheel, SharedObject

EXTENSION = "tilewright/_C"
LIBRARIES = "tilewright/lib/"

#: Sonames that every Linux with glibc has.
GLIBC = {
    "libc.so.6",
    "libdl.so.2",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
}

#: By library: what it needs beyond glibc, where in site-packages it looks, and what it exports.
EXPECTED: dict[str, tuple[set[str], list[str], str]] = {
    EXTENSION: ({"libtilewright.so"}, ["tilewright/lib"], r"PyInit__C"),
    LIBRARIES + "libtilewright.so": (set(), [], r"tw_\w+"),
    LIBRARIES + "libtilewright_cuda12.so": (
        {"libcudart.so.12"},
        ["nvidia/cuda_runtime/lib"],
        r"tw_cuda_\w+",
    ),
    LIBRARIES + "libtilewright_cuda13.so": (
        {"libcudart.so.13"},
        ["nvidia/cu13/lib"],
        r"tw_cuda_\w+",
    ),
    LIBRARIES + "libtilewright_ffi.so": (
        {"libtilewright.so", "libtvm_ffi.so"},
        ["tilewright/lib", "tvm_ffi/lib"],
        r"__tvm_ffi_\w+",
    ),
    LIBRARIES + "libtilewright_tvm.so": (set(), [], r"tw_tvm_\w+|VMBackend\w+|VMFFI\w+"),
}

#: Functions that a library is opened for.
ENTRIES = {
    EXTENSION: {"PyInit__C"},
    LIBRARIES + "libtilewright.so": {"tw_rms_norm", "tw_add_rms_norm", "tw_silu_and_mul"},
    LIBRARIES + "libtilewright_cuda12.so": {"tw_cuda_runtime_version", "tw_cuda_error_string"},
    LIBRARIES + "libtilewright_cuda13.so": {"tw_cuda_runtime_version", "tw_cuda_error_string"},
    LIBRARIES + "libtilewright_ffi.so": {"__tvm_ffi_rms_norm"},
    LIBRARIES + "libtilewright_tvm.so": {"tw_tvm_api"},
}


def _object(wheel: BuiltWheel, name: str) -> SharedObject:
    return next(item for path, item in wheel.shared_objects.items() if _name(path) == name)


def _name(path: str) -> str:
    """The path, the extension module's without its Python-dependent ending."""
    return path.split(".")[0] if path.startswith(EXTENSION + ".") else path


def test_wheel_holds_these_shared_objects_and_no_other(wheel: BuiltWheel) -> None:
    assert sorted(_name(path) for path in wheel.shared_objects) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_library_needs_nothing_unstated(wheel: BuiltWheel, name: str) -> None:
    assert set(_object(wheel, name).needed) - GLIBC == EXPECTED[name][0]


@pytest.mark.parametrize("name", EXPECTED)
def test_library_run_path_leads_where_the_libraries_are(wheel: BuiltWheel, name: str) -> None:
    entries = [entry for value in _object(wheel, name).run_paths for entry in value.split(":")]
    assert [_folder(name, entry) for entry in entries] == EXPECTED[name][1]


def _folder(name: str, entry: str) -> str:
    """The folder below site-packages that a run path entry means, from the library's own depth."""
    origin, *steps = entry.split("/")
    assert origin == "$ORIGIN"
    parts = list(PurePosixPath(name).parent.parts)
    for step in steps:
        if step == "..":
            parts.pop()
        else:
            parts.append(step)
    return "/".join(parts)


@pytest.mark.parametrize("name", EXPECTED)
def test_library_exports_its_api_and_nothing_else(wheel: BuiltWheel, name: str) -> None:
    exports = _object(wheel, name).exports
    assert sorted(symbol for symbol in exports if not re.fullmatch(EXPECTED[name][2], symbol)) == []
    assert ENTRIES[name] <= exports


@pytest.mark.parametrize("name", EXPECTED)
def test_library_glibc_floor_is_kept(wheel: BuiltWheel, name: str) -> None:
    versions = {
        tuple(int(part) for part in version.removeprefix("GLIBC_").split("."))
        for versions in _object(wheel, name).versions.values()
        for version in versions
        if version.startswith("GLIBC_")
    }
    assert versions
    assert max(versions) <= (2, 27)


@pytest.mark.parametrize("name", EXPECTED)
def test_library_asks_no_symbol_version_of_others(wheel: BuiltWheel, name: str) -> None:
    """Neither libstdc++ nor libgcc_s is needed; CUDA's runtime versions its symbols by soname."""
    versions = _object(wheel, name).versions
    others = {library for library in versions if library not in GLIBC}
    assert others <= {library for library in EXPECTED[name][0] if library.startswith("libcudart")}


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.startswith(LIBRARIES)])
def test_library_soname_is_its_file_name(wheel: BuiltWheel, name: str) -> None:
    assert _object(wheel, name).soname == PurePosixPath(name).name


@pytest.mark.parametrize("name", EXPECTED)
def test_library_stack_is_not_executable(wheel: BuiltWheel, name: str) -> None:
    assert not _object(wheel, name).executable_stack


def test_wheel_holds_no_library_of_cuda_or_tvm_ffi(wheel: BuiltWheel) -> None:
    """Under any name: auditwheel puts a hash between stem and suffix of what it copies."""
    pattern = re.compile(r"lib(cu|nv|tvm_ffi|cudart|nccl)[^/]*\.(so|a)\b")
    assert [path for path in wheel.members if pattern.search(PurePosixPath(path).name)] == []
    sonames = {item.soname for item in wheel.shared_objects.values()}
    assert not {name for name in sonames if name and pattern.match(name)}


def test_cuda_libraries_hold_device_code(wheel: BuiltWheel) -> None:
    for major in ("12", "13"):
        content = wheel.members[f"{LIBRARIES}libtilewright_cuda{major}.so"]
        assert b".nv_fatbin" in content
        assert b".nv_fatbin" not in wheel.members[f"{LIBRARIES}libtilewright.so"]
