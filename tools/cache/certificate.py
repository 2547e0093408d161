# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The server's certificate: one that is given, or a self-signed one made once."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import shutil
import ssl
from collections.abc import Sequence
from typing import Protocol

from tools.cache import errors
from tools.cache.folder import Folder, as_owner, write_file
from tools.launcher.progress import say

LIFETIME = 3650
"""Days that a self-signed certificate holds."""

SOON = 14
"""Days before its end in which a certificate is to be renewed."""


class OpenSsl(Protocol):
    """What runs openssl, as the folder's owner."""

    def __call__(self, arguments: Sequence[str], data: bytes) -> tuple[int, str]:
        """Gives exit code and output; `data` is its standard input."""


def lasts(certificate: bytes, days: int, openssl: OpenSsl) -> bool:
    """Whether a certificate, in PEM, holds for so many days yet."""
    code, _ = openssl(["x509", "-noout", "-checkend", str(days * 86400)], certificate)
    return code == 0


def check(certificate: str, key: str) -> None:
    """Raises OptionError unless the files are a certificate and its key."""
    try:
        for path in (certificate, key):
            with open(path, "rb"):
                pass
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        reason = f": {error.reason.lower().replace('_', ' ')}" if error.reason else ""
        raise errors.OptionError(
            f"`--tls`: `{certificate}` and `{key}` are no certificate and its key{reason}",
            "give the chain (the server's first) and its key without a password, both in PEM",
        ) from None
    except OSError as error:
        raise errors.OptionError(
            f"`--tls`: `{error.filename}` cannot be read: {error.strerror}",
            "give `--tls` the certificate chain and its key, both in PEM",
        ) from None


def install(folder: Folder, certificate: str, key: str, openssl: OpenSsl) -> tuple[str, str]:
    """Copies a certificate and its key to where the server, which may not be root, can read them.

    Returns:
        The paths of the copies.

    Raises:
        OptionError: the files are no certificate and its key, or it has expired.
    """
    check(certificate, key)
    with open(certificate, "rb") as stream:
        chain = stream.read()
    with contextlib.suppress(errors.ProgramError):  # without openssl, clients will tell
        if not lasts(chain, 0, openssl):
            raise errors.OptionError(
                f"`--tls`: the certificate `{certificate}` has expired, and no client takes it",
                "renew it",
            )
        if not lasts(chain, SOON, openssl):
            say(
                f"tilewright: the certificate `{certificate}` expires within {SOON} days\n"
                "  hint: renew it, and send SIGHUP to `serve`"
            )
    with open(key, "rb") as stream:
        return folder.write("cert.pem", chain), folder.write("key.pem", stream.read())


def alternative_names(names: Sequence[str]) -> str:
    """The subjectAltName of names and addresses, in openssl's words."""
    words = []
    for name in dict.fromkeys(names):
        try:
            words.append(f"IP:{ipaddress.ip_address(name)}")
        except ValueError:
            words.append(f"DNS:{name}")
    return ",".join(words)


def self_signing(key: str, certificate: str, names: Sequence[str]) -> list[str]:
    """The arguments of openssl that make a self-signed certificate and its key."""
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    extension = f"subjectAltName={alternative_names(names)}"
    return [
        *("req", "-x509", *curve, "-days", str(LIFETIME)),
        *("-subj", "/CN=tilewright remote cache", "-addext", extension),
        *("-addext", "basicConstraints=critical,CA:TRUE", "-keyout", key, "-out", certificate),
    ]


def self_signed(folder: Folder, names: Sequence[str], openssl: OpenSsl) -> tuple[str, str]:
    """The folder's self-signed certificate and key; made when they are not there for these names.

    Args:
        folder: the cache's folder.
        names: host names and addresses that clients use.
        openssl: runs it.

    Raises:
        ProgramError: openssl made none.
    """
    pair = os.path.join(folder.tls, "cert.pem"), os.path.join(folder.tls, "key.pem")
    wanted = alternative_names(names)
    if _is_made_for(folder, wanted, openssl):
        return pair
    with as_owner(folder) as inside:
        stage = os.path.join(inside.tls, "new")
        shutil.rmtree(stage, ignore_errors=True)
        os.mkdir(stage, 0o700)
    new = [os.path.join(folder.tls, "new", os.path.basename(path)) for path in pair]
    code, output = openssl(self_signing(new[1], new[0], names), b"")
    if code != 0:
        raise errors.ProgramError(
            f"`openssl` made no certificate: {(output.splitlines() or ['no message'])[-1]}",
            "give a certificate with `--tls CERT KEY`",
        )
    with as_owner(folder) as inside:
        stage = os.path.join(inside.tls, "new")
        for name in ("key.pem", "cert.pem"):
            os.replace(os.path.join(stage, name), os.path.join(inside.tls, name))
        write_file(os.path.join(inside.tls, "names"), (wanted + "\n").encode())
        os.rmdir(stage)
    return pair


def _is_made_for(folder: Folder, names: str, openssl: OpenSsl) -> bool:
    try:
        with as_owner(folder) as inside:
            with open(os.path.join(inside.tls, "names"), "rb") as stream:
                made_for = stream.read().decode(errors="replace").strip()
            with open(os.path.join(inside.tls, "cert.pem"), "rb") as stream:
                certificate = stream.read()
    except FileNotFoundError:
        return False
    return made_for == names and lasts(certificate, SOON, openssl)
