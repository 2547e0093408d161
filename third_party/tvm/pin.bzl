# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned sources of the private TVM runtime, and the tvm-ffi release that `libtilewright_ffi.so` is built against."""

# The only package whose source distribution holds a full TVM tree: TileLang's fork of TVM 0.25.dev0 with tvm-ffi 0.1.11.
TVM_SDIST = struct(
    requirement = "tilelang==0.1.14",
    sha256 = "7ae0fba6c63dae80b3c9c5c11a70bb8d7165794994f290f36e2fe87bfb143cfc",
    strip_prefix = "tilelang-0.1.14/3rdparty/tvm",
    patches = [
        "//third_party/tvm:patches/0001-thread-pool-survives-fork.patch",
        "//third_party/tvm:patches/0002-leave-thread-affinity-alone.patch",
    ],
)

# Headers and the library to link against. Any later 0.1.x serves at run time: only its C ABI is used.
TVM_FFI_PACKAGES = {
    "apache-tvm-ffi==0.1.12": ["dc0acd7eeb0e451d5e3f686af3ba0b495fdbf97b5b54cf9a0f770cdafe0e691a"],
}
