# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`requires_cuda`: marks targets that need CUDA."""

_CONDITIONS = {
    Label("//cuda:is_enabled"): Label("//cuda:rules_are_enabled"),
    Label("//cuda:is_valid_toolchain_found"): Label("//cuda:valid_toolchain_is_configured"),
}

def requires_cuda():
    """Marks a target that needs CUDA, through `target_compatible_with = requires_cuda()`.

    Where CUDA is disabled or has no toolchain, Bazel leaves such a target out of wildcards, skips it as a test, and refuses
    it where it is named.

    Returns:
      a value for `target_compatible_with`.
    """
    constraints = []
    for condition, unmet in _CONDITIONS.items():
        constraints += select({
            condition: [],
            "//conditions:default": [unmet],
        })
    return constraints
