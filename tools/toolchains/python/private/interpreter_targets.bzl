# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`interpreter_targets`: what the repository of interpreters declares for each of them."""

load("@rules_python//python:defs.bzl", "py_runtime")
load(":python_toolchain.bzl", "python_toolchain")

def interpreter_targets(name, path, full_version, include = None, **abi):
    """Declares one interpreter.

    Makes `NAME_runtime` (py_runtime), `NAME` (python_toolchain), `is_NAME` (config_setting) and `toolchain_NAME` (toolchain).

    Args:
      name: the version, or `tool` for the interpreter of build actions.
      path: absolute path of the interpreter.
      full_version: the version with its patch level; it stands in every launcher, so that an upgrade in place reruns tests.
      include: folder of the headers in the calling package. Default: none.
      **abi: attributes of `python_toolchain`.
    """
    py_runtime(
        name = name + "_runtime",
        bootstrap_template = Label("//tools/toolchains/python/private:bootstrap.py.tpl"),
        interpreter_path = path,
        python_version = "PY3",
        stub_shebang = "#!{} -IS\n# CPython {}".format(path, full_version),
    )

    python_toolchain(
        name = name,
        headers = native.glob([include + "/**"]) if include else [],
        include = include or "",
        runtime = name + "_runtime",
        visibility = ["//visibility:public"],
        **abi
    )

    native.config_setting(
        name = "is_" + name,
        flag_values = {str(Label("//tools/toolchains/python:selected")): name},
        visibility = ["//visibility:public"],
    )

    native.toolchain(
        name = "toolchain_" + name,
        target_settings = ["is_" + name],
        toolchain = name,
        toolchain_type = "@bazel_tools//tools/python:toolchain_type",
    )
