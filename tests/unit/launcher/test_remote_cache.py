# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the variables of the remote cache become."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tools.launcher import capabilities, errors, remote_cache

ADDRESS = "https://cache.example/tilewright"


def test_without_an_address_nothing_is_said_to_bazel(tmp_path: Path) -> None:
    environ = {"TILEWRIGHT_REMOTE_UPLOAD": "1"}
    assert remote_cache.flags(environ) == []
    assert remote_cache.rc_files(environ, str(tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "address",
    [
        ADDRESS,
        "http://10.0.0.7:8080",
        "http://[::1]:8080/a/b",
        "grpc://cache.example:8980",
        "grpcs://cache.example",
    ],
)
def test_address_is_passed_on_and_nothing_is_uploaded(address: str) -> None:
    assert remote_cache.flags({"TILEWRIGHT_REMOTE_CACHE": address}) == [
        f"--remote_cache={address}",
        "--noremote_upload_local_results",
    ]


@pytest.mark.parametrize(
    "address",
    [
        "cache.example:8080",
        "https://",
        "ftp://cache.example",
        "unix:/run/cache",
        "https://cache.example/?token=1",
        "https://cache.example/#a",
        "https://cache.example:port",
        "https://cache.example:99999",
        "https://cache.example/a b",
        "https://cache.example/a\nbuild --config=x",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.flags({"TILEWRIGHT_REMOTE_CACHE": address})
    assert caught.value.message == (
        f"`TILEWRIGHT_REMOTE_CACHE` is `{address}`, which is no address of a cache"
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://ci:s3cret@cache.example",
        "grpcs://token@host",
        "ci:s3cret@cache.example",
        "ftp://ci:s3cret@cache.example",
        "https://ci:s3cret@cache.example:port",
    ],
)
def test_password_in_the_address_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.flags({"TILEWRIGHT_REMOTE_CACHE": address})
    assert "netrc" in caught.value.hint
    assert "s3cret" not in str(caught.value) and "token" not in str(caught.value)


@pytest.mark.parametrize(("value", "uploads"), [("1", True), ("0", False), ("", False)])
def test_upload_is_asked_for_by_one(value: str, uploads: bool) -> None:
    environ = {"TILEWRIGHT_REMOTE_CACHE": ADDRESS, "TILEWRIGHT_REMOTE_UPLOAD": value}
    found = [flag for flag in remote_cache.flags(environ) if flag.endswith("upload_local_results")]
    assert found == [f"--{'' if uploads else 'no'}remote_upload_local_results"]


@pytest.mark.parametrize("value", ["true", "yes", "2", " 1"])
def test_other_answers_than_0_and_1_are_refused(value: str) -> None:
    environ = {"TILEWRIGHT_REMOTE_CACHE": ADDRESS, "TILEWRIGHT_REMOTE_UPLOAD": value}
    with pytest.raises(errors.SettingError, match="expected 0 or 1"):
        remote_cache.flags(environ)


GRPC = {"TILEWRIGHT_REMOTE_CACHE": "grpc://host:1", "TILEWRIGHT_REMOTE_COMPRESSION": "1"}


@pytest.mark.parametrize("answer", [True, False])
def test_compression_is_for_caches_that_offer_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], answer: bool
) -> None:
    monkeypatch.setattr(capabilities, "offers_zstd", lambda *arguments: answer)
    assert ("--remote_cache_compression" in remote_cache.flags(GRPC)) is answer
    said = (
        "tilewright: `host:1` does not take blobs compressed with zstd; going on without "
        "compression\n"
        "  hint: unset TILEWRIGHT_REMOTE_COMPRESSION\n"
    )
    assert capfd.readouterr().err == ("" if answer else said)


