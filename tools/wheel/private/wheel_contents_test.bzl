# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_contents_test`: a wheel holds the files of a list, and no others."""

load(":report_test.bzl", "report_test")

def _wheel_contents_test_impl(ctx):
    arguments = ctx.actions.args()
    arguments.add(ctx.file.wheel)
    arguments.add(ctx.file.golden)
    return report_test(ctx, ctx.executable._contents, arguments, [ctx.file.wheel, ctx.file.golden], "PyWheelContents")

_wheel_contents_test = rule(
    implementation = _wheel_contents_test_impl,
    attrs = {
        "golden": attr.label(allow_single_file = True, mandatory = True),
        "wheel": attr.label(allow_single_file = [".whl"], mandatory = True),
        "_contents": attr.label(default = "//tools/wheel/contents", cfg = "exec", executable = True),
    },
    test = True,
)

def wheel_contents_test(name, wheel, golden, size = "small", **kwargs):
    """Fails when a wheel holds other files than a list in the repository says, and shows the difference.

    The list has one path a line, sorted or not; `#` starts a comment. `{version}` stands for the version in the names of
    `.dist-info` and `.data`, `{extension}` for the part of an extension module's name that depends on the Python. Print the
    list of a wheel with `bazel run //tools/wheel/contents -- WHEEL`.

    A macro, because no rule can say how long its tests take. Makes one target, `NAME`; its output group `report` has the
    report.

    Args:
      name: name of the target.
      wheel: the wheel: a target that makes one, or a file.
      golden: the list.
      size: size of the test. Default: `small`; a build action does the work.
      **kwargs: attributes common to all tests.
    """
    _wheel_contents_test(name = name, golden = golden, size = size, wheel = wheel, **kwargs)
