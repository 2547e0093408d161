# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`arch_arguments`: `CudaArchsInfo` as nvcc's command line has it."""

def arch_arguments(archs_info, device_link = False):
    """Returns nvcc's `-gencode` arguments for the architectures.

    Args:
      archs_info: `CudaArchsInfo`.
      device_link: whether for a device link, which makes machine code of `lto_*`.

    Returns:
      list of str.
    """
    lto = "sm_" if device_link else "lto_"
    arguments = []
    for spec in archs_info.arch_specs:
        for s in spec.stage2_archs:
            code = ("compute_" if s.virtual else lto if s.lto else "sm_") + s.arch
            arguments += ["-gencode", "arch=compute_{},code={}".format(spec.stage1_arch, code)]
    return arguments

def uses_lto(archs_info):
    """Returns whether an architecture asks for link-time optimisation of device code, which implies `rdc`.

    Args:
      archs_info: `CudaArchsInfo`.
    """
    return any([s.lto for spec in archs_info.arch_specs for s in spec.stage2_archs])
