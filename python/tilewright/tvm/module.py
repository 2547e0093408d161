# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Modules that TVM's compiler exported to a file, their functions, and what goes in and comes out.

Together because a module has functions, and functions return modules.
"""

from __future__ import annotations

import os
from typing import Any

from tilewright._internal.arrays import producer_of
from tilewright._internal.extension import extension
from tilewright._internal.producers.jax_arrays import JaxArrays
from tilewright.errors import InvalidArgumentError

__all__ = ["Function", "Module", "get_global_function", "load_module"]

_PLAIN = (type(None), bool, int, float, str)
_MOST_LISTS = 100  # that an item may be in; TVM frees nested arrays by recursion


class Module:
    """A loaded module; its functions are looked up by name.

    ``module["name"]`` gives the function, also one of a module that this one imports, and
    ``"name" in module`` says whether there is one. A module stays loaded as long as it or one of
    its functions is in use.
    """

    __slots__ = ("_handle", "_origin")

    def __init__(self, handle: Any, origin: str) -> None:
        """For internal use; `load_module` makes modules."""
        self._handle = handle
        self._origin = origin

    def __getitem__(self, name: str) -> Function:
        """The function `name`.

        Raises:
            InvalidArgumentError: the module has none of that name, or `name` is no string.
        """
        try:
            handle = self._handle.get_function(name)
        except InvalidArgumentError as error:
            raise InvalidArgumentError(
                f"`{self._origin}`: {error}\n"
                "hint: functions go by the `global_symbol` that they were compiled with"
            ) from None
        return Function(handle, name)

    def __contains__(self, name: str) -> bool:
        try:
            self._handle.get_function(name)
        except InvalidArgumentError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<tilewright.tvm.Module {self._origin!r}>"


class Function:
    """A function of a TVM module.

    Calling it converts arguments and result:

    * `None`, bool, int, float, str, `Function` and `Module` are passed as they are.
    * An array of NumPy, PyTorch, JAX or another library that speaks DLPack is passed without
      copying it, if it is writable and its data is aligned to 64 bytes, as PyTorch's is: TVM's
      compiler counts on that. Another CPU array, if it is compact, is passed as an aligned copy;
      what the function stores there is stored in the array after the call, unless that is read-only
      or immutable.
    * A list or tuple, nested at most 100 deep, becomes an array of TVM's; an array of TVM's, or a
      shape, becomes a tuple.
    * A tensor that is returned speaks DLPack: `numpy.from_dlpack`, `torch.from_dlpack` and the like
      share its memory.

    TVM functions mostly have no result: they write to arrays that are passed to them, as the last
    arguments. The call does not hold the GIL.

    Raises, when called:
        TvmError: the function refused its arguments (wrong shape, dtype, number, ...) or failed.
            The message begins with TVM's kind of error, such as `ValueError`.
        InvalidArgumentError: an argument is of a type that cannot be passed, or nested too deep.
        GradientError: a tensor requires grad while grad mode is on.
    """

    __slots__ = ("_handle", "_name")

    def __init__(self, handle: Any, name: str) -> None:
        """For internal use; modules make functions."""
        self._handle = handle
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function, as the class describes."""
        converted = [_lend(self._name, index, value) for index, value in enumerate(arguments)]
        return _receive(self._name, self._handle(*converted))

    def __repr__(self) -> str:
        return f"<tilewright.tvm.Function {self._name!r}>"


def load_module(path: str | os.PathLike[str]) -> Module:
    """Loads a shared library that TVM's compiler exported (``Executable.export_library``).

    A private copy of the file is what is opened, in memory: replacing the file does not change a
    loaded module, and a module that another TVM in the process has loaded from the same file is
    another one. Loading runs code of the file.

    Args:
        path: the file, whose suffix tells its format: ``.so`` for a shared library.

    Raises:
        InvalidArgumentError: there is no such file, or there cannot be one of that name.
        TvmError: it is no module, or one for another machine or another version of TVM.
        LibraryNotFoundError: tilewright's TVM runtime is missing; every path tried is named.
    """
    try:
        file = os.fsencode(path)
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"load_module: {path!r} cannot be the path of a file") from None
    return Module(extension().tvm_load_module(file), file.decode(errors="backslashreplace"))


def get_global_function(name: str) -> Function:
    """A function of the runtime's own registry, such as ``runtime.NumThreads``.

    Raises:
        InvalidArgumentError: there is none of that name, or `name` is no string.
        LibraryNotFoundError: tilewright's TVM runtime is missing; every path tried is named.
    """
    return Function(extension().tvm_get_global_function(name), name)


def _lend(function: str, index: int, value: Any, lists: int = 0) -> Any:
    """`value`, an item of so many nested lists, as the extension module takes it."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, (Function, Module)):
        return value._handle
    if isinstance(value, (list, tuple)):
        if lists == _MOST_LISTS:
            raise InvalidArgumentError(
                f"{function}: `argument {index}` is nested deeper than {_MOST_LISTS} lists\n"
                "hint: does a list hold itself?"
            )
        return [_lend(function, index, item, lists + 1) for item in value]
    argument = f"argument {index}"
    producer = producer_of(function, argument, value)
    capsule = producer.borrow(function, argument, value)
    return extension().TvmReadOnly(capsule) if isinstance(producer, JaxArrays) else capsule


def _receive(function: str, value: Any) -> Any:
    """What the extension module returned, for the caller."""
    native = extension()
    if isinstance(value, native.TvmFunction):
        return Function(value, f"result of {function}")
    if isinstance(value, native.TvmModule):
        return Module(value, f"result of {function}")
    if isinstance(value, tuple):
        return tuple(_receive(function, item) for item in value)
    return value
