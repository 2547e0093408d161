# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`local_cuda`: a CUDA toolkit of the machine, as a repository."""

_DEFAULT_PATH = "/usr/local/cuda"
_LIBRARY_FOLDERS = ["lib64", "lib", "targets/x86_64-linux/lib"]

def _find(rctx):
    """Returns (the toolkit's folder or None, where it was looked for)."""
    if rctx.attr.toolkit_path:
        candidates = [rctx.attr.toolkit_path]
    elif rctx.getenv("CUDA_PATH"):
        candidates = [rctx.getenv("CUDA_PATH")]
    else:
        nvcc = rctx.which("nvcc")
        candidates = [str(nvcc.realpath.dirname.dirname)] if nvcc else []
        candidates.append(_DEFAULT_PATH)
    for candidate in candidates:
        if rctx.path(candidate + "/bin/nvcc").exists:
            return rctx.path(candidate), candidates
    return None, candidates

def _nvcc_version(rctx, root):
    result = rctx.execute([root.get_child("bin", "nvcc"), "--version"])
    for word in result.stdout.replace(",", " ").replace("\n", " ").split(" "):
        parts = word.removeprefix("V").split(".")
        if word.startswith("V") and len(parts) >= 2 and all([part.isdigit() for part in parts]):
            return ".".join(parts)
    fail("`{}`: `{}/bin/nvcc --version` names no version\n{}{}".format(rctx.name, root, result.stdout, result.stderr))

def _write(rctx, suffix, substitutions):
    """Writes the two BUILD files from the templates whose names end in `suffix`."""
    values = {"%{" + key + "}": value for key, value in substitutions.items()}
    rctx.template("BUILD", Label(":toolkit{}.BUILD.tpl".format(suffix)), values, executable = False)
    rctx.template("toolchain/BUILD", Label(":toolchain{}.BUILD.tpl".format(suffix)), values, executable = False)

def _local_cuda_impl(rctx):
    root, candidates = _find(rctx)
    if not root:
        _write(rctx, "_absent", {"places": ", ".join(["`{}`".format(c) for c in candidates])})
        return

    rctx.symlink(root, "toolkit")
    library = [folder for folder in _LIBRARY_FOLDERS if root.get_child(folder).exists]
    if not library:
        fail("`{}`: `{}` has none of {}".format(rctx.name, root, ", ".join(_LIBRARY_FOLDERS)))
    version = _nvcc_version(rctx, root)
    _write(rctx, "", {
        "library": "toolkit/" + library[0],
        "major": version.split(".")[0],
        "minor": version.split(".")[1],
        "path": str(root),
        "version": version,
    })

local_cuda = repository_rule(
    implementation = _local_cuda_impl,
    doc = """Makes a repository of a CUDA toolkit that is installed on the machine.

Targets: `:cuda_runtime`, `:cuda_runtime_static`, `:cuda_headers`, `:no_cuda_runtime`, and the toolchain
`//toolchain:nvcc-local-toolchain`. Without a toolkit, whatever uses them fails to analyse and says where it was looked for.
""",
    attrs = {"toolkit_path": attr.string(doc = "Folder of the toolkit. Default: `CUDA_PATH`, else that of `nvcc` on `PATH`, else `/usr/local/cuda`.")},
    environ = ["CUDA_PATH", "PATH"],
    configure = True,
    local = True,
)
