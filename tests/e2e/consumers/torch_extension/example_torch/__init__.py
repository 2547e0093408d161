# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A package with a C++ extension that works on PyTorch's tensors."""

import torch  # noqa: F401  first: it loads the libraries that the extension links

from example_torch._torch import scale_add

__all__ = ["scale_add"]
