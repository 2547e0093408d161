# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The libraries of a toolkit besides the runtime, by their targets."""

# From a target to its shared libraries, `lib<name>.so`.
SHARED_LIBRARIES = {
    "cublas": ["cublas", "cublasLt"],
    "cufft": ["cufft"],
    "cufftw": ["cufftw"],
    "curand": ["curand"],
    "cusolver": ["cusolver"],
    "cusparse": ["cusparse"],
    "nvjitlink": ["nvJitLink"],
    "nvrtc": ["nvrtc"],
}

# Parts of the headers.
HEADER_LIBRARIES = [
    "cub",
    "nvtx",
    "thrust",
]
