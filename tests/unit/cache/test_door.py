# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where clients connect."""

from __future__ import annotations

import socket

import pytest

from tools.cache import door, errors
from tools.cache.door import Address
from tools.cache.folder import Folder


@pytest.mark.parametrize(
    ("text", "host", "port", "printed"),
    [
        ("0.0.0.0:8443", "0.0.0.0", 8443, "0.0.0.0:8443"),
        ("[::]:443", "::", 443, "[::]:443"),
        ("cache.example:1", "cache.example", 1, "cache.example:1"),
    ],
)
def test_address_is_read_and_printed(text: str, host: str, port: int, printed: str) -> None:
    address = door.parse_address(text)
    assert address == Address(host, port)
    assert str(address) == printed


@pytest.mark.parametrize(
    "text",
    [
        *("8443", ":8443", "host", "host:0", "host:65536", "::1:80", "a:b", "a;b:80", "*:80"),
        *("host:²", "host:٣", "[fe80::1%lo]:80", "-x:80", "host:80;"),
    ],
)
def test_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(errors.OptionError) as caught:
        door.parse_address(text)
    assert str(caught.value) == (
        f"`--listen` is `{text}`, which is no HOST:PORT\n"
        "  hint: give an address of this machine and a free port: 0.0.0.0:8443, [::]:8443"
    )


def test_names_of_a_wildcard_are_the_machines() -> None:
    assert door.client_names(Address("::", 1), None)[0] == socket.getfqdn()
    assert "localhost" in door.client_names(Address("0.0.0.0", 1), None)
    assert door.client_names(Address("10.0.0.1", 1), None) == ["10.0.0.1"]
    assert door.client_names(Address("0.0.0.0", 1), "cache.example") == ["cache.example"]


def test_values_ask_for_passwords_only_where_there_are_readers() -> None:
    folder = Folder("/srv/cache")
    free = door.values(folder, Address("::", 1), None, has_readers=False)
    asked = door.values(folder, Address("::", 1), ("c", "k"), has_readers=True)
    assert free["readers"] == "auth_basic off;"
    assert free["writers"] == 'auth_basic "writers"; auth_basic_user_file /srv/cache/run/writers;'
    assert asked["readers"] == 'auth_basic "readers"; auth_basic_user_file /srv/cache/run/readers;'
    assert (free["listen"], asked["listen"]) == ("[::]:1 ipv6only=off", "[::]:1 ipv6only=off ssl")
    assert door.values(folder, Address("0.0.0.0", 1), None, False)["listen"] == "0.0.0.0:1"
    assert "ssl_certificate c;" in asked["tls"]
    assert "ssl" not in free["tls"]


def test_port_in_use_is_refused_before_anything_starts() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert door.accepts(Address("127.0.0.1", port))
        with pytest.raises(errors.OptionError) as caught:
            door.check_free(Address("127.0.0.1", port))
    assert caught.value.message == f"`--listen 127.0.0.1:{port}`: Address already in use"


def test_port_of_root_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "lowest_port", lambda: 1024)
    with pytest.raises(errors.OptionError) as caught:
        door.check_free(Address("0.0.0.0", 443))
    assert str(caught.value) == (
        "`--listen 0.0.0.0:443`: the server does not run as root, so its port is at least 1024\n"
        "  hint: give port 8443, or run: sysctl -w net.ipv4.ip_unprivileged_port_start=443"
    )


def test_environment_lines_are_what_a_client_sets() -> None:
    address = Address("::", 8443)
    assert door.environment_lines("https", address, ["cache.example"], "/c.pem") == [
        "TILEWRIGHT_REMOTE_CACHE=https://cache.example:8443",
        "TILEWRIGHT_REMOTE_CA=/c.pem",
    ]
    assert door.environment_lines("grpc", address, ["::1"], None) == [
        "TILEWRIGHT_REMOTE_CACHE=grpc://[::1]:8443"
    ]
