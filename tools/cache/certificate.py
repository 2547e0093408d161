# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The server's certificate: one that is given, or a self-signed one made once."""

from __future__ import annotations

import ipaddress
import os
import shutil
import ssl
from collections.abc import Callable, Sequence

from tools.cache import errors
from tools.cache.folder import Folder, give

LIFETIME = 3650
"""Days that a self-signed certificate holds."""


def check(certificate: str, key: str) -> None:
    """Raises OptionError unless the files are a certificate and its key."""
    try:
        for path in (certificate, key):
            with open(path, "rb"):
                pass
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        reason = (error.reason or str(error)).lower().replace("_", " ")
        raise errors.OptionError(
            f"`--tls`: `{certificate}` and `{key}` are no certificate and its key: {reason}",
            "give the chain (the server's first) and its key without a password, both in PEM",
        ) from None
    except OSError as error:
        raise errors.OptionError(
            f"`--tls`: `{error.filename}` cannot be read: {error.strerror}",
            "give `--tls` the certificate chain and its key, both in PEM",
        ) from None


def install(folder: Folder, certificate: str, key: str) -> tuple[str, str]:
    """Copies a certificate and its key to where the server, which may not be root, can read them.

    Returns:
        The paths of the copies.

    Raises:
        OptionError: the files are no certificate and its key.
    """
    check(certificate, key)
    copies = []
    for source, name in ((certificate, "cert.pem"), (key, "key.pem")):
        copy = os.path.join(folder.run, name)
        with open(source, "rb") as stream:
            content = stream.read()
        descriptor = os.open(copy + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(content)
        give(copy + ".new", folder)
        os.replace(copy + ".new", copy)
        copies.append(copy)
    return copies[0], copies[1]


def alternative_names(names: Sequence[str]) -> str:
    """The subjectAltName of names and addresses, in openssl's words."""
    words = []
    for name in dict.fromkeys(names):
        try:
            words.append(f"IP:{ipaddress.ip_address(name)}")
        except ValueError:
            words.append(f"DNS:{name}")
    return ",".join(words)


def openssl_command(key: str, certificate: str, names: Sequence[str]) -> list[str]:
    """The command of openssl that makes a self-signed certificate and its key."""
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    extension = f"subjectAltName={alternative_names(names)}"
    return [
        *("openssl", "req", "-x509", *curve, "-days", str(LIFETIME)),
        *("-subj", "/CN=tilewright remote cache", "-addext", extension),
        *("-addext", "basicConstraints=critical,CA:TRUE", "-keyout", key, "-out", certificate),
    ]


def self_signed(
    folder: Folder, names: Sequence[str], run: Callable[[list[str]], None]
) -> tuple[str, str]:
    """The folder's self-signed certificate and key; made when they are not there for these names.

    Args:
        folder: the cache's folder.
        names: host names and addresses that clients use.
        run: runs openssl.
    """
    certificate = os.path.join(folder.tls, "cert.pem")
    key = os.path.join(folder.tls, "key.pem")
    note = os.path.join(folder.tls, "names")
    wanted = alternative_names(names)
    try:
        with open(note, encoding="utf-8") as stream:
            made_for = stream.read().strip()
    except FileNotFoundError:
        made_for = ""
    if made_for != wanted:
        stage = os.path.join(folder.tls, "new")
        shutil.rmtree(stage, ignore_errors=True)
        os.mkdir(stage, 0o700)
        give(stage, folder)
        new_key, new_certificate = os.path.join(stage, "key.pem"), os.path.join(stage, "cert.pem")
        run(openssl_command(new_key, new_certificate, names))
        for path in (new_key, new_certificate):
            give(path, folder)
        os.replace(new_key, key)
        os.replace(new_certificate, certificate)
        with open(note, "w", encoding="utf-8") as stream:
            stream.write(wanted + "\n")
        os.rmdir(stage)
    return certificate, key
