# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`parse_archs`: the text form of `archs` to `ArchSpecInfo`s."""

load("//cuda/private:providers.bzl", "ArchSpecInfo", "Stage2ArchInfo")
load(":arch_table.bzl", "cuda_archs")

_STAGE2_KINDS = ["sm", "lto", "compute"]

def arch_number(arch):
    """Returns the number of an architecture without its suffix, as an int: 90 for `90a`."""
    return int(arch.rstrip("af"))

def _split(text, kinds, owner):
    kind, separator, arch = text.partition("_")
    if not separator or kind not in kinds:
        fail("{}: `archs`: `{}` is not one of {}\nhint: for example `compute_80:sm_80;compute_90a:sm_90a;compute_90`".format(
            owner,
            text,
            ", ".join(["`{}_N`".format(k) for k in kinds]),
        ))
    if arch not in cuda_archs:
        fail("{}: `archs`: `{}` names no known architecture\nhint: N is one of {}".format(owner, text, ", ".join(cuda_archs)))
    return kind, arch

def _lacks_instructions(stage1, arch):
    """Tells what nvcc accepts in silence: code for a suffixed architecture made from PTX that knows nothing of the suffix."""
    if arch == stage1:
        return False
    return stage1.endswith("a") or (arch[-1] in "af" and not stage1.endswith("f"))

def _parse_spec(spec, owner):
    stage1, separator, gpu_archs = spec.rpartition(":")
    stage2 = []
    for text in gpu_archs.split(","):
        kind, arch = _split(text.strip(), _STAGE2_KINDS, owner)
        stage2.append(Stage2ArchInfo(arch = arch, virtual = kind == "compute", gpu = kind == "sm", lto = kind == "lto"))
    if separator:
        _, stage1 = _split(stage1.strip(), ["compute"], owner)
    else:
        stage1 = sorted([s.arch for s in stage2], key = lambda arch: (arch_number(arch), arch))[0]
    for s in stage2:
        if arch_number(s.arch) < arch_number(stage1):
            fail("{}: `archs`: `{}`: architecture {} cannot be made from `compute_{}`, which is newer\nhint: write `compute_{}:sm_{}` as a specification of its own".format(
                owner,
                spec,
                s.arch,
                stage1,
                s.arch,
                s.arch,
            ))
        if _lacks_instructions(stage1, s.arch):
            fail("{}: `archs`: `{}`: architecture {} made from `compute_{}` would lack its specific instructions\nhint: write `compute_{}:sm_{}` as a specification of its own".format(
                owner,
                spec,
                s.arch,
                stage1,
                s.arch,
                s.arch,
            ))
    return ArchSpecInfo(stage1_arch = stage1, stage2_archs = stage2)

def parse_archs(text, owner):
    """Parses the text form of `archs`; see `CudaArchsInfo` for the grammar.

    Args:
      text: for example `compute_80:sm_80;compute_90a:sm_90a;compute_90`. Empty: nvcc's default.
      owner: label of the target or flag, for errors.

    Returns:
      list of `ArchSpecInfo`.
    """
    return [_parse_spec(spec, owner) for spec in text.split(";") if spec.strip()]
