# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_audit_test`: a wheel passes the audit."""

load(":py_wheel_info.bzl", "PyWheelInfo")
load(":report_test.bzl", "report_test")

def _wheel_audit_test_impl(ctx):
    arguments = ctx.actions.args()
    inputs = [ctx.file.wheel]
    if ctx.file.settings:
        arguments.add("--settings", ctx.file.settings)
        inputs.append(ctx.file.settings)
    if ctx.attr.policy:
        arguments.add("--policy", ctx.attr.policy)
    if ctx.attr.cuda:
        arguments.add_joined("--cuda", [str(major) for major in ctx.attr.cuda], join_with = ",")
    if ctx.attr.archs:
        arguments.add_joined("--archs", ctx.attr.archs, join_with = ",")
    if PyWheelInfo in ctx.attr.wheel:
        arguments.add_all(ctx.attr.wheel[PyWheelInfo].grafted, before_each = "--allow-grafted")
    if ctx.attr.strict:
        arguments.add("--strict")
    arguments.add(ctx.file.wheel)
    return report_test(ctx, ctx.executable._audit, arguments, inputs, "PyWheelAudit")

wheel_audit_test = rule(
    implementation = _wheel_audit_test_impl,
    doc = "Fails when the audit finds an error in a wheel. The checks are listed in the audit's reference; output group `report` has the report. The `libraries` of a `repaired_wheel` may be in the wheel, as if `allow-grafted` named them.",
    attrs = {
        "archs": attr.string_list(doc = "GPU code that every file with device code must have, such as `sm_90a` and `compute_90`. Default: not checked."),
        "cuda": attr.int_list(doc = "CUDA majors that the wheel must serve. Default: not checked."),
        "policy": attr.string(doc = "Platform to hold the wheel to, such as `manylinux_2_27`. Default: that of its tags."),
        "settings": attr.label(allow_single_file = [".toml"], doc = "A pyproject.toml with `[tool.tilewright-audit]`; what is given here comes before it. Default: none."),
        "strict": attr.bool(doc = "Whether warnings fail, too. Default: no."),
        "wheel": attr.label(
            allow_single_file = [".whl"],
            mandatory = True,
            doc = "The wheel: a target that makes one, or a file.",
        ),
        "_audit": attr.label(default = "//tools/wheel/audit", cfg = "exec", executable = True),
    },
    test = True,
)
