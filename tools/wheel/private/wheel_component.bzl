# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_component`: declares a part of a wheel that comes from elsewhere."""

load(":wheel_component_info.bzl", "WheelComponentInfo")

_SOURCE = {
    "source_sha256": attr.string(
        doc = "sha256, in hexadecimal, of the archive that it was taken from.",
    ),
    "source_url": attr.string(
        doc = "Where that archive is found: its address, or a package URL.",
    ),
}

def _wheel_component_impl(ctx):
    if ctx.attr.source_sha256 and not ctx.attr.source_url:
        fail("{}: attribute `source_sha256` is set, `source_url` is not.\nhint: say what the hash is of".format(ctx.label))
    return [WheelComponentInfo(component = struct(
        name = ctx.attr.component or ctx.label.name,
        version = ctx.attr.version,
        purl = ctx.attr.purl,
        linkage = ctx.attr.linkage,
        license_expression = ctx.attr.license_expression,
        files = ctx.attr.files,
        source_url = ctx.attr.source_url,
        source_sha256 = ctx.attr.source_sha256,
        notes = ctx.attr.notes,
        label = str(ctx.label),
    ))]

wheel_component = rule(
    implementation = _wheel_component_impl,
    doc = """Declares a part of a wheel that comes from elsewhere, for `components` of `py_wheel`.

The wheel gets a CycloneDX bill of materials of its components (PEP 770). Libraries that `repaired_wheel` copies into a
wheel need no declaration: the repair writes a bill of its own.""",
    attrs = _SOURCE | {
        "component": attr.string(
            doc = "Its name. Default: the target's name.",
        ),
        "files": attr.string_list(
            mandatory = True,
            allow_empty = False,
            doc = "The files of the wheel that hold it, as paths in the wheel; `*` stands for any characters. Each must match a file.",
        ),
        "license_expression": attr.string(
            mandatory = True,
            doc = "SPDX expression.",
        ),
        "linkage": attr.string(
            mandatory = True,
            values = ["header-only", "static", "vendored"],
            doc = "How it is in those files: linked (`static`), compiled from headers (`header-only`), or as it is (`vendored`).",
        ),
        "notes": attr.string(
            doc = "What was changed, or other remarks.",
        ),
        "purl": attr.string(
            mandatory = True,
            doc = "Package URL, such as `pkg:pypi/pybind11@3.1.0`.",
        ),
        "version": attr.string(
            mandatory = True,
            doc = "Its version.",
        ),
    },
    provides = [WheelComponentInfo],
)
