# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Derives a wheel's tags from what is inside and from the toolchains."""

load(":make_variables.bzl", "with_make_variables")
load(":python_abi.bzl", "python_abi")

_TAG_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."
_EXAMPLES = {"abi": "cp312", "platform": "linux_x86_64", "python_tag": "cp312"}

# Private attributes that a rule needs for `wheel_tags`.
PLATFORM_ATTRS = {
    "_cpu_aarch64": attr.label(default = "@platforms//cpu:aarch64"),
    "_cpu_x86_64": attr.label(default = "@platforms//cpu:x86_64"),
    "_os_linux": attr.label(default = "@platforms//os:linux"),
}

def wheel_tags(ctx, shared_object):
    """Works out the tags of a wheel; `any` with a shared object inside fails.

    Attributes that are set win, with make variables expanded.

    Args:
      ctx: rule context with `python_tag`, `abi`, `platform` and PLATFORM_ATTRS.
      shared_object: struct(file, path, label) of one shared object inside, or None.

    Returns:
      struct(python_tag, abi, platform).
    """
    python_tag = _given_tag(ctx, "python_tag")
    abi = _given_tag(ctx, "abi")
    platform = _given_tag(ctx, "platform")
    if not shared_object:
        return struct(
            python_tag = python_tag or "py3",
            abi = abi or "none",
            platform = platform or "any",
        )
    if platform == "any":
        fail(("{}: attribute `platform` is `any`, but the shared object `{}` (from {}) runs on" +
              " one platform only.\n" +
              "hint: leave `platform` unset so that it follows the target platform, or take the" +
              " file out of `deps`").format(ctx.label, shared_object.path, shared_object.label))
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
        platform = platform or _platform_tag(ctx, shared_object),
    )

def _given_tag(ctx, attribute):
    tag = with_make_variables(ctx, attribute)
    odd = [character for character in tag.elems() if character not in _TAG_CHARACTERS]
    if odd or (tag and "" in tag.split(".")):
        fail(("{}: attribute `{}` is {}, which is not a tag.\n" +
              "hint: write it like `{}`, with letters, digits and `_`; several are joined by `.`").format(
            ctx.label,
            attribute,
            repr(tag),
            _EXAMPLES[attribute],
        ))
    return tag

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
