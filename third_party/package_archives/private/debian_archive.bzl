# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`debian_archive`: Debian packages fetched by name, version and sha256, unpacked into one tree."""

load(":pip.bzl", "python", "run")

def _debian_archive_impl(rctx):
    lock = {
        "suite": rctx.attr.suite,
        "components": rctx.attr.components,
        "packages": {name: hashes for name, hashes in rctx.attr.packages.items()},
    }
    rctx.file("lock.json", json.encode(lock))
    run(
        rctx,
        [python(rctx), rctx.path(Label("//private:fetch_debs.py")), "lock.json", ".download", ".tree"],
        "download {} from Debian {}".format(", ".join(rctx.attr.packages.keys()), rctx.attr.suite),
    )
    prefix = rctx.path(".tree/" + rctx.attr.strip_prefix) if rctx.attr.strip_prefix else rctx.path(".tree")
    for entry in prefix.readdir():
        run(rctx, ["mv", entry, entry.basename], "place {}".format(entry))
    for leftover in [".download", ".tree", "lock.json"]:
        rctx.delete(leftover)
    rctx.symlink(rctx.attr.build_file, "BUILD")

debian_archive = repository_rule(
    implementation = _debian_archive_impl,
    doc = """Downloads Debian packages with apt, checks their sha256 and unpacks them over one another.

The mirror is TILEWRIGHT_DEBIAN_MIRROR (a URL), else that of apt's sources in the file system that Bazel runs in: the launcher's
root has Debian's own, not the machine's. Proxies come from the environment.
""",
    attrs = {
        "packages": attr.string_list_dict(mandatory = True, doc = "From `name=version` to the sha256 digests that are accepted for that package."),
        "suite": attr.string(mandatory = True, doc = "Debian suite by code name, for example `trixie`. Use released suites: files of a moving one vanish."),
        "components": attr.string_list(default = ["main"], doc = "Archive areas to look in."),
        "strip_prefix": attr.string(doc = "Folder of the unpacked tree that becomes the root of the repository. Default: the tree's root."),
        "build_file": attr.label(mandatory = True, allow_single_file = True, doc = "The BUILD file of the repository."),
    },
)
