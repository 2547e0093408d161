# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `cuda_version_transition`."""

load("//tools/toolchains/cuda/private:cuda_version_transition.bzl", _cuda_version_transition = "cuda_version_transition")

cuda_version_transition = _cuda_version_transition
