# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_extension`: an extension module under the name that its Python imports."""

load(":python_abi.bzl", "PYTHON_TOOLCHAIN", "python_abi")
load(":shared_objects.bzl", "is_shared_object")

def _wheel_extension_impl(ctx):
    files = [file for file in ctx.files.extension if is_shared_object(file.basename)]
    if len(files) != 1:
        fail("{}: attribute `extension`: {} gives {} shared objects, exactly one is an extension module.\nhint: name a target like those of `pybind_extension`".format(
            ctx.label,
            ctx.attr.extension.label,
            len(files),
        ))
    abi = python_abi(ctx, "the file name of the extension module ends in it")
    module = ctx.attr.module_name or files[0].basename.split(".")[0]
    output = ctx.actions.declare_file(module + abi.ext_suffix)
    ctx.actions.symlink(
        output = output,
        target_file = files[0],
        progress_message = "Naming extension module %{output}",
    )
    return [DefaultInfo(files = depset([output]), runfiles = ctx.runfiles([output]))]

wheel_extension = rule(
    implementation = _wheel_extension_impl,
    doc = "Names an extension module for the selected Python: `_C.so` becomes `_C.cpython-312-x86_64-linux-gnu.so`.",
    attrs = {
        "extension": attr.label(
            allow_files = True,
            mandatory = True,
            doc = "The extension module; of its default outputs, the one shared object.",
        ),
        "module_name": attr.string(
            doc = "Name of the module. Default: the file's name up to the first dot.",
        ),
    },
    toolchains = [PYTHON_TOOLCHAIN],
)
