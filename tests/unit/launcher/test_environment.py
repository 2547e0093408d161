# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The environment Bazel gets inside the root file system."""

from __future__ import annotations

import pytest

from tools.launcher import environment
from tools.launcher.host import Host

HOST = Host(
    uid=1000,
    user="ada",
    home="/home/ada",
    cache="/home/ada/.cache/tilewright",
    cwd="/home/ada/ws",
    workspace="/home/ada/ws",
    launcher_workspace="/home/ada/ws",
)


def test_path_of_host_becomes_container_path_and_travels_beside() -> None:
    result = environment.plan(HOST, {"PATH": "/home/ada/.pyenv/shims:/usr/bin"}, "0123")
    assert result["PATH"] == "/usr/local/bin:/usr/bin:/bin"
    assert result["TILEWRIGHT_HOST_PATH"] == "/home/ada/.pyenv/shims:/usr/bin"


def test_host_path_set_by_script_wins_over_path() -> None:
    result = environment.plan(HOST, {"PATH": "/usr/bin", "TILEWRIGHT_HOST_PATH": "/before"}, "0123")
    assert result["TILEWRIGHT_HOST_PATH"] == "/before"


def test_user_and_home_absent_from_environment_come_from_host() -> None:
    result = environment.plan(HOST, {}, "0123")
    assert (result["HOME"], result["USER"], result["LOGNAME"]) == ("/home/ada", "ada", "ada")


@pytest.mark.parametrize(
    "name",
    [
        "CI",
        "HTTPS_PROXY",
        "no_proxy",
        "PIP_INDEX_URL",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "TERM",
        "TILEWRIGHT_ANYTHING",
        "TMPDIR",
        "XDG_CACHE_HOME",
    ],
)
def test_listed_variable_passes_unchanged(name: str) -> None:
    assert environment.plan(HOST, {name: "value"}, "0123")[name] == "value"


@pytest.mark.parametrize(
    "name",
    ["CC", "CXX", "PYTHONPATH", "LD_LIBRARY_PATH", "LC_ALL", "BAZEL_REAL", "XDG_RUNTIME_DIR"],
)
def test_unlisted_variable_is_dropped(name: str) -> None:
    assert name not in environment.plan(HOST, {name: "value"}, "0123")


def test_locale_of_host_is_replaced_by_one_the_root_has() -> None:
    assert environment.plan(HOST, {"LANG": "de_DE.UTF-8"}, "0123")["LANG"] == "C.UTF-8"


def test_certificates_without_setting_are_the_hosts_bundle() -> None:
    assert (
        environment.plan(HOST, {}, "0123")["SSL_CERT_FILE"] == "/etc/ssl/certs/ca-certificates.crt"
    )


def test_certificates_with_setting_keep_it() -> None:
    result = environment.plan(HOST, {"SSL_CERT_FILE": "/opt/corp/ca.pem"}, "0123")
    assert result["SSL_CERT_FILE"] == "/opt/corp/ca.pem"


def test_fingerprint_of_the_mounts_travels_for_calls_from_inside() -> None:
    assert environment.plan(HOST, {}, "0123")["TILEWRIGHT_MOUNTS"] == "0123"
