# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_objects`: CUDA sources to objects, without an archive."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//cuda/private:find_cuda_toolchain.bzl", "find_cuda_toolchain", "use_cuda_toolchain")
load("//cuda/private:providers.bzl", "CudaInfo")
load("//cuda/private/actions:collect_objects.bzl", "archive_objects", "cuda_info", "device_link_objects")
load("//cuda/private/actions:compile.bzl", "compile")
load("//cuda/private/actions:compile_job.bzl", "compile_job")
load("//cuda/private/actions:variants.bzl", "VARIANTS")
load(":compile_attributes.bzl", "COMPILE_ATTRIBUTES")

def _cuda_objects_impl(ctx):
    cuda_toolchain = find_cuda_toolchain(ctx)
    cc_toolchain = find_cc_toolchain(ctx)
    job = compile_job(ctx, cuda_toolchain)

    own, archive, dlink = {}, {}, {}
    for variant in VARIANTS:
        own[variant.objects] = depset(compile(ctx, cuda_toolchain, cc_toolchain, job, variant))
        archive[variant.objects] = depset(transitive = archive_objects(ctx.attr.deps, variant))
        if variant.rdc:
            dlink[variant.objects] = depset(transitive = device_link_objects(ctx.attr.deps, variant))

    return [
        # What a `cuda_library` above usually takes; the other variants are output groups.
        DefaultInfo(files = own["rdc_pic_objects"]),
        OutputGroupInfo(**own),
        CcInfo(
            compilation_context = job.cc_info.compilation_context,
            linking_context = job.cc_info.linking_context,
        ),
        cuda_info(VARIANTS, job.device_defines, own = own, archive = archive, dlink = dlink),
    ]

cuda_objects = rule(
    implementation = _cuda_objects_impl,
    doc = """Compiles CUDA sources to objects that a `cuda_library` above takes into its archive.

For relocatable device code and link-time optimisation that spans several targets. A C++ target that depends on this rule
directly gets the headers and not the objects.
""",
    attrs = COMPILE_ATTRIBUTES,
    fragments = ["cpp"],
    toolchains = use_cc_toolchain() + use_cuda_toolchain(),
    provides = [DefaultInfo, OutputGroupInfo, CcInfo, CudaInfo],
)
