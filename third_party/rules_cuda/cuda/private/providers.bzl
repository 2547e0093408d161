# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Providers, in the order in which a build makes them: architectures, toolkit, toolchain, compiled objects."""

# --- Flag and attribute `archs` -> what to compile for ---

Stage2ArchInfo = provider(
    doc = "One output of the second compilation stage (ptxas, or PTX kept as it is).",
    fields = {
        "arch": "str: number of the architecture with its suffix, for example `90a`.",
        "gpu": "bool: machine code, `sm_*`.",
        "lto": "bool: link-time intermediate code, `lto_*`.",
        "virtual": "bool: PTX, `compute_*`.",
    },
)

ArchSpecInfo = provider(
    doc = "One first stage (source to PTX) and what is made of it.",
    fields = {
        "stage1_arch": "str: number of the virtual architecture with its suffix, for example `90a`.",
        "stage2_archs": "list of `Stage2ArchInfo`.",
    },
)

CudaArchsInfo = provider(
    doc = """The architectures to compile for.

Grammar of the text form:

    SPECS     := SPEC [";" SPECS]
    SPEC      := [VIRTUAL ":"] GPU_ARCHS
    GPU_ARCHS := GPU_ARCH ["," GPU_ARCHS]
    GPU_ARCH  := "sm_" N | "lto_" N | "compute_" N
    VIRTUAL   := "compute_" N

Without `VIRTUAL` the lowest architecture of the list is the first stage: `sm_80,sm_86` is `compute_80:sm_80,sm_86`.
""",
    fields = {"arch_specs": "list of `ArchSpecInfo`; empty means nvcc's own default."},
)

# --- Toolkit and toolchain ---

CudaToolkitInfo = provider(
    doc = "Where a CUDA toolkit lies and which release it is.",
    fields = {
        "bin2c": "File or None.",
        "cicc": "File or None.",
        "fatbinary": "File or None.",
        "libdevice": "File or None.",
        "link_stub": "File or None.",
        "nvlink": "File or None.",
        "path": "str: root of the toolkit.",
        "ptxas": "File or None.",
        "version_major": "int.",
        "version_minor": "int.",
    },
)

CudaToolchainConfigInfo = provider(
    doc = "How to call one CUDA compiler.",
    fields = {
        "cuda_toolkit": "Target that provides `CudaToolkitInfo`, or None.",
        "disabled_reason": "str: why this toolchain cannot compile; empty for one that can.",
        "features": "list of struct(name, enabled, flags): flags that `features` and `--features` switch.",
        "nvcc_version": "tuple of int: (major, minor) of the compiler.",
        "toolchain_identifier": "str.",
    },
)

# --- Compiled objects ---

CudaInfo = provider(
    doc = """Objects of `cuda_objects` and `cuda_library`, by position independence and relocatable device code.

`*objects` are the target's own, `archive_*` come from `cuda_objects` beneath it and go into the next archive,
`dlink_*` take part in the device link of every `cuda_library(rdc = True)` above.
""",
    fields = {
        "archive_objects": "depset of File.",
        "archive_pic_objects": "depset of File.",
        "archive_rdc_objects": "depset of File.",
        "archive_rdc_pic_objects": "depset of File.",
        "defines": "depset of str: macros for the device code of dependents.",
        "dlink_rdc_objects": "depset of File.",
        "dlink_rdc_pic_objects": "depset of File.",
        "objects": "depset of File.",
        "pic_objects": "depset of File.",
        "rdc_objects": "depset of File.",
        "rdc_pic_objects": "depset of File.",
    },
)
