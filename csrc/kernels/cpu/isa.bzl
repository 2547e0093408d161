# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0

"""One source, compiled for each instruction set that csrc/kernels/cpu/isa.h chooses among."""

load("@rules_cc//cc:defs.bzl", "cc_library")

_AVX2 = ["-mavx2", "-mfma", "-mf16c"]

# Keys are the namespaces of the levels. 512-bit registers are asked for by the vector types in
# lanes.h; the compiler's own preference for narrower ones is switched off.
_LEVELS = {
    "isa_baseline": [],
    "isa_avx2": _AVX2,
    "isa_avx512": _AVX2 + [
        "-mavx512f",
        "-mavx512bw",
        "-mavx512dq",
        "-mavx512vl",
        "-mprefer-vector-width=512",
    ],
}

def cpu_kernel(name, srcs, deps = [], visibility = None):
    """Compiles `srcs` for each level and bundles the objects.

    Args:
      name: cc_library with all levels. Also makes `<name>_<level>` for each level.
      srcs: sources whose code is all inside `namespace tilewright::TW_ISA`.
      deps: cc_library targets whose headers `srcs` use.
      visibility: of `name`.
    """
    for level, flags in _LEVELS.items():
        cc_library(
            name = "{}_{}".format(name, level),
            srcs = srcs,
            # psabi: vectors wider than the level's registers are passed between inlined functions.
            copts = flags + ["-O3", "-Wno-psabi"],
            local_defines = ["TW_ISA=" + level],
            visibility = ["//visibility:private"],
            deps = deps + ["//csrc/kernels/cpu:lanes"],
        )
    cc_library(
        name = name,
        visibility = visibility,
        deps = ["{}_{}".format(name, level) for level in _LEVELS],
    )
