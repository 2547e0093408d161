# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The two C++ standard libraries: zig's libc++, and Debian's libstdc++."""

LIBCXX_LIBRARIES = [
    "libc++.a",
    "libc++abi.a",
    "libunwind.a",
]

# In the order in which clang must search them.
_LIBCXX_INCLUDES = [
    "libcxx/include",
    "libcxxabi/include",
    "libunwind/include",
]

# How zig configures the libc++ that `zig_runtime` builds; headers must agree with the archive.
_LIBCXX_DEFINES = [
    "_LIBCPP_ABI_VERSION=1",
    "_LIBCPP_ABI_NAMESPACE=__1",
    "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS",
    "_LIBCPP_PSTL_CPU_BACKEND_SERIAL",
    "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
]

_LIBSTDCXX_INCLUDES = [
    "c++/12",
    "x86_64-linux-gnu/c++/12",
]

def libcxx_flags(folder):
    """Returns the compiler's flags that find and configure libc++.

    Args:
      folder: zig's folder `lib`.
    """
    return _isystem(folder, _LIBCXX_INCLUDES) + ["-D" + define for define in _LIBCXX_DEFINES]

def libstdcxx_flags(folder):
    """Returns the compiler's flags that find libstdc++, which nvcc's front end needs: it rejects libc++.

    Args:
      folder: the folder with its headers.
    """
    return _isystem(folder, _LIBSTDCXX_INCLUDES)

def _isystem(folder, includes):
    return [word for include in includes for word in ("-isystem", folder + "/" + include)]
