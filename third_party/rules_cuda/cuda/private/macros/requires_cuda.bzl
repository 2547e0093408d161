# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`requires_cuda`: marks targets that need CUDA."""

_CONDITIONS = {
    Label("//cuda:is_enabled"): Label("//cuda:rules_are_enabled"),
    Label("//cuda:is_valid_toolchain_found"): Label("//cuda:valid_toolchain_is_configured"),
}

def requires_cuda():
    """Returns a value for `target_compatible_with` that holds where CUDA is enabled and has a toolchain.

    Elsewhere Bazel leaves the target out of wildcards, skips it as a test, and refuses it where it is named.
    """
    constraints = []
    for condition, unmet in _CONDITIONS.items():
        constraints += select({
            condition: [],
            "//conditions:default": [unmet],
        })
    return constraints
