# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`package_tree`: wheels and Debian packages laid out as one tree by a table."""

load(":pip.bzl", "download_wheels", "python", "run")

def _package_tree_impl(rctx):
    lock = {"suite": rctx.attr.suite, "components": rctx.attr.components, "packages": rctx.attr.debs}
    rctx.file(".lock.json", json.encode(lock))
    run(
        rctx,
        [python(rctx), rctx.path(Label("//private:fetch_debs.py")), ".lock.json", ".debs", ".tree"],
        "download {} from Debian {}".format(", ".join(rctx.attr.debs.keys()), rctx.attr.suite),
    )
    for wheel in download_wheels(rctx, rctx.attr.wheels, ".wheels"):
        rctx.extract(wheel, output = ".tree")
    rctx.file(".layout.json", json.encode(rctx.attr.layout))
    run(
        rctx,
        [python(rctx), rctx.path(Label("//private:lay_out.py")), ".layout.json", ".tree"],
        "lay out the packages' files",
    )
    for leftover in [".wheels", ".debs", ".tree", ".lock.json", ".layout.json"]:
        rctx.delete(leftover)
    for label, path in rctx.attr.files.items():
        rctx.file(path, rctx.read(label), executable = False)
    if rctx.attr.executables:
        run(rctx, ["chmod", "+x"] + rctx.attr.executables, "mark the tools as executable")
    rctx.symlink(rctx.attr.build_file, "BUILD")

package_tree = repository_rule(
    implementation = _package_tree_impl,
    doc = """Downloads wheels and Debian packages, checks their sha256, and keeps of them what `layout` names, where it says.

The packages come from where `pypi_archive` and `debian_archive` take theirs.
""",
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True, doc = "The BUILD file of the repository."),
        "components": attr.string_list(default = ["main"], doc = "Areas of the Debian archive to look in."),
        "debs": attr.string_list_dict(mandatory = True, doc = "From `name=version` to the sha256 digests that are accepted for that Debian package."),
        "executables": attr.string_list(doc = "Paths in the repository that get their executable bit."),
        "files": attr.label_keyed_string_dict(allow_files = True, doc = "From a file of the caller to its path in the repository."),
        "layout": attr.string_list_dict(mandatory = True, doc = "From a folder of the repository to what it holds: paths in the unpacked packages; one that ends in `/` stands for what the folder holds."),
        "suite": attr.string(mandatory = True, doc = "Debian suite by code name. Use released suites: files of a moving one vanish."),
        "wheels": attr.string_list_dict(mandatory = True, doc = "From `name==version` to the sha256 digests that are accepted for that wheel."),
    },
)
