# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension `toolchain`: CUDA toolkits that are installed on the machine."""

load("//cuda/private/local:local_cuda.bzl", "local_cuda")

_local_toolchain = tag_class(
    doc = "Declares a repository with the toolchain and the libraries of a toolkit on the machine.",
    attrs = {
        "name": attr.string(default = "local_cuda", doc = "Name of the repository."),
        "toolkit_path": attr.string(doc = "Folder of the toolkit. Default: `CUDA_PATH`, else `CUDA_HOME`, else that of `nvcc` on `PATH`, else `/usr/local/cuda`."),
    },
)

def _toolchain_impl(mctx):
    # Only the root module's tags count; without any, this module's own.
    roots = [module for module in mctx.modules if module.is_root and module.tags.local_toolchain]
    declared = {}
    for module in roots or [module for module in mctx.modules if module.name == "rules_cuda"]:
        for tag in module.tags.local_toolchain:
            if declared.setdefault(tag.name, tag.toolkit_path) != tag.toolkit_path:
                fail("local_toolchain: `name`: `{}` is declared twice, with `{}` and `{}`\nhint: give each toolkit a name of its own".format(
                    tag.name,
                    declared[tag.name],
                    tag.toolkit_path,
                ))
    for name, toolkit_path in declared.items():
        local_cuda(name = name, toolkit_path = toolkit_path)

toolchain = module_extension(
    implementation = _toolchain_impl,
    doc = "Toolkits that are installed on the machine. Pinned toolkits need no extension: register a `cuda_toolchain` of your own.",
    tag_classes = {"local_toolchain": _local_toolchain},
)
