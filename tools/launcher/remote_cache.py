# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What `TILEWRIGHT_REMOTE_*` say of a remote cache, as flags of Bazel's `--config=ci`.

An executor is for `--config=rbe`, which includes `ci`; its cache is the executor's own where none
is named.

A `.bazelrc` cannot read the environment, so the flags go into a file of their own, which Bazel
reads beside the workspace's. As a program, for a Bazel of the user's own: prints the path of that
file.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urllib.parse import SplitResult

if __name__ == "__main__":  # the interpreter runs isolated: it has no folder of ours on its path
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tools.launcher import errors
from tools.launcher.progress import say

ADDRESS = "TILEWRIGHT_REMOTE_CACHE"
EXECUTOR = "TILEWRIGHT_REMOTE_EXECUTOR"
UPLOAD = "TILEWRIGHT_REMOTE_UPLOAD"
COMPRESSION = "TILEWRIGHT_REMOTE_COMPRESSION"

CLIENT_CERTIFICATE = "TILEWRIGHT_REMOTE_CLIENT_CERTIFICATE"
CLIENT_KEY = "TILEWRIGHT_REMOTE_CLIENT_KEY"
HELPER = "TILEWRIGHT_REMOTE_CREDENTIAL_HELPER"
NETRC = "NETRC"

FILES = {
    "TILEWRIGHT_REMOTE_CA": "tls_certificate",
    CLIENT_CERTIFICATE: "tls_client_certificate",
    CLIENT_KEY: "tls_client_key",
    HELPER: "credential_helper",
}
"""Variables that name a file, and Bazel's flag for each. `NETRC` Bazel reads itself."""

SCHEMES = ("grpc", "grpcs", "http", "https")
GUIDE = "docs/how-to/remote-cache.md has every setting"


def flags(environ: Mapping[str, str]) -> list[str]:
    """Bazel's flags for the remote cache; none without an address of it or of an executor.

    Args:
        environ: the caller's environment.

    Raises:
        SettingError: a variable has a value that cannot be meant, or names no file.
    """
    address = environ.get(ADDRESS, "") or environ.get(EXECUTOR, "")
    if not address:
        return []
    url = _check_address(ADDRESS if environ.get(ADDRESS) else EXECUTOR, address)
    uploads = "" if _is_on(environ, UPLOAD) else "no"
    found = [f"--remote_cache={address}", f"--{uploads}remote_upload_local_results"]
    for variable in (NETRC, *FILES):
        path = environ.get(variable, "")
        if path:
            _check_file(variable, path)
            found += [f"--{FILES[variable]}={path}"] if variable in FILES else []
    if bool(environ.get(CLIENT_CERTIFICATE)) != bool(environ.get(CLIENT_KEY)):
        raise errors.SettingError(
            f"only one of `{CLIENT_CERTIFICATE}` and `{CLIENT_KEY}` is set, which Bazel passes "
            "over",
            f"set both, or none; {GUIDE}",
        )
    if _is_on(environ, COMPRESSION) and _can_compress(url, environ):
        found.append("--remote_cache_compression")
    return found


def _check_file(variable: str, path: str) -> None:
    """Refuses what Bazel would crash at, or pass over."""
    if not os.path.isabs(path) or not os.path.isfile(path) or not path.isprintable():
        raise errors.SettingError(
            f"`{variable}` names `{path}`, which is not an existing file by its absolute path",
            f"correct the path, or unset {variable}; {GUIDE}",
        )
    if not os.access(path, os.X_OK if variable == HELPER else os.R_OK):
        raise errors.SettingError(
            f"`{variable}` names `{path}`, which you may not "
            f"{'execute' if variable == HELPER else 'read'}",
            f"change its mode or owner, or unset {variable}",
        )


