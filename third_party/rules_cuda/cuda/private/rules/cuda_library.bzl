# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_library`: CUDA sources to a static library that C++ rules link."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//cuda/private:find_cuda_toolchain.bzl", "find_cuda_toolchain", "use_cuda_toolchain")
load("//cuda/private:providers.bzl", "CudaInfo")
load("//cuda/private/actions:collect_objects.bzl", "archive_objects", "cuda_info", "device_link_objects")
load("//cuda/private/actions:compile.bzl", "compile")
load("//cuda/private/actions:compile_job.bzl", "compile_job")
load("//cuda/private/actions:device_link.bzl", "device_link")
load("//cuda/private/actions:variants.bzl", "VARIANTS")
load("//cuda/private/archs:arch_arguments.bzl", "uses_lto")
load(":compile_attributes.bzl", "COMPILE_ATTRIBUTES")

def _link_archive(ctx, cc_toolchain, job, contents):
    """Returns the linking context and the static libraries made of the objects, a depset by `pic`."""
    configuration = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    linking_context, outputs = cc_common.create_linking_context_from_compilation_outputs(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = configuration,
        cc_toolchain = cc_toolchain,
        compilation_outputs = cc_common.create_compilation_outputs(objects = contents[False], pic_objects = contents[True]),
        user_link_flags = ctx.attr.host_linkopts,
        alwayslink = ctx.attr.alwayslink,
        linking_contexts = [job.cc_info.linking_context],
        disallow_dynamic_library = True,
    )
    library = outputs.library_to_link
    lib = [library.static_library] if library and library.static_library else []
    pic_lib = [library.pic_static_library] if library and library.pic_static_library else []
    return linking_context, lib, pic_lib

def _cuda_library_impl(ctx):
    cuda_toolchain = find_cuda_toolchain(ctx)
    cc_toolchain = find_cc_toolchain(ctx)
    job = compile_job(ctx, cuda_toolchain)
    rdc = ctx.attr.rdc or uses_lto(job.archs_info)

    groups, dlink, contents = {}, {}, {}
    for variant in VARIANTS:
        groups[variant.objects] = depset()
        if variant.rdc != rdc:
            continue
        objects = compile(ctx, cuda_toolchain, cc_toolchain, job, variant)
        inherited = archive_objects(ctx.attr.deps, variant)
        linked = []
        if rdc:
            dlink[variant.objects] = depset(objects, transitive = inherited + device_link_objects(ctx.attr.deps, variant))
            linked = [device_link(ctx, cuda_toolchain, cc_toolchain, job, variant, dlink[variant.objects])]
        groups[variant.objects] = depset(objects + linked)
        contents[variant.pic] = depset(objects + linked, transitive = inherited)

    linking_context, lib, pic_lib = _link_archive(ctx, cc_toolchain, job, contents)
    return [
        # C++ rules take what they need from `CcInfo`; building both by default would compile every source twice.
        DefaultInfo(files = depset(pic_lib or lib)),
        OutputGroupInfo(lib = depset(lib), pic_lib = depset(pic_lib), **groups),
        CcInfo(
            compilation_context = job.cc_info.compilation_context,
            linking_context = linking_context,
        ),
        # The objects of `cuda_objects` beneath are in this archive now and go no further.
        cuda_info(VARIANTS, job.device_defines, dlink = dlink),
    ]

cuda_library = rule(
    implementation = _cuda_library_impl,
    doc = "Compiles CUDA sources to a static library, device-linked where `rdc` is set, that `cc_*` rules consume.",
    attrs = COMPILE_ATTRIBUTES | {
        "alwayslink": attr.bool(doc = "Link every object into dependents, whether they refer to it or not. Default: `False`."),
        "host_linkopts": attr.string_list(doc = "Flags of the host linker, for whatever links this library."),
        "linkopts": attr.string_list(doc = "Options of nvcc in the device link."),
        "rdc": attr.bool(doc = "Make relocatable device code and link it. Libraries beneath with device code must then be `cuda_objects`, or `cuda_library` with `rdc` too. Default: `False`."),
    },
    fragments = ["cpp"],
    toolchains = use_cc_toolchain() + use_cuda_toolchain(),
    provides = [DefaultInfo, OutputGroupInfo, CcInfo, CudaInfo],
)
