# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the installed package beside torch: values, gradients, errors."""

import importlib.metadata

import example_torch
import torch


def main() -> None:
    names = [file.name for file in importlib.metadata.files("example-torch") or []]
    assert not [name for name in names if name.startswith(("libtorch", "libc10", "libstdc++"))], (
        names
    )

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    result = example_torch.scale_add(x, torch.tensor([10.0, 20.0]), 3)
    assert result.tolist() == [13, 26], result
    result.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3, 3], x.grad

    # Thrown by libtorch in the extension, caught by libtorch_python: one C++ runtime serves both.
    try:
        example_torch.scale_add(x, torch.zeros(3), 1)
    except RuntimeError as error:
        assert "`y` has shape [3], `x` has [2]" in str(error), error
    else:
        raise AssertionError("shapes that differ were accepted")
    print("beside torch", torch.__version__, result)


if __name__ == "__main__":
    main()
