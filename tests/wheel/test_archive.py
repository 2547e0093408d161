# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import base64
import csv
import hashlib
import io
import stat

from tests.wheel.built_wheel import BuiltWheel


def test_archive_has_one_package_and_its_metadata_at_top_level(wheel: BuiltWheel) -> None:
    assert {path.split("/")[0] for path in wheel.members} == {"tilewright", wheel.dist_info}


def test_archive_holds_what_was_promised(wheel: BuiltWheel) -> None:
    promised = {
        "tilewright/__init__.py",
        "tilewright/__main__.py",
        "tilewright/_C.pyi",
        "tilewright/_version.py",
        "tilewright/errors.py",
        "tilewright/include/tilewright/c_api.h",
        "tilewright/include/tilewright/dlpack.h",
        "tilewright/ops/rms_norm.py",
        "tilewright/py.typed",
    }
    assert promised <= set(wheel.members)


def test_archive_holds_no_leftovers(wheel: BuiltWheel) -> None:
    suffixes = (".pyc", ".o", ".a", ".cu", ".cuh", ".cc", ".json", "BUILD", ".params")
    own = [path for path in wheel.members if not path.startswith(wheel.dist_info)]
    assert [path for path in own if path.endswith(suffixes)] == []


def test_archive_is_free_of_time_and_machine(wheel: BuiltWheel) -> None:
    infos = wheel.archive.infolist()
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert {info.create_system for info in infos} == {3}
    for info in infos:
        elf = wheel.members[info.filename].startswith(b"\x7fELF")
        assert info.external_attr >> 16 == stat.S_IFREG | (0o755 if elf else 0o644), info.filename


def test_archive_order_is_sorted_with_metadata_last(wheel: BuiltWheel) -> None:
    names = wheel.archive.namelist()
    inside = sorted(name for name in names if not name.startswith(wheel.dist_info))
    about = sorted(name for name in names if name.startswith(wheel.dist_info))
    about.remove(f"{wheel.dist_info}/RECORD")
    assert names == [*inside, *about, f"{wheel.dist_info}/RECORD"]


def test_record_lists_every_file_with_its_hash(wheel: BuiltWheel) -> None:
    record = f"{wheel.dist_info}/RECORD"
    rows = list(csv.reader(io.StringIO(wheel.members[record].decode())))
    expected = []
    for path in wheel.archive.namelist():
        content = wheel.members[path]
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        expected.append([path, f"sha256={digest}", str(len(content))])
    expected[-1] = [record, "", ""]
    assert rows == expected


def test_archive_carries_no_path_of_the_build_machine(wheel: BuiltWheel) -> None:
    traces = (b"/home/", b"/root/", b"/tmp/", b"bazel-out", b"execroot", b"-sandbox/", b"/.cache/")
    found = {
        (path, trace.decode(), content[max(0, at - 40) : at + 60])
        for path, content in wheel.members.items()
        for trace in traces
        if (at := content.find(trace)) >= 0
    }
    assert found == set()