def _can_compress(url: SplitResult, environ: Mapping[str, str]) -> bool:
    """Whether the cache takes compressed blobs; says so if not.

    A build that asks a cache for what it lacks goes on without the cache.
    """
    if not url.scheme.startswith("grpc"):
        raise errors.SettingError(
            f"`{COMPRESSION}` is on, and Bazel compresses nothing for `{url.scheme}://`",
            f"unset {COMPRESSION}; it is for caches over gRPC",
        )
    from tools.launcher import capabilities

    try:
        if capabilities.offers_zstd(url, environ):
            return True
        why = "does not take blobs compressed with zstd"
    except (OSError, ValueError) as error:
        why = f"does not say whether it takes compressed blobs: {error}"
    say(
        f"tilewright: `{url.netloc}` {why}; going on without compression\n"
        f"  hint: unset {COMPRESSION}"
    )
    return False


def executor_flags(environ: Mapping[str, str]) -> list[str]:
    """Bazel's flags for the remote executor; none without an address.

    Raises:
        SettingError: the address cannot be meant.
    """
    address = environ.get(EXECUTOR, "")
    if not address:
        return []
    if not _check_address(EXECUTOR, address).scheme.startswith("grpc"):
        raise errors.SettingError(
            f"`{EXECUTOR}` is `{address}`, and actions are executed over gRPC alone",
            "write it like `grpcs://executor.example:8980`",
        )
    return [f"--remote_executor={address}"]


def _check_address(variable: str, address: str) -> SplitResult:
    """The parts of a sound address."""
    from urllib.parse import urlsplit

    if "@" in address:
        raise errors.SettingError(
            f"`{variable}` holds a user name or password, which Bazel would print and log",
            f"put them into a netrc file and name it in NETRC; {GUIDE}",
        )
    try:
        url = urlsplit(address)
        usable = url.scheme in SCHEMES and bool(url.hostname) and url.port != 0
    except ValueError:
        usable = False
    if not usable or url.query or url.fragment or not address.isprintable() or " " in address:
        raise errors.SettingError(
            f"`{variable}` is `{address}`, which is no address of a cache",
            "write it like `https://cache.example/tilewright` or `grpcs://cache.example:8980`",
        )
    if url.scheme.startswith("grpc") and url.path not in ("", "/"):
        raise errors.SettingError(
            f"`{variable}` is `{address}`, and an address over gRPC has no path",
            f"leave `{url.path}` out; {GUIDE}",
        )
    return url


def _is_on(environ: Mapping[str, str], variable: str) -> bool:
    value = environ.get(variable, "")
    if value not in ("", "0", "1"):
        raise errors.SettingError(
            f"`{variable}` is `{value}`, expected 0 or 1",
            f"set it to 1 for yes; {GUIDE}",
        )
    return value == "1"


def rc_text(config: str, bazel_flags: list[str]) -> str:
    """Lines for a config of Bazel's, each flag quoted for Bazel's reader."""
    escaped = (flag.replace("\\", "\\\\").replace('"', '\\"') for flag in bazel_flags)
    return "".join(f'build:{config} "{flag}"\n' for flag in escaped)


def rc_files(environ: Mapping[str, str], cache: str) -> list[str]:
    """The file with the flags, written if need be; none where no cache is configured.

    Args:
        environ: the caller's environment.
        cache: absolute cache folder of the launcher.

    Raises:
        SettingError: see `flags`.
        OSError: the cache folder cannot be written.
    """
    text = rc_text("ci", flags(environ)) + rc_text("rbe", executor_flags(environ))
    if not text:
        return []
    folder = os.path.join(cache, "remote-cache")
    path = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:12] + ".bazelrc")
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        descriptor, staged = tempfile.mkstemp(dir=folder)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(staged, path)
    return [path]


def main() -> int:
    """Print the path of the file, or nothing; returns the exit code."""
    from tools.launcher import host

    workspace = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        cache = host.inspect(os.environ, workspace).cache
        print("".join(rc_files(os.environ, cache)))
    except errors.LauncherError as error:
        say(f"tilewright: {error}")
        return error.exit_code
    except OSError as error:
        explained = errors.FileAccessError.of(error)
        say(f"tilewright: {explained}")
        return explained.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
