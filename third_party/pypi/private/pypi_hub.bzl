# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pypi_hub`: the repository that has a package for every locked distribution."""

_ROOT = """\
[
    config_setting(
        name = "is_" + version,
        flag_values = {{"@tilewright//tools/toolchains/python:selected": version}},
        visibility = ["//visibility:public"],
    )
    for version in {versions} + ["tool"]
]
"""

_DISTRIBUTION = """\
load("@pythons//:versions.bzl", "TOOL_VERSION")
load("@tilewright//third_party/pypi/private:locked_distribution.bzl", "locked_distribution")

locked_distribution(
    name = "{name}",
    repositories = {repositories},
    requires = {requires},
    tool_version = TOOL_VERSION,
)
"""

def _pypi_hub_impl(rctx):
    distributions = json.decode(rctx.attr.distributions)
    rctx.file("BUILD", _ROOT.format(versions = rctx.attr.versions))
    for name, by_version in distributions.items():
        rctx.file(name + "/BUILD", _DISTRIBUTION.format(
            name = name,
            repositories = {version: entry["repository"] for version, entry in by_version.items()},
            requires = {version: entry["requires"] for version, entry in by_version.items()},
        ))

pypi_hub = repository_rule(
    implementation = _pypi_hub_impl,
    doc = "Has `//NAME` for every locked distribution, which chooses the wheel of the current Python.",
    attrs = {
        "distributions": attr.string(mandatory = True, doc = "JSON: from name and Python version to `repository` and `requires`."),
        "versions": attr.string_list(mandatory = True, doc = "The Python versions that have a lock."),
    },
)
