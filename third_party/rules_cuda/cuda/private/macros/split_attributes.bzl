# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`split_attributes`: which attributes of a combined macro go to its library and which to its C++ target."""

_LIBRARY_ONLY = ["alwayslink", "archs", "deps", "hdrs", "ptxasopts", "rdc", "srcs"]

# The library's options for the device; the C++ target has no device code.
_DEVICE_OPTIONS = ["copts", "defines", "linkopts", "local_defines"]

# The library's options for the host, under the names that the C++ rules have for them.
_HOST_OPTIONS = {
    "host_copts": "copts",
    "host_defines": "defines",
    "host_linkopts": "linkopts",
    "host_local_defines": "local_defines",
}

def split_attributes(attributes, final_only):
    """Splits the attributes of `cuda_binary` or `cuda_test`.

    Args:
      attributes: dict, as the macro got them.
      final_only: names of attributes that only the C++ target has.

    Returns:
      (dict for the `cuda_library`, dict for the C++ target). What neither knows goes to both.
    """
    library, final = {"alwayslink": True}, {}
    for name, value in attributes.items():
        if name in final_only:
            final[name] = value
            continue
        if name == "visibility":
            final[name] = value
            continue
        library[name] = value
        if name in _HOST_OPTIONS:
            final[_HOST_OPTIONS[name]] = value
        elif name not in _LIBRARY_ONLY and name not in _DEVICE_OPTIONS and name != "includes":
            final[name] = value
    return library, final
