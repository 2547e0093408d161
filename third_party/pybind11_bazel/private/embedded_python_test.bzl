# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`embedded_python_test`: runs a program with the selected Python's library loaded."""

_TOOLCHAIN_TYPE = "@bazel_tools//tools/python:toolchain_type"

def _embedded_python_test_impl(ctx):
    runtime = ctx.toolchains[_TOOLCHAIN_TYPE].py3_runtime
    interpreter = runtime.interpreter.short_path if runtime.interpreter else runtime.interpreter_path
    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        launcher,
        "#!/bin/sh\nexec '{}' -I '{}' '{}' \"$@\"\n".format(interpreter, ctx.file._run.short_path, ctx.executable.binary.short_path),
        is_executable = True,
    )
    runfiles = ctx.runfiles([ctx.executable.binary, ctx.file._run] + ctx.files.data, transitive_files = runtime.files)
    return [
        DefaultInfo(
            executable = launcher,
            runfiles = runfiles.merge_all([target[DefaultInfo].default_runfiles for target in [ctx.attr.binary] + ctx.attr.data]),
        ),
        RunEnvironmentInfo(
            environment = {
                name: ctx.expand_make_variables("env", ctx.expand_location(value, ctx.attr.data), {})
                for name, value in ctx.attr.env.items()
            },
            inherited_environment = ctx.attr.env_inherit,
        ),
    ]

embedded_python_test = rule(
    implementation = _embedded_python_test_impl,
    doc = "Runs `binary` with the shared library of the selected Python loaded before it and PYTHONHOME set.",
    attrs = {
        "binary": attr.label(mandatory = True, executable = True, cfg = "target", doc = "The program, linked with the interpreter's symbols left open."),
        "data": attr.label_list(allow_files = True, doc = "What the test reads; `args` and `env` may name it with `$(rootpath)` and its kin."),
        "env": attr.string_dict(doc = "Environment variables of the test."),
        "env_inherit": attr.string_list(doc = "Variables that the test gets from the environment of Bazel."),
        "_run": attr.label(default = "//private:run_embedded.py", allow_single_file = True),
    },
    test = True,
    toolchains = [_TOOLCHAIN_TYPE],
)
