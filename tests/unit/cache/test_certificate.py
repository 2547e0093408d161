# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Certificates: names in them, when a self-signed one is made, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.cache import certificate, errors
from tools.cache.folder import Folder


def test_alternative_names_tell_addresses_from_names() -> None:
    names = ["cache.example", "10.0.0.1", "::1", "cache.example"]
    assert certificate.alternative_names(names) == "DNS:cache.example,IP:10.0.0.1,IP:::1"


class OpenSsl:
    """Makes files in place of certificates, each of which holds for `days` yet."""

    def __init__(self, days: int = 3650) -> None:
        self.days = days
        self.made: list[Sequence[str]] = []

    def __call__(self, arguments: Sequence[str], data: bytes) -> tuple[int, str]:
        if arguments[0] == "x509":
            assert data, "no certificate"
            seconds = int(arguments[arguments.index("-checkend") + 1])
            return int(seconds > 86400 * self.days), ""
        self.made.append(arguments)
        for option in ("-keyout", "-out"):
            Path(arguments[arguments.index(option) + 1]).write_text(str(len(self.made)))
        return 0, ""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    for name in ("tls", "run"):
        (tmp_path / name).mkdir()
    return Folder(str(tmp_path))


def test_self_signed_is_made_once_for_its_names(folder: Folder) -> None:
    openssl = OpenSsl()
    first = certificate.self_signed(folder, ["cache.example"], openssl)
    again = certificate.self_signed(folder, ["cache.example"], openssl)
    assert first == again == (f"{folder.tls}/cert.pem", f"{folder.tls}/key.pem")
    assert len(openssl.made) == 1
    assert "subjectAltName=DNS:cache.example" in openssl.made[0]
    certificate.self_signed(folder, ["other.example"], openssl)
    assert len(openssl.made) == 2
    assert Path(folder.tls, "cert.pem").read_text() == "2"
    assert Path(folder.tls, "key.pem").read_text() == "2"


@pytest.mark.parametrize(("days", "made"), [(13, 2), (15, 1)])
def test_self_signed_is_made_anew_before_it_expires(folder: Folder, days: int, made: int) -> None:
    openssl = OpenSsl(days)
    for _ in range(2):
        certificate.self_signed(folder, ["cache.example"], openssl)
    assert len(openssl.made) == made


def test_self_signed_that_openssl_does_not_make_is_told(folder: Folder) -> None:
    with pytest.raises(errors.ProgramError) as caught:
        certificate.self_signed(folder, ["cache.example"], lambda arguments, data: (1, "a\nno"))
    assert str(caught.value) == (
        "`openssl` made no certificate: no\n  hint: give a certificate with `--tls CERT KEY`"
    )


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.setattr(certificate, "check", lambda *_: None)
    for name in ("chain", "key"):
        (tmp_path / name).write_text(name)
    return str(tmp_path / "chain"), str(tmp_path / "key")


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (15, ""),
        (
            13,
            "tilewright: the certificate `CHAIN` expires within 14 days\n"
            "  hint: renew it, and send SIGHUP to `serve`\n",
        ),
    ],
)
def test_installed_certificate_is_copied_and_its_end_told(
    folder: Folder, pair: tuple[str, str], capfd: pytest.CaptureFixture[str], days: int, said: str
) -> None:
    copies = certificate.install(folder, *pair, OpenSsl(days))
    assert [Path(copy).read_text() for copy in copies] == ["chain", "key"]
    assert capfd.readouterr().err == said.replace("CHAIN", pair[0])


def test_certificate_that_has_expired_is_refused(folder: Folder, pair: tuple[str, str]) -> None:
    with pytest.raises(errors.OptionError) as caught:
        certificate.install(folder, *pair, OpenSsl(-1))
    assert str(caught.value) == (
        f"`--tls`: the certificate `{pair[0]}` has expired, and no client takes it\n"
        "  hint: renew it"
    )
    assert not Path(folder.run, "cert.pem").exists()


def test_certificate_is_installed_without_openssl(folder: Folder, pair: tuple[str, str]) -> None:
    def absent(arguments: Sequence[str], data: bytes) -> tuple[int, str]:
        raise errors.ProgramError("no openssl", "")

    assert certificate.install(folder, *pair, absent)[0] == f"{folder.run}/cert.pem"


def test_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    chain, key = tmp_path / "chain", tmp_path / "key"
    chain.write_text("nothing")
    key.write_text("nothing")
    with pytest.raises(errors.OptionError) as caught:
        certificate.check(str(chain), str(key))
    assert caught.value.message == (
        f"`--tls`: `{chain}` and `{key}` are no certificate and its key"
    )


def test_certificate_that_is_absent_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "absent")
    with pytest.raises(errors.OptionError) as caught:
        certificate.check(path, path)
    assert caught.value.message == f"`--tls`: `{path}` cannot be read: No such file or directory"
