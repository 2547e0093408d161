# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`shared_library`: a shared library that is fit to ship in a wheel."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def shared_library(name, deps, exports, soname = None, rpath = [], linkopts = [], **kwargs):
    """Links a shared library with a soname, an explicit export list and `$ORIGIN`-relative run paths.

    Bazel alone gives a shared library no soname, exports every symbol of the static C++ runtime, and writes run paths
    that hold only inside its output tree.

    Targets: `name` alone, a `cc_binary` whose output is the file `name`.

    Args:
      name: file name, `lib<stem>.so`.
      deps: libraries linked in. Code that only the export list names must be in an `alwayslink` library.
      exports: label of the linker version script; what it does not name stays hidden.
      soname: DT_SONAME. Default: `name`.
      rpath: run path entries, each starting with `$ORIGIN`. Default: none.
      linkopts: further linker flags.
      **kwargs: attributes common to all rules, and `features`.
    """
    for entry in rpath:
        if entry != "$ORIGIN" and not entry.startswith("$ORIGIN/"):
            fail("//{}:{}: `rpath` entry `{}` does not start with `$ORIGIN`\nhint: a wheel is installed anywhere, so write the path relative to the library's own folder".format(
                native.package_name(),
                name,
                entry,
            ))
    cc_binary(
        name = name,
        deps = deps,
        additional_linker_inputs = [exports],
        linkshared = True,
        linkopts = [
            "-Wl,-soname," + (soname or name),
            "-Wl,--version-script=$(location {})".format(exports),
            "-Wl,-Bsymbolic",
        ] + ["-Wl,-rpath," + entry.replace("$", "$$") for entry in rpath] + linkopts,
        **kwargs
    )
