# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned CUDA toolkits."""

# 13.0: everything is on the package index, as one tree.
CUDA13_WHEELS = {
    "nvidia-cuda-cccl==13.0.85": ["e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649"],
    "nvidia-cuda-crt==13.0.88": ["2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4"],
    "nvidia-cuda-nvcc==13.0.88": ["56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03"],
    "nvidia-cuda-runtime==13.0.96": ["7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548"],
    "nvidia-nvvm==13.0.88": ["c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0"],
}

CUDA13_EXECUTABLES = [
    "bin/bin2c",
    "bin/cudafe++",
    "bin/fatbinary",
    "bin/nvcc",
    "bin/nvlink",
    "bin/ptxas",
    "nvvm/bin/cicc",
]

# nvlink looks for them there, for link-time optimisation.
CUDA13_LINKS = {
    "lib64/libcudadevrt.a": "lib/libcudadevrt.a",
    "nvvm/lib64/libnvvm.so": "lib/libnvvm.so.4",
}

# 12.4: the package index has the headers and the runtime, Debian has nvcc of the same release.
CUDA12_WHEELS = {
    "nvidia-cuda-cccl-cu12==12.4.127.post1": ["2027fa5fc75fbee703bf24e8275a40a605cf94a3e8fef8a7187897d49b34facb"],
    "nvidia-cuda-nvcc-cu12==12.4.131": ["e4c9a35435c3b0e36c6397c5696334c9ea6650e524736cbd1c5d345ea099bb04"],
    "nvidia-cuda-runtime-cu12==12.4.127": ["64403288fa2136ee8e467cdc9c9427e0434110899d07c779f25b5c068934faa5"],
}

CUDA12_DEBS = {
    "nvidia-cuda-toolkit=12.4.131~12.4.1-2": ["cd5fe85aee38d108b315f408a688641478f2402622a10c677478eb7a6c4e5319"],
}

CUDA12_LAYOUT = {
    "bin": [
        "usr/bin/bin2c",
        "usr/bin/cudafe++",
        "usr/bin/fatbinary",
        "usr/bin/nvlink",
        "usr/bin/ptxas",
        "usr/lib/nvidia-cuda-toolkit/bin/crt",
        "usr/lib/nvidia-cuda-toolkit/bin/nvcc",
    ],
    "include": [
        "nvidia/cuda_cccl/include/",
        "nvidia/cuda_nvcc/include/",
        "nvidia/cuda_runtime/include/",
    ],
    "lib": ["nvidia/cuda_runtime/lib/libcudart.so.12"],
    "nvvm/bin": ["usr/lib/nvidia-cuda-toolkit/bin/cicc"],
    "nvvm/lib64": ["nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so"],
    "nvvm/libdevice": ["nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc"],
}
