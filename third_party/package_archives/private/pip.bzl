# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the machine's pip inside a repository rule."""

# pip's, TLS's and proxies' settings reach pip through the client environment; a change of these alone must not refetch,
# since every file is pinned by hash, so they are read through the process and not declared.
_TIMEOUT_S = 3600

# Whoever asks pip to insist on a virtual environment means installations; nothing is installed here.
_PIP_ENVIRONMENT = {"PIP_REQUIRE_VIRTUALENV": "0"}

PIP_HINT = "check the network and pip's settings (`python3 -m pip config list`), then run the build again"

def python(rctx):
    """Returns the path of the `python3` that has pip.

    Args:
      rctx: the repository context.
    """
    found = rctx.which("python3")
    if not found:
        fail("`{}`: no `python3` on PATH, which fetches packages with pip\nhint: install python3 and pip, or build with `./tools/bazel`".format(rctx.name))
    return found

def run(rctx, arguments, what, environment = {}, hint = ""):
    """Runs a command and fails with its output, naming the repository and what was attempted.

    Args:
      rctx: the repository context.
      arguments: the command line.
      what: what the command does, for the error.
      environment: extra variables.
      hint: what to do when it fails. Default: nothing, for a command that says so itself.

    Returns:
      The standard output.
    """
    result = rctx.execute(arguments, timeout = _TIMEOUT_S, environment = environment, quiet = True)
    if result.return_code:
        fail("\n".join([
            "`{}`: cannot {} (exit {})".format(rctx.name, what, result.return_code),
            result.stdout,
            result.stderr,
        ] + (["hint: " + hint] if hint else [])))
    return result.stdout

def requirement_lines(packages):
    """Renders `{"name==version": ["sha256", ...]}` as a pip requirements file with hashes.

    Args:
      packages: dict from pinned requirement to the accepted sha256 digests.
    """
    lines = []
    for requirement, hashes in packages.items():
        lines.append(" ".join([requirement] + ["--hash=sha256:" + h for h in hashes]))
    return "\n".join(lines) + "\n"

def download_wheels(rctx, packages, directory, options = []):
    """Downloads wheels, and nothing but these wheels, into `directory` of the repository.

    Args:
      rctx: the repository context.
      packages: dict from pinned requirement to the accepted sha256 digests.
      directory: folder to fill, relative to the repository.
      options: extra options of `pip download` (target platform and interpreter).

    Returns:
      The downloaded files' paths, sorted, named so that `extract` takes them for what they are.
    """
    rctx.file(directory + ".txt", requirement_lines(packages))
    run(
        rctx,
        [python(rctx), "-I", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes", "-r", directory + ".txt", "-d", directory] + options,
        "download {} with pip".format(", ".join(packages.keys())),
        environment = _PIP_ENVIRONMENT,
        hint = PIP_HINT,
    )
    rctx.delete(directory + ".txt")
    archives = []
    for wheel in sorted(rctx.path(directory).readdir(), key = str):
        rctx.symlink(wheel, "{}/{}.zip".format(directory, wheel.basename))
        archives.append("{}/{}.zip".format(directory, wheel.basename))
    return archives
