# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Make variables in attributes of `py_wheel`."""

def with_make_variables(ctx, attribute):
    """Returns an attribute's value with make variables expanded; an unknown one is left as written.

    Args:
      ctx: rule context.
      attribute: str, name of a string attribute.
    """
    value = getattr(ctx.attr, attribute)
    for variable, replacement in ctx.var.items() if "$(" in value else []:
        value = value.replace("$({})".format(variable), replacement)
    return value
