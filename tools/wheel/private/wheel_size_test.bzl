# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_size_test`: a wheel stays under a size."""

load(":report_test.bzl", "report_test")

def _wheel_size_test_impl(ctx):
    if ctx.attr.max_bytes <= 0:
        fail("{}: attribute `max_bytes` is {}, expected a number over 0".format(ctx.label, ctx.attr.max_bytes))
    arguments = ctx.actions.args()
    arguments.add("--only", "size-limit")
    arguments.add("--max-size", ctx.attr.max_bytes)
    arguments.add(ctx.file.wheel)
    return report_test(ctx, ctx.executable._audit, arguments, [ctx.file.wheel], "PyWheelSize")

_wheel_size_test = rule(
    implementation = _wheel_size_test_impl,
    attrs = {
        "max_bytes": attr.int(mandatory = True),
        "wheel": attr.label(allow_single_file = [".whl"], mandatory = True),
        "_audit": attr.label(default = "//tools/wheel/audit", cfg = "exec", executable = True),
    },
    test = True,
)

def wheel_size_test(name, wheel, max_bytes, size = "small", **kwargs):
    """Fails when a wheel is bigger than declared, or than its package index takes.

    A macro, because no rule can say how long its tests take. Makes one target, `NAME`; its output group `report` has the
    report.

    Args:
      name: name of the target.
      wheel: the wheel: a target that makes one, or a file.
      max_bytes: most bytes that the wheel may have.
      size: size of the test. Default: `small`; a build action does the work.
      **kwargs: attributes common to all tests.
    """
    _wheel_size_test(name = name, max_bytes = max_bytes, size = size, wheel = wheel, **kwargs)
