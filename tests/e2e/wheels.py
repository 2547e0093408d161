# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The wheel under test, built by this checkout."""

import pathlib
import subprocess

__all__ = ["REPOSITORY", "build_wheel"]

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(version: str) -> pathlib.Path:
    """Builds `//python:wheel` for a Python, such as "3.12"; returns where Bazel put it."""
    flag = f"--//tools/toolchains/python:version={version}"
    subprocess.run(["./tools/bazel", "build", flag, "//python:wheel"], cwd=REPOSITORY, check=True)
    tag = "cp" + version.replace(".", "")
    release = (REPOSITORY / "VERSION").read_text().strip()
    name = f"tilewright-{release}-{tag}-{tag}-manylinux*.whl"
    (wheel,) = (REPOSITORY / "bazel-bin" / "python").glob(name)
    return wheel
