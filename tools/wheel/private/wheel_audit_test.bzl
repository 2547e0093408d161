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

_wheel_audit_test = rule(
    implementation = _wheel_audit_test_impl,
    attrs = {
        "archs": attr.string_list(),
        "cuda": attr.int_list(),
        "policy": attr.string(),
        "settings": attr.label(allow_single_file = [".toml"]),
        "strict": attr.bool(),
        "wheel": attr.label(allow_single_file = [".whl"], mandatory = True),
        "_audit": attr.label(default = "//tools/wheel/audit", cfg = "exec", executable = True),
    },
    test = True,
)

def wheel_audit_test(
        name,
        wheel,
        archs = [],
        cuda = [],
        policy = "",
        settings = None,
        strict = False,
        size = "small",
        **kwargs):
    """Fails when the audit finds an error in a wheel. The checks are listed in the audit's reference.

    The `libraries` of a `repaired_wheel` may be in the wheel, as if `allow-grafted` named them.

    A macro, because no rule can say how long its tests take. Makes one target, `NAME`; its output group `report` has the
    report.

    Args:
      name: name of the target.
      wheel: the wheel: a target that makes one, or a file.
      archs: GPU code that every file with device code must have, such as `sm_90a` and `compute_90`. Default: not checked.
      cuda: CUDA majors that the wheel must serve, as numbers. Default: not checked.
      policy: platform to hold the wheel to, such as `manylinux_2_27`. Default: that of its tags.
      settings: a pyproject.toml with `[tool.tilewright-audit]`; what is given here comes before it. Default: none.
      strict: whether warnings fail, too. Default: no.
      size: size of the test. Default: `small`; a build action does the work.
      **kwargs: attributes common to all tests.
    """
    _wheel_audit_test(
        name = name,
        archs = archs,
        cuda = cuda,
        policy = policy,
        settings = settings,
        size = size,
        strict = strict,
        wheel = wheel,
        **kwargs
    )
