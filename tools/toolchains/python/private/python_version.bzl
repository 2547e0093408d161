# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`python_version_flag` and `selected_python`: which Python a target is built for."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

# What `selected_python` gives in the configuration of tools: the interpreter that build actions run on.
TOOL = "tool"

# The oldest CPython that wheels are made for.
_OLDEST = (3, 10)

def _hint(version):
    numbers = [int(part) for part in version.split(".") if part.isdigit()]
    if len(numbers) != 2 or version.count(".") != 1:
        return "choose one of these, written like 3.12"
    if tuple(numbers) < _OLDEST:
        return "choose one of these; {}.{} is the oldest that wheels are made for".format(*_OLDEST)
    return "choose one of these, or install {} with its headers".format(version)

def _python_version_flag_impl(ctx):
    version = ctx.build_setting_value
    if version not in ctx.attr.available:
        fail("""{label}: `--{flag}={version}`: no usable CPython {version} on this machine; found: {found}
hint: {hint}; `bazel run {list}` says what was passed over and why""".format(
            hint = _hint(version),
            label = ctx.label,
            flag = str(ctx.label).replace("@@//", "//"),
            version = version,
            found = ", ".join(["{} ({})".format(v, p) for v, p in ctx.attr.available.items()]) or "none",
            list = str(ctx.label.relative(":list")).replace("@@//", "//"),
        ))
    return [BuildSettingInfo(value = version)]

python_version_flag = rule(
    implementation = _python_version_flag_impl,
    doc = "Build setting that chooses the CPython that wheels are made for and tests run on. An absent version is an error that names those present.",
    build_setting = config.string(flag = True),
    attrs = {
        "available": attr.string_dict(mandatory = True, doc = "From each version found on this machine to its interpreter's path."),
    },
)

def _selected_python_impl(ctx):
    if ctx.target_platform_has_constraint(ctx.attr._build_machine[platform_common.ConstraintValueInfo]):
        return [config_common.FeatureFlagInfo(value = TOOL)]
    return [config_common.FeatureFlagInfo(value = ctx.attr.version[BuildSettingInfo].value)]

selected_python = rule(
    implementation = _selected_python_impl,
    doc = """The Python of the current configuration, for `config_setting(flag_values = ...)`.

Bazel 7 carries the flag into the configuration of tools; there it counts for nothing and the value is `tool`.
""",
    attrs = {
        "version": attr.label(mandatory = True, providers = [BuildSettingInfo], doc = "The flag."),
        "_build_machine": attr.label(default = "//tools/platforms:build_machine", providers = [platform_common.ConstraintValueInfo]),
    },
)
