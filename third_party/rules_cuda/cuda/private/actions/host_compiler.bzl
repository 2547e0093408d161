# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`host_compiler`: the C++ toolchain as nvcc's host compiler."""

load("@rules_cc//cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

# A C++ toolchain that declares this feature has been prepared for nvcc: with it on, its flags suit nvcc's front end
# (which rejects libc++, for one), and nvcc need not check the compiler's version.
_PREPARED_FEATURE = "cuda_host"

# What nvcc adds by itself.
_FLAGS_OF_NVCC = ["-c"]

def _translate(flags):
    """Splits host flags into those that nvcc must know of (the language standard) and those it only passes on."""
    nvcc_flags, host_flags = [], []
    for flag in flags:
        if flag.startswith("-std="):
            nvcc_flags = [flag.replace("gnu++", "c++")]
        elif flag not in _FLAGS_OF_NVCC:
            host_flags.append(flag)
    return nvcc_flags, host_flags

def host_compiler(ctx, cc_toolchain, pic, copts):
    """Returns the host compiler and its flags for one variant.

    Args:
      ctx: the rule context.
      cc_toolchain: `CcToolchainInfo`.
      pic: whether to make position-independent code.
      copts: list of str, further flags of the host compiler.

    Returns:
      struct(path, nvcc_flags, flags, environment, prepared): the compiler's path; flags for nvcc itself; flags to pass
      on; the compiler's environment; whether the toolchain says that it is prepared for nvcc.
    """
    configuration = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features + [_PREPARED_FEATURE],
        unsupported_features = ctx.disabled_features,
    )
    user_flags = []
    if "cuda_host_use_copts" in ctx.features:
        user_flags += ctx.fragments.cpp.copts
    if "cuda_host_use_cxxopts" in ctx.features:
        user_flags += ctx.fragments.cpp.cxxopts
    variables = cc_common.create_compile_variables(
        cc_toolchain = cc_toolchain,
        feature_configuration = configuration,
        use_pic = pic,
        user_compile_flags = user_flags + copts,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = configuration,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    nvcc_flags, host_flags = _translate(flags)
    if pic and "-fPIC" not in host_flags:
        host_flags.append("-fPIC")
    return struct(
        path = cc_common.get_tool_for_action(feature_configuration = configuration, action_name = CPP_COMPILE_ACTION_NAME),
        nvcc_flags = nvcc_flags,
        flags = host_flags,
        environment = cc_common.get_environment_variables(
            feature_configuration = configuration,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        prepared = cc_common.is_enabled(feature_configuration = configuration, feature_name = _PREPARED_FEATURE),
    )
