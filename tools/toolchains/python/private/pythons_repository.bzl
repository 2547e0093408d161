# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pythons_repository`: looks the machine's Python interpreters up and writes their targets."""

_BUILD = """\
load("@tilewright//tools/toolchains/python:defs.bzl", "tool_python")

tool_python(
    name = "tool_python",
    interpreter = "{tool}",
    visibility = ["//visibility:public"],
)
"""

def _pythons_repository_impl(rctx):
    rctx.getenv("PATH")
    found = rctx.which("python3")
    if not found:
        fail("`{}`: no `python3` on PATH, which build actions run on\nhint: install Python 3.10 or newer, or build with `./tools/bazel`".format(rctx.name))

    # A shim or a virtual environment leads to the interpreter itself.
    code = "import sys; assert sys.version_info >= (3, 10), sys.version; print(sys._base_executable)"
    result = rctx.execute([found, "-I", "-c", code])
    if result.return_code:
        fail("`{}`: `{}` is no Python 3.10 or newer, which build actions run on\n{}hint: put a newer `python3` first on PATH, or build with `./tools/bazel`".format(rctx.name, found, result.stderr))
    rctx.file("BUILD", _BUILD.format(tool = result.stdout.strip()))

pythons_repository = repository_rule(
    implementation = _pythons_repository_impl,
    doc = "Looks the machine's Python interpreters up and writes their targets.",
    local = False,
)
