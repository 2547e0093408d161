# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`check_archs`: architectures against what the selected nvcc supports."""

load(":arch_table.bzl", "supported_archs")

def check_archs(archs_info, nvcc_version, owner):
    """Fails where an architecture is not one that this nvcc compiles for.

    Args:
      archs_info: `CudaArchsInfo`.
      nvcc_version: tuple of int, (major, minor).
      owner: label of the target, for the error.
    """
    valid = supported_archs(nvcc_version)
    for spec in archs_info.arch_specs:
        for arch in [spec.stage1_arch] + [s.arch for s in spec.stage2_archs]:
            if arch not in valid:
                fail("{}: `archs`: nvcc {}.{} does not compile for architecture {}\nhint: it supports {}".format(
                    owner,
                    nvcc_version[0],
                    nvcc_version[1],
                    arch,
                    ", ".join(valid),
                ))
