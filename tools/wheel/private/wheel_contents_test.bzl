# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_contents_test`: a wheel holds the files of a list, and no others."""

load(":report_test.bzl", "report_test")

def _wheel_contents_test_impl(ctx):
    arguments = ctx.actions.args()
    arguments.add(ctx.file.wheel)
    arguments.add(ctx.file.golden)
    return report_test(ctx, ctx.executable._contents, arguments, [ctx.file.wheel, ctx.file.golden], "PyWheelContents")

wheel_contents_test = rule(
    implementation = _wheel_contents_test_impl,
    doc = """Fails when a wheel holds other files than a list in the repository says, and shows the difference.

The list has one path a line, sorted or not; `#` starts a comment. `{version}` stands for the version in the names of
`.dist-info` and `.data`, `{extension}` for the part of an extension module's name that depends on the Python. Print the list of a
wheel with `bazel run //tools/wheel/contents -- WHEEL`.""",
    attrs = {
        "golden": attr.label(allow_single_file = True, mandatory = True, doc = "The list."),
        "wheel": attr.label(
            allow_single_file = [".whl"],
            mandatory = True,
            doc = "The wheel: a target that makes one, or a file.",
        ),
        "_contents": attr.label(default = "//tools/wheel/contents", cfg = "exec", executable = True),
    },
    test = True,
)
