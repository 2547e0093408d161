# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_toolkit_info`: describes a CUDA toolkit."""

load("//cuda/private:providers.bzl", "CudaToolkitInfo")

_TOOLS = {
    "bin2c": "The `bin2c` program.",
    "cicc": "The `cicc` program.",
    "fatbinary": "The `fatbinary` program.",
    "libdevice": "The `libdevice.10.bc` file.",
    "link_stub": "The `link.stub` file.",
    "nvlink": "The `nvlink` program.",
    "ptxas": "The `ptxas` program.",
}

def _cuda_toolkit_info_impl(ctx):
    parts = ctx.attr.version.split(".")
    if len(parts) < 2 or not all([part.isdigit() for part in parts[:2]]):
        fail("{}: `version`: `{}` is not a release of CUDA\nhint: write MAJOR.MINOR, for example `13.0`".format(ctx.label, ctx.attr.version))
    return [CudaToolkitInfo(
        path = ctx.expand_location(ctx.attr.path, ctx.attr.path_data),
        version_major = int(parts[0]),
        version_minor = int(parts[1]),
        **{name: getattr(ctx.file, name) for name in _TOOLS}
    )]

cuda_toolkit_info = rule(
    implementation = _cuda_toolkit_info_impl,
    doc = "Provides `CudaToolkitInfo`.",
    attrs = {
        "path": attr.string(mandatory = True, doc = "Root of the toolkit; `$(location)` of `path_data` is expanded."),
        "path_data": attr.label_list(allow_files = True, doc = "Targets that `path` refers to."),
        "version": attr.string(mandatory = True, doc = "Release of the toolkit, `MAJOR.MINOR`; what follows is ignored."),
    } | {name: attr.label(allow_single_file = True, doc = doc) for name, doc in _TOOLS.items()},
    provides = [CudaToolkitInfo],
)
