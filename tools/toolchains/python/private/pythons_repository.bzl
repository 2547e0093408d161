# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pythons_repository`: looks the machine's Python interpreters up and writes their targets."""

_HEADER = """\
load("@tilewright//tools/toolchains/python:defs.bzl", "tool_python")
load("@tilewright//tools/toolchains/python/private:interpreter_targets.bzl", "interpreter_targets")

exports_files(["pythons.json"])

tool_python(
    name = "tool_python",
    interpreter = "{tool}",
    visibility = ["//visibility:public"],
)
"""

_INTERPRETER = """
interpreter_targets(
    name = "{name}",
    abi_tag = "{abi_tag}",
    ext_suffix = "{ext_suffix}",
    full_version = "{full_version}",
    include = "include/{version}",
    path = "{path}",
    python_tag = "{python_tag}",
    version = "{version}",
)
"""

_WITHOUT_HEADERS = """
interpreter_targets(
    name = "{name}",
    full_version = "{full_version}",
    path = "{path}",
)
"""

_VERSIONS = """\
DEFAULT = "{default}"
AVAILABLE = {available}
TOOL_VERSION = "{tool_version}"
"""

# What steers the search, apart from the file system: the repository is made anew when one of them changes.
_VARIABLES = ["HOME", "PATH", "PYENV_ROOT", "PYENV_VERSION", "TILEWRIGHT_HOST_PATH", "UV_PYTHON_INSTALL_DIR"]

_MODULES = ["discover.py", "inspection.py"]

_TOOL_CODE = """
import platform, sys
assert sys.version_info >= (3, 10), "it is " + sys.version
print(sys._base_executable, platform.python_version())
"""

def _tool_interpreter(rctx):
    """Finds the interpreter of build actions: the `python3` of the file system that Bazel itself runs in."""
    found = rctx.which("python3")
    if not found:
        fail("`{}`: no `python3` on PATH, which build actions run on\nhint: install Python 3.10 or newer, or build with `./tools/bazel`".format(rctx.name))

    # A shim or a virtual environment leads to the interpreter itself.
    result = rctx.execute([found, "-I", "-c", _TOOL_CODE])
    if result.return_code:
        fail("`{}`: `{}` is no Python 3.10 or newer, which build actions run on\n{}hint: put a newer `python3` first on PATH, or build with `./tools/bazel`".format(rctx.name, found, result.stderr))
    path, _, full_version = result.stdout.strip().rpartition(" ")
    return path, full_version

def _link_headers(rctx, interpreter):
    """Links the headers of one interpreter into a folder of its own, the split-off pyconfig.h included."""
    include = "include/" + interpreter["version"]
    for entry in rctx.path(interpreter["include"]).readdir(watch = "no"):
        rctx.symlink(entry, "{}/{}".format(include, entry.basename))
    if interpreter["arch_include"]:
        multiarch, folder = interpreter["arch_include"].split("/")[-2:]
        rctx.symlink(interpreter["arch_include"], "{}/{}/{}".format(include, multiarch, folder))

def _pythons_repository_impl(rctx):
    variables = {name: rctx.getenv(name, "") for name in _VARIABLES}
    tool, tool_full_version = _tool_interpreter(rctx)
    scripts = [rctx.path(Label("//tools/toolchains/python/discovery:" + module)) for module in _MODULES]
    result = rctx.execute(
        [tool, "-I", scripts[0], tool, rctx.workspace_root],
        environment = {name: value for name, value in variables.items() if value},
        quiet = True,
    )
    if result.return_code:
        fail("`{}`: the search for interpreters failed\n{}".format(rctx.name, result.stderr))
    pythons = json.decode(result.stdout)
    for path in pythons["watch"]:
        rctx.watch(path)

    build = _HEADER.format(tool = tool)
    for version, interpreter in pythons["found"].items():
        _link_headers(rctx, interpreter)
        build += _INTERPRETER.format(name = version, **interpreter)
    twin = pythons["tool"]
    if twin and twin["version"] in pythons["found"]:
        build += _INTERPRETER.format(name = "tool", **(pythons["found"][twin["version"]] | {"path": tool, "full_version": tool_full_version}))
    else:
        build += _WITHOUT_HEADERS.format(name = "tool", path = tool, full_version = tool_full_version)
    rctx.file("BUILD", build)

    # Without the places that were looked at: they differ from machine to machine, what is found there need not.
    listed = {key: value for key, value in pythons.items() if key != "watch"}
    rctx.file("pythons.json", json.encode_indent(listed) + "\n")
    rctx.file("versions.bzl", _VERSIONS.format(
        available = {version: interpreter["path"] for version, interpreter in pythons["found"].items()},
        default = pythons["default"] or "none",
        tool_version = ".".join(tool_full_version.split(".")[:2]),
    ))

pythons_repository = repository_rule(
    implementation = _pythons_repository_impl,
    doc = "Looks the machine's Python interpreters up and writes their targets.",
    # Looked up anew whenever Bazel's server starts; in between, when a watched file or variable changes.
    local = True,
)
