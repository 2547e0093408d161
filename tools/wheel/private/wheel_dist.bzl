# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_dist`: copies wheels out of the build."""

load("@rules_python//python:defs.bzl", "py_binary")

def wheel_dist(name, wheels, **kwargs):
    """Makes `bazel run` of this target copy wheels into a folder: `bazel run :NAME -- FOLDER`.

    A macro, because a Python program needs py_binary's launcher. Makes one target: `NAME` (py_binary).

    Args:
      name: name of the target.
      wheels: labels of the wheels.
      **kwargs: common attributes, such as `visibility`.
    """
    py_binary(
        name = name,
        srcs = [Label("//tools/wheel/dist:copy_wheels.py")],
        main = Label("//tools/wheel/dist:copy_wheels.py"),
        args = ["--wheel=$(rootpath {})".format(wheel) for wheel in wheels],
        data = wheels,
        **kwargs
    )
