# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`check_options`: options that a target may not set, because the rules do."""

_REJECTED_PREFIXES = [
    "--generate-code",
    "-gencode",
    "--gpu-architecture",
    "-arch",
    "--gpu-code",
    "-code",
    "--relocatable-device-code",
    "-rdc",
]

_REJECTED = [
    "--cuda",
    "-cuda",
    "--preprocess",
    "-E",
    "--compile",
    "-c",
    "--cubin",
    "-cubin",
    "--ptx",
    "-ptx",
    "--fatbin",
    "-fatbin",
    "--device-link",
    "-dlink",
    "--lib",
    "-lib",
    "--generate-dependencies",
    "--generate-nonsystem-dependencies",
    "-M",
    "-MM",
    "--run",
    "-run",
]

def check_options(ctx):
    """Fails where `copts`, `linkopts` or `ptxasopts` hold an option that is the rules' own to set.

    Args:
      ctx: the rule context.
    """
    for attribute in ["copts", "linkopts", "ptxasopts"]:
        for option in getattr(ctx.attr, attribute, []):
            if option in _REJECTED or any([option.startswith(prefix) for prefix in _REJECTED_PREFIXES]):
                fail("{}: `{}`: `{}` is set by the rules and cannot be given\nhint: architectures go into `archs` or `--@rules_cuda//cuda:archs`, relocatable device code into `rdc`".format(
                    ctx.label,
                    attribute,
                    option,
                ))
