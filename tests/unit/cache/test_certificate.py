# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Certificates: names in them, when a self-signed one is made, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cache import certificate, errors
from tools.cache.folder import Folder


def test_alternative_names_tell_addresses_from_names() -> None:
    names = ["cache.example", "10.0.0.1", "::1", "cache.example"]
    assert certificate.alternative_names(names) == "DNS:cache.example,IP:10.0.0.1,IP:::1"


def test_self_signed_is_made_once_for_its_names(tmp_path: Path) -> None:
    (tmp_path / "tls").mkdir()
    folder = Folder(str(tmp_path))
    made: list[list[str]] = []

    def run(command: list[str]) -> None:
        made.append(command)
        for option in ("-keyout", "-out"):
            Path(command[command.index(option) + 1]).write_text(str(len(made)))

    first = certificate.self_signed(folder, ["cache.example"], run)
    again = certificate.self_signed(folder, ["cache.example"], run)
    assert first == again == (str(tmp_path / "tls/cert.pem"), str(tmp_path / "tls/key.pem"))
    assert len(made) == 1
    assert "subjectAltName=DNS:cache.example" in made[0]
    certificate.self_signed(folder, ["other.example"], run)
    assert len(made) == 2
    assert (tmp_path / "tls/cert.pem").read_text() == "2"


def test_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    chain, key = tmp_path / "chain", tmp_path / "key"
    chain.write_text("nothing")
    key.write_text("nothing")
    with pytest.raises(errors.OptionError) as caught:
        certificate.check(str(chain), str(key))
    assert f"`--tls`: `{chain}` and `{key}` are no certificate and its key" in str(caught.value)


def test_certificate_that_is_absent_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "absent")
    with pytest.raises(errors.OptionError) as caught:
        certificate.check(path, path)
    assert caught.value.message == f"`--tls`: `{path}` cannot be read: No such file or directory"
