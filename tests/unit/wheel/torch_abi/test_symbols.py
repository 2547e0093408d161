# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tools.wheel.torch_abi.symbols import is_unstable, names_new_string, names_old_string, shims


@pytest.mark.parametrize(
    "symbol",
    [
        "_ZN3c1019UndefinedTensorImpl10_singletonE",
        "_ZNK3c107SymBool10guard_boolEPKcl",
        "_ZN2at4_ops7reshape4callERKNS_6TensorEN3c108ArrayRefINS5_6SymIntEEE",
        "_ZTVN5torch8autograd4NodeE",
        "_ZTIN3c105ErrorE",
        "THPDtypeType",
        "_Z16THPVariable_WrapN2at10TensorBaseE",
    ],
)
def test_is_unstable_symbols_of_libtorch(symbol: str) -> None:
    assert is_unstable(symbol)


@pytest.mark.parametrize(
    "symbol",
    [
        "aoti_torch_get_dtype",
        "torch_call_dispatcher",
        # Its own functions, with libtorch's types.
        "_ZN3pkg3runEN2at6TensorE",
        "_Z3runRKN3c106DeviceE",
        # Namespaces with longer names.
        "_ZN4atom3runEv",
        "_ZN11torchvision3runEv",
        "_ZNSt6vectorIN2at6TensorESaIS1_EE9push_backEOS1_",
    ],
)
def test_is_unstable_other_symbols_are_not(symbol: str) -> None:
    assert not is_unstable(symbol)


def test_names_string_tells_the_two_apart() -> None:
    new = "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcS4_SaIcEEE"
    old = "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs"
    assert (names_new_string(new), names_old_string(new)) == (True, False)
    assert (names_new_string(old), names_old_string(old)) == (False, True)


@pytest.mark.parametrize(
    "symbol",
    [
        "_ZN3c1010ClassNameSs5valueEv",
        "_ZN2at7SsClass3runEv",
        "_ZN3c104cuda9GetDeviceEPa",
        "_ZN3c10L4SsxxE",
        "_ZNK2at6Tensor3strILi3EEEvS1_",
    ],
)
def test_names_old_string_is_not_misled_by_identifiers(symbol: str) -> None:
    assert not names_old_string(symbol)


def test_shims_are_those_of_the_releases() -> None:
    table = shims()
    assert table["torch_call_dispatcher"] == (2, 10)
    assert table["torch_from_blob"] == (2, 11)
    assert "aoti_torch_get_dtype" not in table
