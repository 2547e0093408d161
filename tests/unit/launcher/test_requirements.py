# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks before a root file system is made, and what they tell the user."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.launcher import errors, requirements
from tools.launcher import host as host_facts
from tools.launcher.host import Host

ROOT = Host(0, "root", "/root", "/root/.cache/tilewright", "/ws", "/ws", "/ws")
USER = Host(1000, "ada", "/home/ada", "/home/ada/.cache/tilewright", "/ws", "/ws", "/ws")
GIGABYTE = 10**9


def test_disk_with_enough_space_passes() -> None:
    requirements.check_disk("/cache", 4 * GIGABYTE, free=lambda _: 4 * GIGABYTE)


def test_disk_with_too_little_space_fails_with_both_figures() -> None:
    with pytest.raises(errors.DiskSpaceError) as caught:
        requirements.check_disk("/cache", 4 * GIGABYTE, free=lambda _: 3_900_000_000)
    assert caught.value.message == "`/cache` has 3.9 GB free, the root file system needs 4 GB"
    assert "XDG_CACHE_HOME" in caught.value.hint


def test_free_bytes_of_existing_folder_is_positive(tmp_path: Path) -> None:
    assert requirements.free_bytes(str(tmp_path)) > 0


@pytest.mark.parametrize(
    ("host", "is_made", "programs"),
    [
        (ROOT, True, ["bwrap"]),
        (USER, True, ["bwrap"]),
        (ROOT, False, ["bwrap", "mmdebstrap", "mount"]),
        (USER, False, ["bwrap", "mmdebstrap", "mount", "newuidmap"]),
    ],
)
def test_needed_programs_follow_user_and_state(
    host: Host, is_made: bool, programs: list[str]
) -> None:
    assert requirements.needed_programs(host, is_made) == programs


class Machine:
    """Stands in for the programs of a machine; `apt-get install` brings what `brings` names."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, programs: set[str], brings: set[str]
    ) -> None:
        self.programs = programs
        self.brings = brings
        self.calls: list[list[str]] = []
        monkeypatch.setattr(
            requirements,
            "missing_programs",
            lambda needed: [n for n in needed if n not in programs],
        )
        monkeypatch.setattr(
            host_facts, "find_program", lambda name: name if name in programs else None
        )
        monkeypatch.setattr(subprocess, "run", self.run)

    def run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        self.calls.append(command)
        if "install" in command:
            self.programs |= self.brings
        complaint = f"reading lists\nE: {command[1]} failed\ndone\n"
        return subprocess.CompletedProcess(command, 100, complaint.encode())


def test_programs_present_install_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, {"bwrap", "mmdebstrap", "apt-get"}, set())
    requirements.ensure_programs(ROOT, ["bwrap", "mmdebstrap"], pytest.fail)
    assert machine.calls == []


def test_programs_missing_as_root_on_debian_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, {"apt-get"}, {"bwrap", "mmdebstrap"})
    said: list[str] = []
    requirements.ensure_programs(ROOT, ["bwrap", "mmdebstrap"], said.append)
    assert [call[0:2] for call in machine.calls[:1]] == [["apt-get", "update"]]
    assert machine.calls[1][-4:] == list(requirements.DEBIAN_PACKAGES)
    assert said == ["installing bwrap, mmdebstrap with apt-get"]


def test_programs_not_installable_as_root_fail_with_apts_first_complaint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Machine(monkeypatch, {"apt-get", "bwrap"}, set())
    with pytest.raises(errors.MissingToolError) as caught:
        requirements.ensure_programs(ROOT, ["bwrap", "mmdebstrap"], lambda _: None)
    assert caught.value.message == "`apt-get install` did not bring mmdebstrap: E: update failed"


def test_programs_missing_as_user_fail_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, {"apt-get", "bwrap"}, set())
    with pytest.raises(errors.MissingToolError) as caught:
        requirements.ensure_programs(USER, ["bwrap", "mmdebstrap", "newuidmap"], pytest.fail)
    assert caught.value.message == "`mmdebstrap` and `newuidmap` not found"
    assert caught.value.hint == (
        "run: sudo apt-get install mmdebstrap bubblewrap debian-archive-keyring mount uidmap"
    )
    assert machine.calls == []


def test_programs_missing_without_apt_point_to_bazelisk(monkeypatch: pytest.MonkeyPatch) -> None:
    Machine(monkeypatch, set(), set())
    with pytest.raises(errors.MissingToolError) as caught:
        requirements.ensure_programs(ROOT, ["bwrap"], pytest.fail)
    assert "bazelisk" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "value", "command"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1",
         "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
        ("kernel/unprivileged_userns_clone", "0",
         "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=15000"),
    ],
)  # fmt: skip
def test_namespace_hint_for_forbidding_setting_is_its_command(
    name: str, value: str, command: str
) -> None:
    settings = {"/proc/sys/" + name: value}
    hint = requirements.namespace_hint(1000, lambda path: settings.get(path, ""))
    assert hint.startswith(f"run: {command} ; or use bazelisk")


def test_namespace_hint_without_forbidding_setting_is_about_containers() -> None:
    assert "--privileged" in requirements.namespace_hint(1000, lambda _: "")


def test_namespace_hint_for_root_is_about_containers_whatever_the_settings() -> None:
    assert "--privileged" in requirements.namespace_hint(0, lambda _: "0")


def test_namespaces_forbidden_fail_with_bubblewraps_message(tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    bwrap.chmod(0o755)
    with pytest.raises(errors.UserNamespaceError, match="No permissions to create new namespace"):
        requirements.check_namespaces(USER, str(bwrap))


def test_namespaces_allowed_pass(tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\nexit 0\n")
    bwrap.chmod(0o755)
    requirements.check_namespaces(USER, str(bwrap))


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("ada:100000:65536\n", True),
        ("1000:100000:65536\n", True),
        ("root:1:2\nada:100000:131072\n", True),
        ("ada:100000:1000\n", False),
        ("adam:100000:65536\n", False),
        ("ada:100000\n", False),
        ("", False),
    ],
)
def test_subordinate_ids_are_recognised(text: str, has: bool) -> None:
    assert requirements.has_subordinate_ids(text, "ada", 1000) is has


def test_subordinate_ids_in_a_file_with_odd_bytes_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "subuid"
    path.write_bytes("j\u00fcrgen:1:2\n".encode("latin-1") + b"ada:100000:65536\n")
    assert requirements.has_subordinate_ids(requirements._setting(str(path)), "ada", 1000)


def test_subordinate_ids_missing_fail_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "_setting", lambda _: "")
    with pytest.raises(errors.SubordinateIdError) as caught:
        requirements.check_subordinate_ids(USER)
    assert "`ada` has no 65536 subordinate ids in `/etc/subuid`" in caught.value.message
    assert (
        "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ada" in caught.value.hint
    )


def test_subordinate_ids_are_not_asked_of_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "_setting", lambda _: "")
    requirements.check_subordinate_ids(ROOT)
