# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Mounts of the root file system and bubblewrap's options for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.launcher import errors, mounts
from tools.launcher.host import Host
from tools.launcher.mounts import Mount


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "root"
    for name in ("usr/bin", "usr/lib", "etc/xdg", "var/lib/dpkg"):
        (path / name).mkdir(parents=True)
    (path / "bin").symlink_to("usr/bin")
    (path / "lib").symlink_to("usr/lib")
    return path


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A host's root folder with few entries, so that nothing covers the test's own paths."""
    path = tmp_path / "top"
    for name in ("usr", "etc", "proc", "opt", "srv"):
        (path / name).mkdir(parents=True)
    (path / "data").symlink_to("srv/data")
    (path / "file").write_text("")
    return path


def make_host(tmp_path: Path) -> Host:
    for name in ("home", "ws"):
        (tmp_path / name).mkdir(exist_ok=True)
    home, workspace = str(tmp_path / "home"), str(tmp_path / "ws")
    return Host(1000, "ada", home, home + "/.cache/tilewright", workspace, workspace, workspace)


def by_target(plan: tuple[Mount, ...]) -> dict[str, Mount]:
    targets = [mount.target for mount in plan]
    assert len(targets) == len(set(targets))
    return {mount.target: mount for mount in plan}


def test_plan_root_folders_are_read_only_and_links_kept(
    tmp_path: Path, root: Path, top: Path
) -> None:
    plan = by_target(mounts.plan(make_host(tmp_path), {}, str(root), top=str(top)))
    assert plan["/usr"] == Mount("/usr", f"{root}/usr", "ro-bind")
    assert plan["/etc"] == Mount("/etc", f"{root}/etc", "ro-bind")
    assert plan["/bin"] == Mount("/bin", "usr/bin", "symlink")
    assert plan["/host/usr"] == Mount("/host/usr", "/usr", "ro-bind")


def test_plan_proc_is_the_hosts_own(tmp_path: Path, root: Path, top: Path) -> None:
    plan = by_target(mounts.plan(make_host(tmp_path), {}, str(root), top=str(top)))
    assert plan["/proc"] == Mount("/proc", "/proc", "bind")


def test_plan_host_folders_show_at_their_own_paths(tmp_path: Path, root: Path, top: Path) -> None:
    plan = by_target(mounts.plan(make_host(tmp_path), {}, str(root), top=str(top)))
    assert plan["/srv"] == Mount("/srv", f"{top}/srv", "bind")
    assert plan["/opt"] == Mount("/opt", f"{top}/opt", "ro-bind")
    assert plan["/data"] == Mount("/data", "srv/data", "symlink")
    assert "/file" not in plan


def test_plan_workspace_and_home_show_writable(tmp_path: Path, root: Path, top: Path) -> None:
    host = make_host(tmp_path)
    plan = by_target(mounts.plan(host, {}, str(root), top=str(top)))
    assert plan[host.home] == Mount(host.home, host.home, "bind")
    assert plan[host.launcher_workspace].kind == "bind"


def test_plan_nested_workspace_outside_launchers_shows(
    tmp_path: Path, root: Path, top: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    nested = str(tmp_path / "elsewhere")
    host = make_host(tmp_path)._replace(cwd=nested + "/sub", workspace=nested)
    assert by_target(mounts.plan(host, {}, str(root), top=str(top)))[nested].kind == "bind"


def test_plan_path_below_mounted_folder_is_not_mounted_again(
    tmp_path: Path, root: Path, top: Path
) -> None:
    host = make_host(tmp_path)
    (tmp_path / "home/tmp").mkdir()
    environ = {"TMPDIR": f"{host.home}/tmp"}
    assert f"{host.home}/tmp" not in by_target(mounts.plan(host, environ, str(root), top=str(top)))


@pytest.mark.parametrize("name", ["home", "ws"])
def test_plan_writable_folder_below_read_only_folder_is_mounted_writable(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(mounts, "READ_ONLY_NAMES", frozenset((tmp_path.parts[1],)))
    plan = by_target(mounts.plan(make_host(tmp_path), {}, str(root)))
    assert plan["/" + tmp_path.parts[1]].kind == "ro-bind"
    assert plan[str(tmp_path / name)].kind == "bind"


def test_plan_bind_setting_of_a_read_only_folder_makes_it_writable(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = "/" + tmp_path.parts[1]
    monkeypatch.setattr(mounts, "READ_ONLY_NAMES", frozenset((tmp_path.parts[1],)))
    plan = by_target(mounts.plan(make_host(tmp_path), {"TILEWRIGHT_BIND": folder}, str(root)))
    assert plan[folder] == Mount(folder, folder, "bind")


def test_plan_read_only_folder_below_read_only_folder_is_not_mounted_again(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mounts, "READ_ONLY_NAMES", frozenset((tmp_path.parts[1],)))
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    plan = by_target(mounts.plan(make_host(tmp_path), {"PIP_FIND_LINKS": str(wheels)}, str(root)))
    assert str(wheels) not in plan


def test_plan_registry_of_the_launcher_shows_where_its_bazelrc_looks(
    tmp_path: Path, root: Path, top: Path
) -> None:
    host = make_host(tmp_path)
    plan = by_target(mounts.plan(host, {}, str(root), top=str(top)))
    source = f"{host.launcher_workspace}/tools/launcher/registry"
    assert plan[mounts.REGISTRY] == Mount(mounts.REGISTRY, source, "ro-bind")
    launcher = Path(mounts.__file__).parent
    assert f"--registry=file://{mounts.REGISTRY}\n" in (launcher / "container.bazelrc").read_text()
    assert (launcher / "registry/bazel_registry.json").is_file()


def test_plan_find_links_folder_shows_read_only(tmp_path: Path, root: Path, top: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    environ = {"PIP_FIND_LINKS": str(wheels)}
    plan = by_target(mounts.plan(make_host(tmp_path), environ, str(root), top=str(top)))
    assert plan[str(wheels)] == Mount(str(wheels), str(wheels), "ro-bind")


def test_plan_certificate_variable_never_replaces_the_roots_folder(
    tmp_path: Path, root: Path, top: Path
) -> None:
    environ = {"SSL_CERT_DIR": "/etc/ssl/certs"}
    plan = by_target(mounts.plan(make_host(tmp_path), environ, str(root), top=str(top)))
    assert "/etc/ssl/certs" not in plan


def test_plan_parents_come_before_children(tmp_path: Path, root: Path, top: Path) -> None:
    plan = mounts.plan(make_host(tmp_path), {}, str(root), top=str(top))
    order = [mount.target for mount in plan]
    for index, target in enumerate(order):
        assert not any(target.startswith(later + "/") for later in order[index + 1 :])


def test_plan_bind_setting_adds_folders(tmp_path: Path, root: Path, top: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    environ = {"TILEWRIGHT_BIND": f"{one}:{two}"}
    plan = by_target(mounts.plan(make_host(tmp_path), environ, str(root), top=str(top)))
    assert plan[str(one)].kind == plan[str(two)].kind == "bind"


@pytest.mark.parametrize("value", ["relative", "/does/not/exist"])
def test_plan_bind_setting_unusable_fails_and_names_it(
    tmp_path: Path, root: Path, top: Path, value: str
) -> None:
    with pytest.raises(errors.SettingError, match=f"`TILEWRIGHT_BIND` names `{value}`"):
        mounts.plan(make_host(tmp_path), {"TILEWRIGHT_BIND": value}, str(root), top=str(top))


@pytest.mark.parametrize(
    ("arguments", "folders"),
    [
        (["--output_base=/var/o", "build", "//x"], ["/var/o"]),
        (["--batch", "--output_user_root", "/var/u", "build"], ["/var/u"]),
        (["build", "--output_base=/not/a/startup/option"], []),
        (["--host_jvm_args", "-Xmx1g", "--output_base", "/var/o", "--batch", "info"], ["/var/o"]),
        (["--output_base", "/var/o", "--output_user_root=/var/u"], ["/var/o", "/var/u"]),
        (["--output_base"], []),
        (["--output_base=relative", "info"], []),
        ([], []),
    ],
)
def test_output_folders_are_those_of_startup_options(
    arguments: list[str], folders: list[str]
) -> None:
    assert mounts.output_folders(arguments) == folders


def test_mount_points_missing_in_root_are_made_as_their_sources_are(
    tmp_path: Path, root: Path
) -> None:
    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    file.write_text("content")
    plan = [
        Mount("/usr/src/app", str(folder), "bind"),
        Mount("/etc/corp/ca.pem", str(file), "ro-bind"),
        Mount("/srv/elsewhere", str(folder), "bind"),
    ]
    mounts.make_mount_points(plan, str(root))
    assert (root / "usr/src/app").is_dir()
    assert (root / "etc/corp/ca.pem").read_text() == ""
    assert not (root / "srv").exists()
    assert mounts.missing_mount_points(plan, str(root)) == []


def test_fingerprint_of_replaced_file_changes_and_of_equal_content_stays(tmp_path: Path) -> None:
    file = tmp_path / "resolv.conf"
    plan = [Mount("/etc/resolv.conf", str(file), "ro-bind")]
    file.write_text("nameserver 192.0.2.1\n")
    first = mounts.fingerprint(plan)
    file.unlink()
    file.write_text("nameserver 192.0.2.1\n")
    assert mounts.fingerprint(plan) == first
    file.write_text("nameserver 192.0.2.2\n")
    assert mounts.fingerprint(plan) != first


def test_fingerprint_with_another_user_added_stays(tmp_path: Path) -> None:
    file = tmp_path / "passwd"
    plan = [Mount("/etc/passwd", str(file), "ro-bind")]
    file.write_text("ada:x:1000:1000::/home/ada:/bin/sh\n")
    first = mounts.fingerprint(plan)
    file.write_text("ada:x:1000:1000::/home/ada:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\n")
    assert mounts.fingerprint(plan) == first


def test_fingerprint_of_other_mounts_differs(tmp_path: Path) -> None:
    one = [Mount("/srv", "/srv", "bind")]
    assert mounts.fingerprint(one) != mounts.fingerprint([Mount("/srv", "/srv", "ro-bind")])


def test_bwrap_options_follow_mounts_and_seal_the_root() -> None:
    plan = [
        Mount("/bin", "usr/bin", "symlink"),
        Mount("/run", "", "tmpfs"),
        Mount("/a", "/b", "bind"),
    ]
    assert mounts.bwrap_options(plan, "/a/sub") == [
        *("--symlink", "usr/bin", "/bin"),
        *("--tmpfs", "/run"),
        *("--bind", "/b", "/a"),
        *("--remount-ro", "/"),
        *("--chdir", "/a/sub"),
    ]


@pytest.mark.parametrize("forbidden", ["--die-with-parent", "--unshare-pid", "--new-session"])
def test_bwrap_options_leave_the_server_alive_and_the_terminal_attached(
    tmp_path: Path, root: Path, top: Path, forbidden: str
) -> None:
    plan = mounts.plan(make_host(tmp_path), {}, str(root), top=str(top))
    assert forbidden not in mounts.bwrap_options(plan, "/")
