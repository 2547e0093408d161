# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pypi_sdist`: one source distribution fetched by name, version and sha256."""

load(":pip.bzl", "PIP_HINT", "download_wheels", "python", "run")

# The client that downloads a source distribution without building it, with all it needs.
_CLIENT = {
    "anyio==4.16.0": ["c66ae634e0b8228396b801741beb3294326d4b6102f7bba4041c0dfb58c29026"],
    "h11==0.16.0": ["63cf8bbe7522de3bf65932fda1d9c2772064ffb3dae62d55932da54b31cb6c86"],
    "httpcore2==2.16.2": ["16051ae2a42f776007543f32de9349a317b23d2cbb4e1456b4bac0e88b87419a"],
    "httpx2==2.16.2": ["f05c13aade4c45dbf1c9060647a1058f0acad62398fad96e741269edb33d46f5"],
    "idna==3.20": ["ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c"],
    "packaging==26.4": ["81383611a09c1bc0b08b76e0fd5829d7c6824c65b27a6aee339da133f4233ea2"],
    "truststore==0.10.5": ["9aaaedaefaf06d8b206278cf8b5012bc897f485a874503501e12d776df78951c"],
    "typing_extensions==4.16.0": ["481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"],
    "unearth==0.19.0": ["f12c65341303ece9bee986db35ac8aa0d17df4fa000c728a76c8c3798b1f4cf1"],
}

def _pypi_sdist_impl(rctx):
    for wheel in download_wheels(rctx, _CLIENT, ".client.download"):
        rctx.extract(wheel, output = ".client")
    script = rctx.path(Label("//private:fetch_sdist.py"))
    run(
        rctx,
        [python(rctx), script, ".client", rctx.attr.requirement, rctx.attr.sha256, ".download"],
        "download the source distribution of {}".format(rctx.attr.requirement),
        hint = PIP_HINT,
    )
    for archive in rctx.path(".download").readdir():
        rctx.extract(archive, stripPrefix = rctx.attr.strip_prefix)
    for directory in [".client", ".client.download", ".download"]:
        rctx.delete(directory)
    for patch in rctx.attr.patches:
        rctx.patch(patch, strip = 1)
    rctx.symlink(rctx.attr.build_file, "BUILD")

pypi_sdist = repository_rule(
    implementation = _pypi_sdist_impl,
    doc = "Downloads a source distribution from the configured package index, checks its sha256 and unpacks a folder of it.",
    attrs = {
        "requirement": attr.string(mandatory = True, doc = "Pinned requirement, `name==version`."),
        "sha256": attr.string(mandatory = True, doc = "Digest of the archive."),
        "strip_prefix": attr.string(mandatory = True, doc = "Folder of the archive that becomes the root of the repository; what lies outside is dropped."),
        "patches": attr.label_list(doc = "Patches applied in order, with one leading path component stripped."),
        "build_file": attr.label(mandatory = True, allow_single_file = True, doc = "The BUILD file of the repository."),
    },
)
