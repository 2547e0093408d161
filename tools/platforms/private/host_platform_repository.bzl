# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`host_platform_repository`: the platform that build actions run on, with a hash of what they use of it."""

_BUILD = """\
platform(
    name = "exec",
    constraint_values = [
        "@platforms//cpu:x86_64",
        "@platforms//os:linux",
        "@tilewright//tools/platforms:build_machine",
    ],
    exec_properties = {{
        # {source}
        "tilewright-root": "{fingerprint}",
    }},
    visibility = ["//visibility:public"],
)

# The same machine elsewhere: a worker of --config=rbe says of itself what stands here.
platform(
    name = "remote",
    exec_properties = {{
        "ISA": "x86-64",
        "OSFamily": "Linux",
        "tilewright-root": "{fingerprint}",
    }},
    parents = [":exec"],
    visibility = ["//visibility:public"],
)
"""

# Sorted `name=version` lines of the installed packages, written by the launcher when it makes the root file system.
_MANIFEST = "/etc/tilewright-root-manifest"

# Elsewhere: the programs that actions use without declaring them, by what they say of themselves. The compiler is for
# `--config=host_toolchain`; a machine need not have one.
_PROBES = """
uname -m
ldd --version 2>&1 | head -n 1
readlink -f /bin/sh /bin/bash
bash --version | head -n 1
python3 -VV
"${CC:-gcc}" --version 2>/dev/null | head -n 1
readlink -f "$(command -v "${CC:-gcc}")"
"""

# The device node that every NVIDIA driver makes, and its stand-in under WSL.
_GPU_DEVICES = ["/dev/nvidiactl", "/dev/dxg"]

def _host_platform_repository_impl(rctx):
    if rctx.os.name != "linux" or rctx.os.arch not in ["amd64", "x86_64"]:
        fail("`{}`: build actions run on Linux x86-64 only, this is {} {}\nhint: build on such a machine or in a container of it; the pinned compilers are for it".format(
            rctx.name,
            rctx.os.name,
            rctx.os.arch,
        ))
    rctx.getenv("CC")
    rctx.getenv("PATH")
    rctx.watch(_MANIFEST)
    if rctx.path(_MANIFEST).exists:
        source = _MANIFEST
        result = rctx.execute(["sha256sum", _MANIFEST])
    else:
        source = "the C library, the shells, python3 and the C compiler"
        rctx.watch("/bin/sh")
        result = rctx.execute(["sh", "-c", "({}) | sha256sum".format(_PROBES)])
    if result.return_code:
        fail("`{}`: cannot take the fingerprint of {}\n{}".format(rctx.name, source, result.stderr))
    rctx.file("BUILD", _BUILD.format(source = source, fingerprint = result.stdout.split(" ")[0][:32]))

    # Not watched: Bazel takes the digest of what it watches, and a device has no content to read.
    has_gpu = any([rctx.path(device).exists for device in _GPU_DEVICES])
    rctx.file("gpu.bzl", "HAS_GPU = {}\n".format(has_gpu))

host_platform_repository = repository_rule(
    implementation = _host_platform_repository_impl,
    doc = "Writes `:exec`, the platform that build actions run on, `:remote`, that of remote workers, and `gpu.bzl`, whether the machine has an NVIDIA GPU.",
    # Looked up anew whenever Bazel's server starts.
    local = True,
)
