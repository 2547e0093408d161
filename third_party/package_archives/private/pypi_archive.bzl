# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pypi_archive`: wheels fetched by name, version and sha256, unpacked into one tree."""

load(":pip.bzl", "download_wheels", "run")

def _pypi_archive_impl(rctx):
    options = []
    if rctx.attr.python_version:
        digits = rctx.attr.python_version.replace(".", "")
        options = ["--implementation=cp", "--python-version=" + rctx.attr.python_version, "--abi=cp" + digits, "--abi=abi3", "--abi=none"]
        options += ["--platform=" + p for p in rctx.attr.platforms]
    for wheel in download_wheels(rctx, rctx.attr.packages, ".download", options):
        rctx.extract(wheel, stripPrefix = rctx.attr.strip_prefix)
    rctx.delete(".download")
    for patch in rctx.attr.patches:
        rctx.patch(patch, strip = 1)
    if rctx.attr.executables:
        run(rctx, ["chmod", "+x"] + rctx.attr.executables, "mark the tools as executable")
    for path, target in rctx.attr.links.items():
        rctx.symlink(target, path)
    rctx.symlink(rctx.attr.build_file, "BUILD")

pypi_archive = repository_rule(
    implementation = _pypi_archive_impl,
    doc = """Downloads wheels from the configured package index with pip and unpacks them over one another.

The index, credentials, proxies and certificates are pip's own settings. Nothing is built and no dependency is followed.
""",
    attrs = {
        "packages": attr.string_list_dict(mandatory = True, doc = "From a pinned requirement (`name==version`) to the sha256 digests that are accepted for its wheel."),
        "strip_prefix": attr.string(doc = "Folder of each wheel that becomes the root of the repository; what lies outside is dropped. Default: the wheel's root."),
        "python_version": attr.string(doc = "Select wheels for this CPython (`3.12`) rather than for the interpreter that runs pip. Default: the running one."),
        "platforms": attr.string_list(default = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux_2_12_x86_64", "manylinux2010_x86_64", "manylinux_2_5_x86_64", "manylinux1_x86_64", "linux_x86_64", "any"], doc = "Platform tags accepted where `python_version` is set."),
        "executables": attr.string_list(doc = "Paths in the repository that get their executable bit (wheels often lose it)."),
        "links": attr.string_dict(doc = "Symbolic links to add: from a path in the repository to the path there that it stands for."),
        "patches": attr.label_list(doc = "Patches applied in order, with one leading path component stripped."),
        "build_file": attr.label(mandatory = True, allow_single_file = True, doc = "The BUILD file of the repository."),
    },
)
