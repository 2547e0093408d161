# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest

from tools.compile_commands.write import Folders, entries

FOLDERS = Folders(Path("/ws"), Path("/base/execroot/_main"), Path("/base/external"))


def _line(arguments: list[str], mnemonic: str = "CppCompile") -> str:
    return json.dumps({"mnemonic": mnemonic, "arguments": arguments})


def _arguments(*arguments: str, mnemonic: str = "CppCompile") -> list[object]:
    (entry,) = entries([_line(["bin/clang", *arguments], mnemonic)], FOLDERS)
    found = entry["arguments"]
    assert isinstance(found, list)
    return found


def test_entries_cpp_source_keeps_what_says_how_to_read_it() -> None:
    assert _arguments(
        *("-std=c++17", "-MD", "-MF", "bazel-out/a.d", "-frandom-seed=x", "-DX=1"),
        *("-iquote", ".", "-c", "csrc/a.cc", "-o", "bazel-out/a.o"),
    ) == ["clang++", "-std=c++17", "-DX=1", "-iquote", ".", "csrc/a.cc"]


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("external/zig/include", "/base/external/zig/include"),
        ("bazel-out/k8/bin", "/base/execroot/_main/bazel-out/k8/bin"),
        ("-Iexternal/zig", "-I/base/external/zig"),
        ("-iquotebazel-out/k8", "-iquote/base/execroot/_main/bazel-out/k8"),
        ("--sysroot=external/root", "--sysroot=/base/external/root"),
        ("csrc/external/x", "csrc/external/x"),
        ("-DNAME=internal/external/x", "-DNAME=internal/external/x"),
    ],
)
def test_absolute_path_of_bazel_becomes_absolute(argument: str, expected: str) -> None:
    assert FOLDERS.absolute(argument) == expected


def test_entries_source_compiled_twice_gives_the_position_independent_one() -> None:
    plain, pic = _line(["c", "-c", "a.cc"]), _line(["c", "-fPIC", "-c", "a.cc"])
    for lines in ([plain, pic], [pic, plain]):
        (entry,) = entries(lines, FOLDERS)
        assert entry == {
            "directory": "/ws",
            "file": "a.cc",
            "arguments": ["clang++", "-fPIC", "a.cc"],
        }


def test_entries_cuda_source_is_written_for_clang() -> None:
    line = _line(
        [
            *("external/cuda/bin/nvcc", "-ccbin", "external/wrapper", "-std=c++17"),
            *("-Xcompiler", "-fPIC,-nostdinc", "-Xcudafe", "--orig_src_path_name=k/a.cu"),
            *("-gencode", "arch=compute_80,code=sm_80", "-I", "external/cuda/include", "-DX"),
            *("-x", "cu", "-c", "k/a.cu", "-o", "bazel-out/a.o"),
        ],
        "CudaCompile",
    )
    (entry,) = entries([line], FOLDERS)
    assert entry["file"] == "k/a.cu"
    assert entry["arguments"] == [
        *("clang++", "-x", "cuda", "--cuda-path=/base/external/cuda", "--cuda-gpu-arch=sm_90"),
        *("-std=c++17", "-fPIC", "-nostdinc", "-I", "/base/external/cuda/include", "-DX", "k/a.cu"),
    ]


def test_entries_no_source_is_an_error_with_the_command() -> None:
    with pytest.raises(ValueError, match="no source among the arguments: clang -v"):
        entries([_line(["clang", "-v"])], FOLDERS)


def test_around_built_file_finds_the_folders(tmp_path: Path) -> None:
    built = tmp_path / "base/execroot/_main/bazel-out/k8/bin/x.jsonl"
    built.parent.mkdir(parents=True)
    built.touch()
    link = tmp_path / "runfile"
    link.symlink_to(built)
    folders = Folders.around(link, Path("/ws"))
    assert folders.execution_root == tmp_path.resolve() / "base/execroot/_main"
    assert folders.external == tmp_path.resolve() / "base/external"
