# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""nginx: its configuration as it is written, its command."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from tools.cache.door import Address
from tools.cache.folder import Folder
from tools.cache.nginx import server
from tools.cache.options import Options

OPTIONS = Options(
    root="",
    listen=Address("127.0.0.1", 8443),
    name=None,
    tls=None,
    self_signed=False,
    writers="/w",
    readers=None,
    max_size=1,
    max_age=1.0,
    max_entry=2_000_000_000,
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    (tmp_path / "run").mkdir()
    monkeypatch.setattr("tools.cache.programs.nginx_on_path", lambda: "/usr/sbin/nginx")
    return Folder(str(tmp_path))


def configuration(options: Options, folder: Folder, pair: tuple[str, str] | None) -> str:
    server.plan(options, folder, None, pair)
    text = Path(folder.run, "nginx.conf").read_text()
    return "\n".join(line.partition("#")[0].strip() for line in text.splitlines())


def test_plan_runs_the_machines_nginx_as_the_folders_owner(folder: Folder) -> None:
    (program,) = server.plan(OPTIONS, folder, None, None)
    config = f"{folder.run}/nginx.conf"
    assert program.command == ["/usr/sbin/nginx", "-e", "stderr", "-p", folder.run, "-c", config]
    assert program.owner == folder.owner
    assert program.end == signal.SIGQUIT
    assert not program.sandboxed


def test_configuration_lets_put_alone_change_anything(folder: Folder) -> None:
    text = configuration(OPTIONS, folder, None)
    assert re.findall(r"dav_methods (.*);", text) == ["PUT"]
    assert "limit_except GET {" in text
    assert f"auth_basic_user_file {folder.run}/writers;" in text
    assert "auth_basic off;" in text
    assert "client_max_body_size 2000000000;" in text


def test_configuration_asks_readers_where_there_are_some(folder: Folder) -> None:
    text = configuration(OPTIONS._replace(readers="/r"), folder, ("/c", "/k"))
    assert f'auth_basic "readers"; auth_basic_user_file {folder.run}/readers;' in text
    assert "auth_basic off;" not in text
    assert "listen 127.0.0.1:8443 ssl;" in text
    assert "ssl_certificate_key /k;" in text


def test_configuration_uploads_into_the_file_system_of_the_entries(folder: Folder) -> None:
    text = configuration(OPTIONS, folder, None)
    assert f"client_body_temp_path {folder.root}/incoming;" in text
    assert f"alias {folder.root}/data/$1/$2/$3;" in text


@pytest.mark.parametrize(
    ("path", "is_entry"),
    [
        ("/ac/" + "0a" * 32, True),
        ("/cas/" + "0a" * 32, True),
        ("/cas/" + "0A" * 32, False),
        ("/cas/" + "0a" * 31, False),
        ("/cas/" + "0a" * 33, False),
        ("/x/cas/" + "0a" * 32, False),
        ("/cas/../" + "0a" * 32, False),
        ("/writers", False),
    ],
)
def test_configuration_knows_entries_by_their_path(
    folder: Folder, path: str, is_entry: bool
) -> None:
    text = configuration(OPTIONS, folder, None)
    (pattern,) = re.findall(r'location ~ "(.*)"', text)
    assert (re.search(pattern, path) is not None) == is_entry


def test_configuration_has_no_variable_left(folder: Folder) -> None:
    assert not re.search(r"@[a-z_]+@", configuration(OPTIONS, folder, None))
