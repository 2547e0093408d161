# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`python_toolchain`: a runtime and what an extension module for it must know."""

load("@rules_python//python:defs.bzl", "PyRuntimeInfo")

PythonAbiInfo = provider(
    doc = "What names and compiles an extension module; field `abi` of the Python toolchain.",
    fields = {
        "abi_tag": "ABI tag of a wheel, for example `cp312` or `cp313t`.",
        "cc_info": "CcInfo of the interpreter's headers.",
        "ext_suffix": "File name ending of an extension module, for example `.cpython-312-x86_64-linux-gnu.so`.",
        "interpreter": "Absolute path of the interpreter. Keep it out of actions whose output is the same on every machine.",
        "python_tag": "Python tag of a wheel, for example `cp312`.",
        "version": "For example `3.12`, or `3.13t` for a free-threaded build.",
    },
)

def _python_toolchain_impl(ctx):
    runtime = ctx.attr.runtime[PyRuntimeInfo]
    abi = None
    if ctx.files.headers:
        # The headers' folder alone: no other version's, and nothing else of the system, is in reach.
        root = ctx.label.workspace_root + "/" if ctx.label.workspace_root else ""
        context = cc_common.create_compilation_context(
            headers = depset(ctx.files.headers),
            system_includes = depset([root + ctx.attr.include]),
        )
        abi = PythonAbiInfo(
            abi_tag = ctx.attr.abi_tag,
            cc_info = CcInfo(compilation_context = context),
            ext_suffix = ctx.attr.ext_suffix,
            interpreter = runtime.interpreter_path,
            python_tag = ctx.attr.python_tag,
            version = ctx.attr.version,
        )
    return [platform_common.ToolchainInfo(
        py2_runtime = None,
        py3_runtime = runtime,
        abi = abi,
    )]

python_toolchain = rule(
    implementation = _python_toolchain_impl,
    doc = "A Python toolchain, like `py_runtime_pair`, whose field `abi` (`PythonAbiInfo`) also serves extension modules and wheels; `abi` is None where there are no headers.",
    attrs = {
        "abi_tag": attr.string(doc = "ABI tag, for example `cp312`."),
        "ext_suffix": attr.string(doc = "The interpreter's EXT_SUFFIX."),
        "headers": attr.label_list(allow_files = True, doc = "The interpreter's headers. Default: none, and no `abi`."),
        "include": attr.string(doc = "Folder of `headers` that holds Python.h, relative to the repository."),
        "python_tag": attr.string(doc = "Python tag, for example `cp312`."),
        "runtime": attr.label(mandatory = True, providers = [PyRuntimeInfo], doc = "The `py_runtime`."),
        "version": attr.string(doc = "Version, for example `3.12`."),
    },
)