def test_cache_that_is_down_is_not_asked_for_compression(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def offers_zstd(*arguments: object) -> bool:
        raise ConnectionRefusedError("Connection refused")

    monkeypatch.setattr(capabilities, "offers_zstd", offers_zstd)
    assert "--remote_cache_compression" not in remote_cache.flags(GRPC)
    assert "does not say whether it takes compressed blobs: Conn" in capfd.readouterr().err


def test_compression_over_http_is_refused() -> None:
    environ = {**GRPC, "TILEWRIGHT_REMOTE_CACHE": ADDRESS}
    with pytest.raises(errors.SettingError, match="compresses nothing for `https://`"):
        remote_cache.flags(environ)


PAIR = ("TILEWRIGHT_REMOTE_CLIENT_CERTIFICATE", "TILEWRIGHT_REMOTE_CLIENT_KEY")


@pytest.mark.parametrize("variable", sorted(remote_cache.FILES))
def test_files_are_named_by_flags_and_must_exist(tmp_path: Path, variable: str) -> None:
    path = tmp_path / "file"
    names = PAIR if variable in PAIR else (variable,)
    environ = {"TILEWRIGHT_REMOTE_CACHE": ADDRESS, **{name: str(path) for name in names}}
    with pytest.raises(errors.SettingError, match="not an existing file"):
        remote_cache.flags(environ)
    path.touch(0o700)
    expected = [f"--{remote_cache.FILES[name]}={path}" for name in names]
    assert remote_cache.flags(environ)[2:] == expected


@pytest.mark.parametrize("path", ["netrc", "/no/netrc"])
def test_netrc_at_which_bazel_crashes_or_goes_without_a_password_is_refused(path: str) -> None:
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.flags({"TILEWRIGHT_REMOTE_CACHE": ADDRESS, "NETRC": path})
    assert str(caught.value) == (
        f"`NETRC` names `{path}`, which is not an existing file by its absolute path\n"
        f"  hint: correct the path, or unset NETRC; {remote_cache.GUIDE}"
    )
    assert remote_cache.flags({"NETRC": path}) == []


def test_helper_that_is_no_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "helper"
    path.touch(0o600)
    environ = {"TILEWRIGHT_REMOTE_CACHE": ADDRESS, "TILEWRIGHT_REMOTE_CREDENTIAL_HELPER": str(path)}
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.flags(environ)
    assert str(caught.value) == (
        f"`TILEWRIGHT_REMOTE_CREDENTIAL_HELPER` names `{path}`, which you may not execute\n"
        "  hint: change its mode or owner, or unset TILEWRIGHT_REMOTE_CREDENTIAL_HELPER"
    )


@pytest.mark.parametrize("name", ["a\nbuild --config=x", "\udcff"])
def test_file_whose_name_breaks_a_line_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    with pytest.raises(errors.SettingError, match="not an existing file"):
        remote_cache.flags({"TILEWRIGHT_REMOTE_CACHE": ADDRESS, "TILEWRIGHT_REMOTE_CA": str(path)})


@pytest.mark.parametrize("variable", PAIR)
def test_half_of_a_clients_certificate_is_refused(tmp_path: Path, variable: str) -> None:
    (tmp_path / "half").touch()
    environ = {"TILEWRIGHT_REMOTE_CACHE": ADDRESS, variable: str(tmp_path / "half")}
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.flags(environ)
    assert caught.value.message == (
        "only one of `TILEWRIGHT_REMOTE_CLIENT_CERTIFICATE` and `TILEWRIGHT_REMOTE_CLIENT_KEY` is "
        "set, which Bazel passes over"
    )


def test_address_over_grpc_has_no_path() -> None:
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.flags({"TILEWRIGHT_REMOTE_CACHE": "grpc://cache.example:1/main"})
    assert str(caught.value) == (
        "`TILEWRIGHT_REMOTE_CACHE` is `grpc://cache.example:1/main`, and an address over gRPC has "
        "no path\n  hint: leave `/main` out; docs/how-to/remote-cache.md has every setting"
    )


def test_file_for_bazel_is_written_once_and_quotes_its_flags(tmp_path: Path) -> None:
    helper = tmp_path / 'a "b" c'
    helper.touch(0o700)
    environ = {
        "TILEWRIGHT_REMOTE_CACHE": ADDRESS,
        "TILEWRIGHT_REMOTE_CREDENTIAL_HELPER": str(helper),
    }
    (path,) = remote_cache.rc_files(environ, str(tmp_path / "cache"))
    words = [shlex.split(line) for line in Path(path).read_text().splitlines()]
    assert words == [["build:ci", flag] for flag in remote_cache.flags(environ)]
    before = Path(path).stat().st_ino
    assert remote_cache.rc_files(environ, str(tmp_path / "cache")) == [path]
    assert Path(path).stat().st_ino == before


def test_executor_has_a_config_of_its_own_and_is_the_cache_where_none_is_named(
    tmp_path: Path,
) -> None:
    environ = {"TILEWRIGHT_REMOTE_EXECUTOR": "grpcs://executor.example"}
    (path,) = remote_cache.rc_files(environ, str(tmp_path))
    assert Path(path).read_text() == (
        'build:ci "--remote_cache=grpcs://executor.example"\n'
        'build:ci "--noremote_upload_local_results"\n'
        'build:rbe "--remote_executor=grpcs://executor.example"\n'
    )
    environ["TILEWRIGHT_REMOTE_CACHE"] = "grpcs://cache.example"
    assert remote_cache.flags(environ)[0] == "--remote_cache=grpcs://cache.example"


def test_executor_speaks_grpc(tmp_path: Path) -> None:
    environ = {"TILEWRIGHT_REMOTE_EXECUTOR": "https://executor.example"}
    with pytest.raises(errors.SettingError) as caught:
        remote_cache.rc_files(environ, str(tmp_path))
    assert caught.value.message == (
        "`TILEWRIGHT_REMOTE_EXECUTOR` is `https://executor.example`, and actions are executed over "
        "gRPC alone"
    )
