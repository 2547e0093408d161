# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Local paths that pip's settings name: indexes, find-links folders, constraints, certificates."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from tools.launcher.host import Host

PATH_OPTIONS = frozenset(
    (
        "cert",
        "client-cert",
        "constraint",
        "extra-index-url",
        "find-links",
        "index-url",
    )
)


def config_files(host: Host, environ: Mapping[str, str]) -> list[str]:
    """The files pip reads, in its order, whether they exist or not."""
    files = [
        os.path.join(folder, "pip/pip.conf")
        for folder in (environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
        if folder
    ]
    files.append("/etc/pip.conf")
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(host.home, ".config")
    files += [os.path.join(host.home, ".pip/pip.conf"), os.path.join(config, "pip/pip.conf")]
    if environ.get("PIP_CONFIG_FILE"):
        files.append(environ["PIP_CONFIG_FILE"])
    return files


def local_path(word: str) -> str:
    """The absolute path that a setting's word means, or an empty string."""
    if word.startswith("file://"):
        from urllib.parse import unquote, urlsplit

        return unquote(urlsplit(word).path)
    return word if os.path.isabs(word) else ""


def _values(host: Host, environ: Mapping[str, str]) -> Iterator[str]:
    for option in PATH_OPTIONS:
        value = environ.get("PIP_" + option.upper().replace("-", "_"))
        if value:
            yield value
    for path in config_files(host, environ):
        if not os.path.isfile(path):
            continue
        import configparser

        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeDecodeError):
            continue  # pip itself reports a broken file, with its line
        for section in parser.sections():
            for option, value in parser.items(section):
                if option.replace("_", "-") in PATH_OPTIONS:
                    yield value


def local_paths(host: Host, environ: Mapping[str, str]) -> list[str]:
    """Existing absolute paths named by pip's environment variables and files, sorted."""
    found = {local_path(word) for value in _values(host, environ) for word in value.split()}
    return sorted(path for path in found if path and os.path.exists(path))
