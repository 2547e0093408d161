# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`npm_archive`: one package of the npm registry, fetched by name, version and digest."""

load(":pip.bzl", "python", "run")

def _npm_archive_impl(rctx):
    rctx.file(".download/.folder")
    rctx.delete(".download/.folder")
    run(
        rctx,
        [
            rctx.path(rctx.attr.node),
            rctx.path(rctx.attr.npm),
            "pack",
            "--ignore-scripts",
            "--pack-destination=.download",
            rctx.attr.package,
        ],
        "download {} with npm".format(rctx.attr.package),
        environment = {
            "npm_config_cache": str(rctx.path(".npm")),
            "npm_config_update_notifier": "false",
        },
        hint = "check the network and npm's settings (`npm config list`), then run the build again",
    )
    for archive in rctx.path(".download").readdir():
        run(
            rctx,
            [python(rctx), "-I", "-c", _CHECK, archive, rctx.attr.integrity],
            "accept the download of {}".format(rctx.attr.package),
            hint = "check the package, then pin its digest where this repository is declared",
        )
        rctx.extract(archive, stripPrefix = "package")
    for directory in [".download", ".npm"]:
        rctx.delete(directory)
    rctx.symlink(rctx.attr.build_file, "BUILD")

# npm checks what it downloads against what the registry says; this is the check against what is pinned.
_CHECK = """\
import base64, hashlib, pathlib, sys
contents, pinned = pathlib.Path(sys.argv[1]).read_bytes(), sys.argv[2]
algorithm = pinned.partition("-")[0]
found = algorithm + "-" + base64.b64encode(hashlib.new(algorithm, contents).digest()).decode()
sys.exit(0 if found == pinned else f"its digest is {found}\\npinned is     {pinned}")
"""

npm_archive = repository_rule(
    implementation = _npm_archive_impl,
    doc = """Downloads a package from the configured npm registry with npm, checks its digest and unpacks it.

The registry, credentials, proxies and certificates are npm's own settings. No script of the package runs and no
dependency is followed.
""",
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True, doc = "The BUILD file of the repository."),
        "integrity": attr.string(mandatory = True, doc = "Digest of the archive as npm's lock files write it: `sha512-<base64>`."),
        "node": attr.label(mandatory = True, allow_single_file = True, doc = "The Node.js program that runs npm."),
        "npm": attr.label(mandatory = True, allow_single_file = True, doc = "npm's entry point, `npm-cli.js`."),
        "package": attr.string(mandatory = True, doc = "Pinned package, `name@version`."),
    },
)
