# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Modules in TVM's calling convention, compiled by Bazel from `modules/`."""

from __future__ import annotations

import os

import pytest

from tilewright import tvm


@pytest.fixture(scope="session", params=["lazy", "now"])
def module_path(request: pytest.FixtureRequest) -> str:
    """The file `vector_add`, its symbols bound at the first call or when it is loaded."""
    return os.path.abspath(os.environ[f"TVM_MODULE_{request.param.upper()}"])


@pytest.fixture(scope="session")
def module(module_path: str) -> tvm.Module:
    """`module_path`, loaded."""
    return tvm.load_module(module_path)


@pytest.fixture(scope="session")
def parallel_path() -> str:
    """The file `parallel`, whose function runs on the runtime's thread pool."""
    return os.path.abspath(os.environ["TVM_MODULE_PARALLEL"])


@pytest.fixture(scope="session")
def unknown_symbol_path() -> str:
    """A module that refers to a symbol of no TVM."""
    return os.path.abspath(os.environ["TVM_MODULE_UNKNOWN_SYMBOL"])


@pytest.fixture(scope="session")
def tvm_ffi_library() -> str:
    """A released libtvm_ffi.so."""
    return os.path.abspath(os.environ["TVM_FFI_LIBRARY"])
