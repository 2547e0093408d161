# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`make_variables`: make variables for the targets that name it in `toolchains`."""

def _make_variables_impl(ctx):
    return [platform_common.TemplateVariableInfo(ctx.attr.variables)]

make_variables = rule(
    implementation = _make_variables_impl,
    doc = "Provides TemplateVariableInfo.",
    attrs = {
        "variables": attr.string_dict(
            mandatory = True,
            doc = "Values by name.",
        ),
    },
)
