# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pytest_test`: test files run by pytest."""

load("@rules_python//python:defs.bzl", "py_test")

_RUNNER = Label("//tools/pytest/runner:main.py")

# Bazel reports a target as SKIPPED where this does not hold.
REQUIRES_GPU = select({
    Label("//tools/pytest:has_gpu"): [],
    "//conditions:default": [Label("@platforms//:incompatible")],
})

def pytest_test(
        name,
        srcs,
        deps = [],
        data = [],
        args = [],
        env = {},
        tags = [],
        config = Label("//:pyproject.toml"),
        gpu = False,
        **kwargs):
    """Runs test files with pytest on the Python that the build is for.

    Each file must yield at least one test, and at least one test must run: a target that collects nothing, or skips
    everything, fails. `--test_filter` is pytest's `-k`; it goes to every target, so one in which nothing matches passes, `--test_arg` reaches pytest, the report is JUnit's. With
    `shard_count` each shard judges its own share, which may be empty or skip everything.

    Makes `NAME` (py_test).

    Args:
      name: name of the target.
      srcs: test files; a `conftest.py` among them is for the tests beside and below it.
      deps: py_library targets that the tests import; pytest is there without saying.
      data: files that the tests read.
      args: further arguments of pytest. `$(rootpath ...)` is expanded.
      env: environment variables. `$(rootpath ...)` is expanded.
      tags: tags of the target. Without `requires-network`, the network is blocked.
      config: pytest's configuration file. Default: this repository's.
      gpu: whether the tests need an NVIDIA GPU; without one Bazel says SKIPPED. Default: no.
      **kwargs: further attributes of `py_test`.
    """
    files = [src for src in srcs if str(src).replace(":", "/").split("/")[-1] != "conftest.py"]
    if not files:
        fail("{}: `srcs` has no test file: {}\nhint: name the files that pytest is to run".format(native.package_relative_label(name), srcs))
    for src in files:
        if not str(src).endswith(".py"):
            fail("{}: `srcs` has `{}`, which is no Python file\nhint: test files go into `srcs` one by one, libraries into `deps`, other files into `data`".format(native.package_relative_label(name), src))

    all_tags = list(tags)
    if gpu:
        all_tags += ["gpu", "exclusive-if-local"]
        kwargs["target_compatible_with"] = kwargs.pop("target_compatible_with", []) + REQUIRES_GPU
    if "requires-network" not in tags:
        all_tags.append("block-network")

    # A small test may wait for a loaded machine longer than the minute that its size gives it.
    if kwargs.setdefault("size", "small") == "small":
        kwargs.setdefault("timeout", "moderate")
    py_test(
        name = name,
        srcs = srcs + [_RUNNER],
        args = ["--test-config=$(rootpath {})".format(config)] +
               ["--test-file=$(rootpath {})".format(src) for src in files] +
               args,
        data = data + [config],
        env = env,
        main = _RUNNER,
        tags = all_tags,
        deps = deps + [
            Label("//tools/pytest/runner"),
        ],
        **kwargs
    )
