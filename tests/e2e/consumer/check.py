# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds in another repository with the rules and toolchains of this one, through the launcher.

usage: python3 -m tests.e2e.consumer.check [--work DIR] [-- BAZEL_FLAG...]

The repository is made in DIR: a CUDA library, a pybind11 extension, and modules by
`local_path_override` as docs/reference/rules_cuda.md has them. Nothing may come from a module
registry besides the launcher's. It has an output base of its own, so toolchains are fetched anew.
Exit code 0 when the library and the extension are there.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile

from tests.e2e.wheels import REPOSITORY

MODULE = """\
module(name = "consumer")

bazel_dep(name = "pybind11_bazel", version = "3.0.1")
bazel_dep(name = "rules_cuda", version = "0.2.5")
bazel_dep(name = "tilewright", version = "{version}")
"""
OVERRIDE = 'local_path_override(module_name = "{name}", path = "{path}")\n'

FILES = {
    ".bazelrc": """\
common --noenable_workspace
build -c opt --force_pic --incompatible_strict_action_env
build --@rules_cuda//cuda:archs=compute_80:sm_80
build --@rules_cuda//cuda:runtime=@tilewright//tools/toolchains/cuda:runtime
""",
    "BUILD": """\
load("@pybind11_bazel//:build_defs.bzl", "pybind_extension")
load("@rules_cuda//cuda:defs.bzl", "cuda_library")

cuda_library(name = "scale", srcs = ["scale.cu"])

pybind_extension(name = "answer", srcs = ["answer.cc"])
""",
    "answer.cc": """\
#include <pybind11/pybind11.h>
PYBIND11_MODULE(answer, module) { module.attr("answer") = 42; }
""",
    "scale.cu": "__global__ void Scale(float* x, float factor) { x[threadIdx.x] *= factor; }\n",
}


def write_workspace(folder: pathlib.Path) -> None:
    """Writes the other repository."""
    version = (REPOSITORY / "VERSION").read_text().strip()
    module = MODULE.format(version=version) + OVERRIDE.format(name="tilewright", path=REPOSITORY)
    for name in ("package_archives", "pybind11_bazel", "rules_cuda"):
        module += OVERRIDE.format(name=name, path=REPOSITORY / "third_party" / name)
    for name, text in {**FILES, "MODULE.bazel": module}.items():
        (folder / name).write_text(text)


def main() -> int:
    """Builds; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, help="folder to work in; default: a new one")
    parser.add_argument("flags", nargs="*", metavar="BAZEL_FLAG", help="of `bazel build`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="consumer-") as made:
        work = options.work.resolve() if options.work else pathlib.Path(made)
        workspace = work / "workspace"
        workspace.mkdir(parents=True, exist_ok=True)
        write_workspace(workspace)
        bazel = [str(REPOSITORY / "tools/bazel"), f"--output_user_root={work / 'output'}"]
        try:
            command = [*bazel, "build", *options.flags, "//:scale", "//:answer"]
            code = subprocess.run(command, cwd=workspace, check=False).returncode
        finally:
            subprocess.run([*bazel, "shutdown"], cwd=workspace, check=False)
            subprocess.run(["chmod", "-R", "u+w", str(work / "output")], check=False)
    print(f"consumer: {'builds' if code == 0 else 'does not build'}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
