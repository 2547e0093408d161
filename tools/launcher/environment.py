# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The environment Bazel gets. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from tools.launcher.host import Host

CONTAINER_PATH = "/usr/local/bin:/usr/bin:/bin"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"

PASSED = frozenset(
    (
        "CI",
        "COLORTERM",
        "COLUMNS",
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDA_VISIBLE_DEVICES",
        "CURL_CA_BUNDLE",
        "GIT_SSL_CAINFO",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
        "LINES",
        "NETRC",
        "NODE_EXTRA_CA_CERTS",
        "NO_COLOR",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "REQUESTS_CA_BUNDLE",
        "SOURCE_DATE_EPOCH",
        "TERM",
        "TMPDIR",
        "TZ",
        "UV_PYTHON_INSTALL_DIR",
    )
)
PASSED_PREFIXES = ("PIP_", "SSL_CERT_", "TILEWRIGHT_", "XDG_")
PASSED_SUFFIXES = ("_proxy", "_PROXY")
DROPPED = frozenset(("XDG_DATA_DIRS", "XDG_RUNTIME_DIR", "XDG_SESSION_ID"))


def _passes(name: str) -> bool:
    listed = name in PASSED or name.startswith(PASSED_PREFIXES) or name.endswith(PASSED_SUFFIXES)
    return listed and name not in DROPPED


def plan(host: Host, environ: Mapping[str, str], fingerprint: str) -> dict[str, str]:
    """Environment of the Bazel process.

    Only names listed here pass, so that a stray CC or PYTHONPATH of the host reaches neither
    repository rules nor the server. The host's PATH travels as TILEWRIGHT_HOST_PATH, for the
    discovery of interpreters.

    Args:
        host: the caller's surroundings.
        environ: the caller's environment.
        fingerprint: that of the mounts, for `tools/bazel` when it is called from inside.
    """
    result = {name: value for name, value in environ.items() if _passes(name)}
    result["PATH"] = CONTAINER_PATH
    result["LANG"] = "C.UTF-8"  # the only locale the root has
    result["HOME"] = host.home
    result["USER"] = result["LOGNAME"] = host.user
    result.setdefault("TILEWRIGHT_HOST_PATH", environ.get("PATH", ""))
    result["TILEWRIGHT_MOUNTS"] = fingerprint
    # OpenSSL's default is a folder of hashed links, the root's own: point it at the host's bundle,
    # where a company's certificate authority is.
    result.setdefault("SSL_CERT_FILE", CERTIFICATES)
    return result
