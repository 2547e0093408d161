# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Derives a wheel's tags from what is inside and from the toolchains."""

load(":python_abi.bzl", "python_abi")

# Private attributes that a rule needs for `wheel_tags`.
PLATFORM_ATTRS = {
    "_cpu_aarch64": attr.label(default = "@platforms//cpu:aarch64"),
    "_cpu_x86_64": attr.label(default = "@platforms//cpu:x86_64"),
    "_os_linux": attr.label(default = "@platforms//os:linux"),
}

def wheel_tags(ctx, shared_object):
    """Works out the tags of a wheel; `any` with a shared object inside fails.

    Attributes that are set win.

    Args:
      ctx: rule context with `python_tag`, `abi`, `platform` and PLATFORM_ATTRS.
      shared_object: struct(file, path, label) of one shared object inside, or None.

    Returns:
      struct(python_tag, abi, platform).
    """
    if not shared_object:
        return struct(
            python_tag = ctx.attr.python_tag or "py3",
            abi = ctx.attr.abi or "none",
            platform = ctx.attr.platform or "any",
        )
    if ctx.attr.platform == "any":
        fail(("{}: attribute `platform` is `any`, but the shared object `{}` (from {}) runs on" +
              " one platform only.\n" +
              "hint: leave `platform` unset so that it follows the target platform, or take the" +
              " file out of `deps`").format(ctx.label, shared_object.path, shared_object.label))
    python_tag, abi = ctx.attr.python_tag, ctx.attr.abi
    if not (python_tag and abi):
        found = python_abi(ctx, "the wheel holds `{}` (from {})".format(
            shared_object.path,
            shared_object.label,
        ))
        python_tag = python_tag or found.python_tag
        abi = abi or found.abi_tag
    return struct(
        python_tag = python_tag,
        abi = abi,
        platform = ctx.attr.platform or _platform_tag(ctx, shared_object),
    )

def _platform_tag(ctx, shared_object):
    processors = {"linux_aarch64": ctx.attr._cpu_aarch64, "linux_x86_64": ctx.attr._cpu_x86_64}
    for tag, processor in processors.items():
        if _has(ctx, ctx.attr._os_linux) and _has(ctx, processor):
            return tag
    fail(("{}: no platform tag is known for the target platform, which is needed because the wheel" +
          " holds `{}` (from {}).\n" +
          "hint: build for {}, or set attribute `platform`").format(
        ctx.label,
        shared_object.path,
        shared_object.label,
        " or ".join(["`{}`".format(tag) for tag in processors]),
    ))

def _has(ctx, constraint):
    return ctx.target_platform_has_constraint(constraint[platform_common.ConstraintValueInfo])
