# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Local paths named by pip's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.launcher import pip_settings
from tools.launcher.host import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    home = tmp_path / "home"
    home.mkdir()
    return Host(1000, "ada", str(home), str(home / ".cache/tilewright"), "/", None, "/ws")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    # keeps the test machine's own /etc/xdg/pip out
    return {"XDG_CONFIG_DIRS": str(tmp_path / "none")}


def found(host: Host, environ: dict[str, str], below: Path) -> list[str]:
    """What lies below the test's folder; the machine's /etc/pip.conf may name more."""
    return [path for path in pip_settings.local_paths(host, environ) if path.startswith(str(below))]


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("/opt/wheels", "/opt/wheels"),
        ("file:///opt/pypi/simple", "/opt/pypi/simple"),
        ("file:///opt/with%20space", "/opt/with space"),
        ("https://example.org/simple", ""),
        ("relative/wheels", ""),
    ],
)
def test_local_path_of_setting_is_path_or_nothing(word: str, path: str) -> None:
    assert pip_settings.local_path(word) == path


def test_paths_from_environment_are_found(
    host: Host, environ: dict[str, str], tmp_path: Path
) -> None:
    for name in ("wheels", "simple", "more"):
        (tmp_path / name).mkdir()
    environ["PIP_FIND_LINKS"] = str(tmp_path / "wheels")
    environ["PIP_EXTRA_INDEX_URL"] = f"https://example.org {(tmp_path / 'simple').as_uri()}"
    environ["PIP_CONSTRAINT"] = f"{tmp_path / 'missing'} {tmp_path / 'more'}"
    expected = sorted(str(tmp_path / name) for name in ("more", "simple", "wheels"))
    assert found(host, environ, tmp_path) == expected


def test_paths_from_users_file_are_found(
    host: Host, environ: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "wheels").mkdir()
    config = Path(host.home) / ".config/pip/pip.conf"
    config.parent.mkdir(parents=True)
    config.write_text(f"[global]\nfind-links =\n    https://example.org\n    {tmp_path}/wheels\n")
    assert found(host, environ, tmp_path) == [str(tmp_path / "wheels")]


def test_paths_from_file_named_by_variable_are_found(
    host: Host, environ: dict[str, str], tmp_path: Path
) -> None:
    certificate = tmp_path / "ca.pem"
    certificate.write_text("")
    config = tmp_path / "special.conf"
    config.write_text(f"[install]\ncert = {certificate}\n")
    environ["PIP_CONFIG_FILE"] = str(config)
    assert str(config) in pip_settings.config_files(host, environ)
    assert found(host, environ, tmp_path) == [str(certificate)]


def test_broken_file_is_left_to_pip(host: Host, environ: dict[str, str], tmp_path: Path) -> None:
    config = tmp_path / "broken.conf"
    config.write_text("no section\n")
    environ["PIP_CONFIG_FILE"] = str(config)
    assert found(host, environ, tmp_path) == []
