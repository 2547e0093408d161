# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a lock."""

def parse_lock(text, name):
    """Reads the lines that `//third_party/pypi:update` writes.

    Args:
      text: content of the lock.
      name: the lock's name, for errors.

    Returns:
      Dict from each distribution's name in the spelling of labels (`zlib_ng`) to a struct of `requirement`
      (`zlib-ng==1.1.0`), `sha256` and `requirers` (names of those that need it).
    """
    pins = {}
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        requirement, _, rest = line.partition(" --hash=sha256:")
        sha256, _, via = rest.partition("  # via ")
        if "==" not in requirement or len(sha256) != 64:
            fail("`{}`: cannot read the line `{}`\nhint: write the locks anew with `bazel run //third_party/pypi:update`".format(name, line))
        pins[_label_name(requirement.split("==")[0])] = struct(
            requirement = requirement,
            requirers = [_label_name(needed_by) for needed_by in via.split(", ")],
            sha256 = sha256,
        )
    return pins

def _label_name(distribution):
    return distribution.replace("-", "_")
