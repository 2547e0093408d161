# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`stand_in_toolkit`: what `local_cuda` makes of a toolkit that a test lays out."""

load("@rules_cuda//cuda/private/local:local_cuda.bzl", "write_local_cuda")  # buildifier: disable=bzl-visibility

def _stand_in_toolkit_impl(rctx):
    if rctx.attr.nvcc:
        rctx.file("cuda/bin/nvcc", "#!/bin/sh\n" + rctx.attr.nvcc)
    for path in rctx.attr.files:
        rctx.file("cuda/" + path)
    write_local_cuda(rctx, [str(rctx.path("cuda"))])

stand_in_toolkit = repository_rule(
    implementation = _stand_in_toolkit_impl,
    doc = "Lays out a CUDA toolkit of empty files and describes it as `local_cuda` does.",
    attrs = {
        "files": attr.string_list(doc = "Files of the toolkit."),
        "nvcc": attr.string(doc = "Shell script in the place of nvcc. Default: there is none."),
    },
)
