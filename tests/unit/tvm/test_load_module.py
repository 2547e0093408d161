# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
import pathlib
import resource
import shutil
import struct

import numpy
import pytest

from tests.support.child import run_python
from tilewright import errors, tvm

E_MACHINE = 18  # offset of the field in an ELF header
AARCH64 = 183


def test_load_module_accepts_path_objects(module_path: str) -> None:
    assert "vector_add" in tvm.load_module(pathlib.Path(module_path))


def test_load_module_any_bytes_are_a_path(tmp_path: pathlib.Path, module_path: str) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"vector\xff.so")
    shutil.copy(os.fsencode(module_path), path)
    module = tvm.load_module(os.fsdecode(path))
    assert "vector_add" in module
    assert "absent" not in module
    with pytest.raises(errors.InvalidArgumentError, match=r"vector\\xff\.so`: "):
        module["absent"]


@pytest.mark.parametrize(
    ("name", "problem"), [("a.so\0b", "holds a NUL"), ("\ud800.so", "cannot be the path of a file")]
)
def test_load_module_impossible_path_is_refused(name: str, problem: str) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=problem):
        tvm.load_module(name)


def test_load_module_failed_step_is_named(module_path: str) -> None:
    code = (
        "import resource, sys; from tilewright import errors, tvm\n"
        "tvm.get_global_function('runtime.RuntimeEnabled')\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "try: tvm.load_module(sys.argv[1])\n"
        "except errors.TvmError as error: print(error)"
    )
    result = run_python("-c", code, module_path)
    assert f"cannot load `{module_path}`: open: Too many open files" in result.stdout, result.stderr


def test_load_module_missing_file_is_named(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "absent.so"
    with pytest.raises(errors.InvalidArgumentError, match=f"`{path}`: No such file"):
        tvm.load_module(path)


def test_load_module_folder_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="not a file"):
        tvm.load_module(tmp_path)


def test_load_module_unknown_suffix_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "module.xyz"
    path.touch()
    with pytest.raises(errors.TvmError, match=r"Loader for `\.xyz` files is not registered"):
        tvm.load_module(path)


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"not a library at all" * 10])
def test_load_module_no_elf_file_is_refused(tmp_path: pathlib.Path, content: bytes) -> None:
    path = tmp_path / "text.so"
    path.write_bytes(content)
    with pytest.raises(errors.TvmError, match=r"ImportError: cannot load `.*`: not an ELF file"):
        tvm.load_module(path)


def test_load_module_no_elf_file_is_refused_before_it_is_copied(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "zeros.so"
    path.touch()
    os.truncate(path, 1 << 20)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, hard))  # no copy can be that long
    try:
        with pytest.raises(errors.TvmError, match="not an ELF file"):
            tvm.load_module(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_load_module_other_machine_is_refused(tmp_path: pathlib.Path, module_path: str) -> None:
    image = bytearray(pathlib.Path(module_path).read_bytes())
    struct.pack_into("<H", image, E_MACHINE, AARCH64)
    path = tmp_path / "aarch64.so"
    path.write_bytes(image)
    with pytest.raises(errors.TvmError, match="not compiled for x86-64"):
        tvm.load_module(path)


@pytest.mark.parametrize("size", [64, 200, 700])
def test_load_module_truncated_file_is_refused(
    tmp_path: pathlib.Path, module_path: str, size: int
) -> None:
    path = tmp_path / "short.so"
    path.write_bytes(pathlib.Path(module_path).read_bytes()[:size])
    with pytest.raises(errors.TvmError, match="truncated or damaged"):
        tvm.load_module(path)


def test_load_module_damaged_bytes_never_crash(tmp_path: pathlib.Path, module_path: str) -> None:
    # The dynamic section and what it leads to are read before anything else of the file is trusted.
    image = pathlib.Path(module_path).read_bytes()
    code = "import sys; from tilewright import errors, tvm\n"
    paths = []
    for offset in range(32, 64, 8):
        damaged = bytearray(image)
        damaged[offset : offset + 8] = b"\xff" * 8
        path = tmp_path / f"damaged{offset}.so"
        path.write_bytes(damaged)
        paths.append(str(path))
    code += "for path in sys.argv[1:]:\n    try: tvm.load_module(path)\n"
    code += "    except errors.TvmError as error: print(str(error).splitlines()[0])\n"
    result = run_python("-c", code, *paths)
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.splitlines()) >= 1


def test_load_module_unknown_symbol_is_named(unknown_symbol_path: str) -> None:
    with pytest.raises(errors.TvmError, match="`TVMFFIOfTheFuture`.*does not provide\nhint: "):
        tvm.load_module(unknown_symbol_path)


def test_load_module_twice_gives_two_modules(module_path: str) -> None:
    first, second = tvm.load_module(module_path), tvm.load_module(module_path)
    one = numpy.ones(3, numpy.float32)
    for module in (first, second):
        out = numpy.zeros_like(one)
        module["vector_add"](one, one, out)
        numpy.testing.assert_array_equal(out, 2 * one)


def test_load_module_many_times_leaves_no_descriptor_open(module_path: str) -> None:
    tvm.load_module(module_path)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        assert "echo" in tvm.load_module(module_path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_load_module_file_may_be_replaced_afterwards(
    tmp_path: pathlib.Path, module_path: str
) -> None:
    path = tmp_path / "module.so"
    shutil.copy(module_path, path)
    module = tvm.load_module(path)
    path.write_bytes(b"\0" * 100_000)
    assert module["echo"](7) == 7


def test_load_module_function_keeps_module_loaded(module_path: str) -> None:
    assert tvm.load_module(module_path)["echo"]("text") == "text"


def test_module_unknown_function_is_named(module: tvm.Module, module_path: str) -> None:
    assert "absent" not in module
    with pytest.raises(errors.InvalidArgumentError, match=f"`{module_path}`: .*`absent`"):
        module["absent"]


def test_module_repr_names_file(module: tvm.Module, module_path: str) -> None:
    assert repr(module) == f"<tilewright.tvm.Module '{module_path}'>"
    assert repr(module["echo"]) == "<tilewright.tvm.Function 'echo'>"


@pytest.mark.parametrize("name", ["vector\0add", "\ud800"])
def test_module_impossible_name_is_of_no_function(module: tvm.Module, name: str) -> None:
    assert name not in module
    with pytest.raises(errors.InvalidArgumentError, match="the name holds a"):
        tvm.get_global_function(name)


def test_global_function_unknown_name_is_refused() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="`no.such.function`"):
        tvm.get_global_function("no.such.function")


def test_runtime_has_no_cuda_and_no_python_hooks() -> None:
    enabled = tvm.get_global_function("runtime.RuntimeEnabled")
    assert enabled("cpu") is True
    assert enabled("cuda") is False
