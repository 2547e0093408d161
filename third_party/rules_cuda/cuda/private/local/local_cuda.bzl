# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`local_cuda`: a CUDA toolkit of the machine, as a repository."""

_DEFAULT_PATH = "/usr/local/cuda"
_VARIABLES = ["CUDA_PATH", "CUDA_HOME"]
_LIBRARY_FOLDERS = ["lib64", "lib", "targets/x86_64-linux/lib"]
_HINT = "set CUDA_PATH to the folder of a whole toolkit, or register a CUDA toolchain and name its runtime with --@rules_cuda//cuda:runtime"

def _candidates(rctx):
    """Returns the folders in which a toolkit may lie; what was asked for comes alone."""
    asked = [rctx.attr.toolkit_path] + [rctx.getenv(variable) for variable in _VARIABLES]
    for folder in asked:
        if folder:
            return [folder]
    nvcc = rctx.which("nvcc")
    return ([str(nvcc.realpath.dirname.dirname)] if nvcc else []) + [_DEFAULT_PATH]

def _nvcc_version(rctx, root):
    """Returns nvcc's version, or None, and what nvcc printed."""
    result = rctx.execute([root.get_child("bin", "nvcc"), "--version"])
    for word in result.stdout.replace(",", " ").replace("\n", " ").split(" "):
        parts = word.removeprefix("V").split(".")
        if word.startswith("V") and len(parts) >= 2 and all([part.isdigit() for part in parts]):
            return ".".join(parts), ""
    return None, (result.stdout + result.stderr).strip()

def _inspect(rctx, candidates):
    """Returns (facts, None) of the first toolkit among the candidates, or (None, why there is none)."""
    roots = [candidate for candidate in candidates if rctx.path(candidate + "/bin/nvcc").exists]
    if not roots:
        return None, "no CUDA toolkit on this machine; looked for `bin/nvcc` in {}".format(", ".join(["`{}`".format(c) for c in candidates]))
    root = rctx.path(roots[0])
    version, printed = _nvcc_version(rctx, root)
    if not version:
        return None, "the CUDA toolkit in `{}` cannot be used: `bin/nvcc --version` names no version: {}".format(root, printed or "it printed nothing")
    runtime = "libcudart.so." + version.split(".")[0]
    folders = [folder for folder in _LIBRARY_FOLDERS if rctx.path("{}/{}/{}".format(root, folder, runtime)).exists]
    if not folders:
        return None, "the CUDA toolkit in `{}` cannot be used: none of {} has `{}`".format(root, ", ".join(["`{}`".format(f) for f in _LIBRARY_FOLDERS]), runtime)
    return struct(root = root, version = version, library = folders[0]), None

def _write(rctx, suffix, substitutions):
    """Writes the two BUILD files from the templates whose names end in `suffix`."""
    values = {"%{" + key + "}": value for key, value in substitutions.items()}
    rctx.template("BUILD", Label(":toolkit{}.BUILD.tpl".format(suffix)), values, executable = False)
    rctx.template("toolchain/BUILD", Label(":toolchain{}.BUILD.tpl".format(suffix)), values, executable = False)

def write_local_cuda(rctx, candidates):
    """Writes the repository of the first toolkit among `candidates`.

    It never fails: Bazel asks for the repository whenever it chooses a CUDA toolchain, and a build with another one must
    not suffer from a toolkit that it does not use. What uses this one fails to analyse and says why.

    Args:
      rctx: the repository context.
      candidates: list of str, folders in which a toolkit may lie.
    """
    toolkit, shortcoming = _inspect(rctx, candidates)
    if not toolkit:
        _write(rctx, "_absent", {"reason": repr("{}\nhint: {}".format(shortcoming, _HINT))})
        return
    rctx.symlink(toolkit.root, "toolkit")
    _write(rctx, "", {
        "library": "toolkit/" + toolkit.library,
        "major": toolkit.version.split(".")[0],
        "minor": toolkit.version.split(".")[1],
        "path": str(toolkit.root),
        "version": toolkit.version,
    })

def _local_cuda_impl(rctx):
    write_local_cuda(rctx, _candidates(rctx))

local_cuda = repository_rule(
    implementation = _local_cuda_impl,
    doc = """Makes a repository of a CUDA toolkit that is installed on the machine.

Targets: `:cuda_runtime`, `:cuda_runtime_static`, `:cuda_headers`, `:no_cuda_runtime`; the libraries `:cublas`, `:cufft`,
`:cufftw`, `:curand`, `:cusolver`, `:cusparse`, `:nvjitlink` and `:nvrtc`; the headers `:cub`, `:nvtx` and `:thrust`; and the
toolchain `//toolchain:nvcc-local-toolchain`. What the toolkit lacks fails to analyse and says so; without a toolkit, all of
them do.
""",
    attrs = {"toolkit_path": attr.string(doc = "Folder of the toolkit. Default: `CUDA_PATH`, else `CUDA_HOME`, else that of `nvcc` on `PATH`, else `/usr/local/cuda`.")},
    environ = _VARIABLES + ["PATH"],
    configure = True,
    local = True,
)
