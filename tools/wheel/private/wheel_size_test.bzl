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

wheel_size_test = rule(
    implementation = _wheel_size_test_impl,
    doc = "Fails when a wheel is bigger than declared, or than its package index takes; the report has its biggest files.",
    attrs = {
        "max_bytes": attr.int(mandatory = True, doc = "Most bytes that the wheel may have."),
        "wheel": attr.label(
            allow_single_file = [".whl"],
            mandatory = True,
            doc = "The wheel: a target that makes one, or a file.",
        ),
        "_audit": attr.label(default = "//tools/wheel/audit", cfg = "exec", executable = True),
    },
    test = True,
)
