# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The private runtime beside a libtvm_ffi.so that is visible to the whole process, as `import
tvm_ffi` makes it. Each case in a process of its own; with real packages: tests/e2e/tvm_coexistence.
"""

from __future__ import annotations

import pytest

from tests.support.child import run_python

COMMON = """
import ctypes, sys
import numpy
from tilewright import errors, tvm

def load_theirs():
    return ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_GLOBAL)

def their_error(theirs):
    # TVMFFIErrorMoveFromRaised: the error that is set in their runtime, or null.
    error = ctypes.c_void_p()
    theirs.TVMFFIErrorMoveFromRaised(ctypes.byref(error))
    return error.value

def our_error(module):
    one = numpy.ones(2, numpy.float32)
    try:
        module["vector_add"](one, one, one[:1])
    except errors.TvmError as error:
        return str(error)

def works(module):
    one, out = numpy.ones(2, numpy.float32), numpy.zeros(2, numpy.float32)
    module["vector_add"](one, one, out)
    return out.tolist() == [2, 2]
"""

CHECK = """
assert works(module)
assert "ValueError: in `vector_add`: mismatched shape" in our_error(module)
assert their_error(theirs) is None, "our error went to their runtime"

theirs.TVMFFIErrorSetRaisedFromCStr(b"ValueError", b"theirs")
assert works(module) and our_error(module)
assert their_error(theirs) is not None, "their error went to our runtime"

# The process's libtvm_ffi.so is the one that everybody else finds.
found = ctypes.CDLL(None).TVMFFIErrorSetRaisedFromCStrParts
own = theirs.TVMFFIErrorSetRaisedFromCStrParts
address = lambda function: ctypes.cast(function, ctypes.c_void_p).value
assert address(found) == address(own)
"""

THEIRS_FIRST = "theirs = load_theirs()\nmodule = tvm.load_module(sys.argv[1])\n"
OURS_FIRST = (
    "module = tvm.load_module(sys.argv[1])\nassert our_error(module)\ntheirs = load_theirs()\n"
)
LOADED_BETWEEN = (
    "module = tvm.load_module(sys.argv[1])\ntheirs = load_theirs()\nassert our_error(module)\n"
)
# As apache-tvm opens modules: the functions of its copy find this process's libtvm_ffi.so.
SAME_FILE_OPENED_BY_THEIRS = """
theirs = load_theirs()
their_module = ctypes.CDLL(sys.argv[1])
module = tvm.load_module(sys.argv[1])
assert our_error(module)
assert their_module.__getitem__("__tvm_ffi_vector_add")(None, None, 0, None) == -1
assert their_error(theirs) is not None
"""


@pytest.mark.parametrize(
    "order",
    [THEIRS_FIRST, OURS_FIRST, LOADED_BETWEEN, SAME_FILE_OPENED_BY_THEIRS],
    ids=["theirs_first", "ours_first", "loaded_between", "same_file"],
)
def test_libtvm_ffi_in_process_keeps_its_errors_and_we_ours(
    module_path: str, tvm_ffi_library: str, order: str
) -> None:
    result = run_python("-c", COMMON + order + CHECK, module_path, tvm_ffi_library)
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_tvm_symbol_becomes_visible_to_the_process(module_path: str) -> None:
    code = COMMON + (
        "tvm.load_module(sys.argv[1])\n"
        "for name in ('TVMFFIFunctionCall', 'TVMFFIErrorSetRaisedFromCStrParts',\n"
        "             'TVMBackendParallelLaunch', 'TVMFFITypeGetOrAllocIndex'):\n"
        "    assert not hasattr(ctypes.CDLL(None), name), name\n"
    )
    result = run_python("-c", code, module_path, "")
    assert result.returncode == 0, result.stdout + result.stderr
