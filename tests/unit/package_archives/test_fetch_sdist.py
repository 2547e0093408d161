# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a source distribution is looked for: pip's own settings."""

from __future__ import annotations

import os
import subprocess
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def settings(fetch_sdist: ModuleType, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What pip's configuration files hold, `section.name` to value."""
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    values: dict[str, str] = {}

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        value = values.get(command[-1])
        return subprocess.CompletedProcess(command, value is None, f"{value}\n", "")

    monkeypatch.setattr(fetch_sdist.subprocess, "run", run)
    monkeypatch.setattr(fetch_sdist, "default_index", lambda: ["https://default.example"])
    return values


def test_sources_without_settings_are_the_default_index(
    fetch_sdist: ModuleType, settings: dict[str, str]
) -> None:
    assert settings == {}
    assert fetch_sdist.sources() == (["https://default.example"], [])


def test_sources_follow_the_section_of_download_before_the_global_one(
    fetch_sdist: ModuleType, settings: dict[str, str]
) -> None:
    settings.update({"download.index-url": "https://d", "global.index-url": "https://g"})
    settings["global.extra-index-url"] = "https://e1\nhttps://e2"
    assert fetch_sdist.sources() == (["https://d", "https://e1", "https://e2"], [])


def test_sources_follow_the_environment_before_all_files(
    fetch_sdist: ModuleType, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings["download.index-url"] = "https://d"
    monkeypatch.setenv("PIP_INDEX_URL", "https://v")
    assert fetch_sdist.sources() == (["https://v"], [])


def test_sources_with_no_index_are_the_find_links_alone(
    fetch_sdist: ModuleType, settings: dict[str, str]
) -> None:
    settings.update({"global.no-index": "true", "global.find-links": "/wheels /more"})
    settings["global.index-url"] = "https://g"
    assert fetch_sdist.sources() == ([], ["/wheels", "/more"])
