# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`locked_distribution`: one distribution, by whatever version the current Python has locked."""

load("@rules_python//python:defs.bzl", "py_library")

def locked_distribution(name, repositories, requires, tool_version):
    """Declares a distribution.

    Makes `NAME` (py_library, with what it requires) and `scripts` (the wheel's programs).

    Args:
      name: the distribution, for example `zlib_ng`.
      repositories: from each Python version to the repository of the wheel that is locked for it.
      requires: from each Python version to the distributions that it needs.
      tool_version: version of the interpreter that build actions run on.
    """
    no_match_error = "`{}` is not locked for this Python; locked are {}\nhint: see third_party/pypi/README.md".format(name, ", ".join(repositories.keys()))

    # A newer interpreter than any lock is for takes the newest: it serves as far as the wheels are pure Python.
    tool = tool_version if tool_version in repositories else repositories.keys()[-1]

    dependencies = {
        "@pypi//:is_" + version: ["@{}//:distribution".format(repositories[version])] + ["@pypi//" + needed for needed in requires[version]]
        for version in repositories
    }
    dependencies["@pypi//:is_tool"] = dependencies["@pypi//:is_" + tool]
    py_library(
        name = name,
        visibility = ["//visibility:public"],
        deps = select(dependencies, no_match_error = no_match_error),
    )

    scripts = {"@pypi//:is_" + version: "@{}//:scripts".format(repository) for version, repository in repositories.items()}
    scripts["@pypi//:is_tool"] = scripts["@pypi//:is_" + tool]
    native.alias(
        name = "scripts",
        actual = select(scripts, no_match_error = no_match_error),
        visibility = ["//visibility:public"],
    )
