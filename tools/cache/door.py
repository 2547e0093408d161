# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where and how clients connect, in nginx's words: the same for both servers. Pure."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Sequence
from typing import NamedTuple

from tools.cache import errors
from tools.cache.folder import Folder

WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that stand for all of the machine's, and the one to try."""

NAME = re.compile(r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?")


class Address(NamedTuple):
    """What `--listen` says.

    Attributes:
        host: name or address; a wildcard is `0.0.0.0` or `::`.
        port: TCP port.
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Reads `HOST:PORT`.

    Raises:
        OptionError: it is something else.
    """
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        colon = ""
    is_port = re.fullmatch("[0-9]{1,5}", port) is not None and 0 < int(port) < 65536
    if not colon or not is_host(host) or not is_port:
        raise errors.OptionError(
            f"`--listen` is `{text}`, which is no HOST:PORT",
            "give an address of this machine and a free port: 0.0.0.0:8443, [::]:8443",
        )
    return Address(host, int(port))


def is_host(text: str) -> bool:
    """Whether a text is a host name or an address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return NAME.fullmatch(text) is not None
    return "%" not in text


def check_host(option: str, text: str) -> None:
    """Raises OptionError unless an option's value is a host name or an address."""
    if not is_host(text):
        raise errors.OptionError(
            f"`{option}` is `{text}`, which is no host name or address",
            "give it as clients write it between `https://` and the port: cache.example",
        )


def client_names(address: Address, name: str | None) -> list[str]:
    """Names and addresses by which clients may know the server, the one to print first."""
    if name is not None:
        return [name]
    if address.host in WILDCARDS:
        found = (socket.getfqdn(), socket.gethostname(), "localhost", "127.0.0.1")
        return list(dict.fromkeys(found))
    return [address.host]


def tls_lines(certificate: tuple[str, str] | None) -> str:
    """Lines of nginx.conf for a certificate and its key; a comment without."""
    if certificate is None:
        return "# No TLS."
    chain, key = certificate
    return "\n        ".join(
        (
            f"ssl_certificate {chain};",
            f"ssl_certificate_key {key};",
            "ssl_protocols TLSv1.2 TLSv1.3;",
            "ssl_session_cache shared:tls:10m;",
        )
    )


def password_lines(folder: Folder, who: str, is_asked: bool) -> str:
    """Lines of nginx.conf that ask for the password of one of `who`: readers or writers."""
    if not is_asked:
        return "auth_basic off;"
    path = os.path.join(folder.run, who)
    return f'auth_basic "{who}"; auth_basic_user_file {path};'


def values(
    folder: Folder, address: Address, certificate: tuple[str, str] | None, has_readers: bool
) -> dict[str, str]:
    """The template variables that both servers' nginx has."""
    return {
        "root": folder.root,
        "data": folder.data,
        "incoming": folder.incoming,
        "run": folder.run,
        "listen": " ".join(
            (
                str(address),
                *(("ipv6only=off",) if address.host == "::" else ()),
                *(("ssl",) if certificate is not None else ()),
            )
        ),
        "tls": tls_lines(certificate),
        "readers": password_lines(folder, "readers", has_readers),
        "writers": password_lines(folder, "writers", True),
    }


def accepts(address: Address) -> bool:
    """Whether somebody takes connections there."""
    host = WILDCARDS.get(address.host, address.host)
    try:
        socket.create_connection((host, address.port), timeout=1.0).close()
    except OSError:
        return False
    return True


def lowest_port() -> int:
    """The lowest port that an ordinary user, as whom the server runs, can listen on."""
    try:
        with open("/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding="ascii") as stream:
            return int(stream.read())
    except (OSError, ValueError):
        return 1024


def check_free(address: Address) -> None:
    """Raises OptionError unless the port can be listened on."""
    lowest = lowest_port()
    if address.port < lowest:
        raise errors.OptionError(
            f"`--listen {address}`: the server does not run as root, so its port is at least "
            f"{lowest}",
            f"give port 8443, or run: sysctl -w net.ipv4.ip_unprivileged_port_start={address.port}",
        )
    try:
        (family, _, _, _, place), *_ = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM
        )
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise errors.OptionError(
            f"`--listen {address}`: {error.strerror or error}",
            "give a free port and an address of this machine, such as 0.0.0.0:8443",
        ) from None


def environment_lines(
    scheme: str, address: Address, names: Sequence[str], authority: str | None
) -> list[str]:
    """What a client sets, as `NAME=value` lines."""
    printed = str(Address(names[0], address.port))
    lines = [f"TILEWRIGHT_REMOTE_CACHE={scheme}://{printed}"]
    if authority is not None:
        lines.append(f"TILEWRIGHT_REMOTE_CA={authority}")
    return lines
