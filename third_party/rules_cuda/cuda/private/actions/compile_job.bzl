# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`compile_job`: everything about a target's compilation that does not depend on the variant."""

load("@bazel_skylib//lib:paths.bzl", "paths")
load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//cuda/private:providers.bzl", "CudaArchsInfo", "CudaInfo")
load("//cuda/private/archs:check_archs.bzl", "check_archs")
load("//cuda/private/archs:parse_archs.bzl", "parse_archs")
load(":check_options.bzl", "check_options")

HEADER_EXTENSIONS = [".cuh", ".h", ".hpp", ".hh", ".inl", ".inc"]
SOURCE_EXTENSIONS = [".cc", ".cpp", ".cu"]

def _sort_sources(ctx):
    sources, headers = [], []
    for file in ctx.files.srcs:
        extension = "." + file.extension
        if extension in SOURCE_EXTENSIONS:
            sources.append(file)
        elif extension in HEADER_EXTENSIONS:
            headers.append(file)
        else:
            fail("{}: `srcs`: `{}` has an extension that is neither a source's nor a header's\nhint: use one of {}".format(
                ctx.label,
                file.short_path,
                ", ".join(SOURCE_EXTENSIONS + HEADER_EXTENSIONS),
            ))
    return sources, headers

def _compilation_context(ctx, headers):
    root = ctx.label.workspace_root
    package = paths.join(root, ctx.label.package)
    return cc_common.create_compilation_context(
        headers = depset(headers),
        quote_includes = depset([root or ".", paths.join(ctx.bin_dir.path, root)]),
        system_includes = depset([
            paths.normalize(paths.join(base, package, include))
            for include in ctx.attr.includes
            for base in ["", ctx.bin_dir.path]
        ]),
        defines = depset(ctx.attr.host_defines),
    )

def _archs_info(ctx, nvcc_version):
    info = ctx.attr._default_cuda_archs[CudaArchsInfo]
    if ctx.attr.archs:
        info = CudaArchsInfo(arch_specs = parse_archs(";".join(ctx.attr.archs), ctx.label))
    check_archs(info, nvcc_version, ctx.label)
    return info

def _setting(target):
    return [value for value in target[BuildSettingInfo].value if value]

def compile_job(ctx, cuda_toolchain):
    """Reads a target's attributes and flags.

    Args:
      ctx: the rule context of `cuda_library` or `cuda_objects`.
      cuda_toolchain: the CUDA `ToolchainInfo`.

    Returns:
      struct: `sources`, `headers` (depset), include folders by kind, `defines`, options, `archs_info`, and the `cc_info`
      of the target's headers and of its dependencies, the CUDA runtime among them.
    """
    check_options(ctx)
    sources, private_headers = _sort_sources(ctx)
    dependencies = ctx.attr.deps + ctx.attr._builtin_deps
    cc_info = cc_common.merge_cc_infos(
        direct_cc_infos = [CcInfo(compilation_context = _compilation_context(ctx, ctx.files.hdrs + private_headers))],
        cc_infos = [dep[CcInfo] for dep in dependencies if CcInfo in dep],
    )
    context = cc_info.compilation_context
    device_defines = depset(ctx.attr.defines, transitive = [dep[CudaInfo].defines for dep in ctx.attr.deps if CudaInfo in dep])
    return struct(
        sources = sources,
        headers = context.headers,
        quote_includes = context.quote_includes,
        includes = context.includes,
        system_includes = depset(transitive = [context.system_includes, context.external_includes]),
        defines = context.defines.to_list() + ctx.attr.host_local_defines + device_defines.to_list() + ctx.attr.local_defines,
        device_defines = device_defines,
        copts = _setting(ctx.attr._default_cuda_copts) + ctx.attr.copts,
        host_copts = _setting(ctx.attr._default_host_copts) + ctx.attr.host_copts,
        ptxasopts = ctx.attr.ptxasopts,
        device_linkopts = getattr(ctx.attr, "linkopts", []),
        archs_info = _archs_info(ctx, cuda_toolchain.config.nvcc_version),
        cc_info = cc_info,
    )
