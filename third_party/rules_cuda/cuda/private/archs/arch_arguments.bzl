# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`arch_arguments`: `CudaArchsInfo` as nvcc's command line has it."""

def arch_arguments(archs_info):
    """Returns nvcc's `-gencode` arguments for the architectures.

    Args:
      archs_info: `CudaArchsInfo`.
    """
    arguments = []
    for spec in archs_info.arch_specs:
        codes = [
            ("compute_" if s.virtual else "lto_" if s.lto else "sm_") + s.arch
            for s in spec.stage2_archs
        ]
        for code in codes:
            arguments += ["-gencode", "arch=compute_{},code={}".format(spec.stage1_arch, code)]
    return arguments

def uses_lto(archs_info):
    """Returns whether an architecture asks for link-time optimisation of device code, which implies `rdc`.

    Args:
      archs_info: `CudaArchsInfo`.
    """
    return any([s.lto for spec in archs_info.arch_specs for s in spec.stage2_archs])
