# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_install_test`: pip installs a wheel into a clean environment, where its modules import."""

load("@rules_python//python:defs.bzl", "py_test")

_MAIN = Label("//tools/wheel/install:main.py")

def wheel_install_test(name, wheel, imports = [], scripts = [], wheels = [], tags = [], size = "small", **kwargs):
    """Installs a wheel with pip into a clean virtual environment and imports its modules, from `/`.

    The environment is one of the Python that the build is for. Nothing is fetched: what the wheel requires must be in
    `wheels`. `pip check` must be content. A macro, because a Python program needs py_test's launcher. Makes one target,
    `NAME` (py_test).

    Args:
      name: name of the target.
      wheel: the wheel.
      imports: modules to import, each in a process of its own.
      scripts: Python files to run in the environment, with nothing else on their path.
      wheels: further wheels to install, for what `wheel` requires.
      tags: tags of the target.
      size: size of the test. Default: `small`.
      **kwargs: further attributes of `py_test`.
    """
    all_wheels = [wheel] + wheels
    py_test(
        name = name,
        size = size,
        srcs = [_MAIN],
        main = _MAIN,
        args = ["--wheel=$(rootpath {})".format(label) for label in all_wheels] +
               ["--import={}".format(module) for module in imports] +
               ["--script=$(rootpath {})".format(script) for script in scripts],
        data = all_wheels + scripts,
        tags = tags + ["block-network"],
        deps = [Label("//tools/wheel/install")],
        **kwargs
    )
