# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import itertools

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.shown import shown
from tests.unit.wheel.audit.tiny_elf_wheel import elf_wheel, found
from tools.wheel.audit.checks import platform
from tools.wheel.audit.errors import SettingsError
from tools.wheel.audit.settings import Settings
from tools.wheel.platforms.policy import PlatformPolicy, known_policies

TAG = "pkg-1.0-cp312-cp312-{}.whl"
#: Libraries by the prefix of their symbol versions.
VERSIONED = {"GLIBC": "libc.so.6", "GLIBCXX": "libstdc++.so.6", "GCC": "libgcc_s.so.1"}
#: Every platform up to manylinux_2_41 after the one before it; 2_37 promises nothing new of these.
NEIGHBOURS = [
    (older, newer)
    for older, newer in itertools.pairwise(known_policies("x86_64"))
    if newer.base != "manylinux_2_37"
]
NEW = TinyElf(
    versions={"libc.so.6": ("GLIBC_2.14", "GLIBC_2.28", "GLIBC_2.32")},
    imports=("fcntl64@GLIBC_2.28", "__libc_single_threaded@GLIBC_2.32", "memcpy@GLIBC_2.14"),
)


def test_symbols_within_the_platform_pass() -> None:
    for tag in ("manylinux_2_32_x86_64", "manylinux_2_99_x86_64", "linux_x86_64"):
        wheel = elf_wheel({"pkg/x.so": NEW}, TAG.format(tag))
        assert found(platform.symbols, wheel) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    NEIGHBOURS,
    ids=lambda policy: policy.base,
)
def test_symbols_of_every_platform_pass_there_and_not_on_the_one_before(
    older: PlatformPolicy, newer: PlatformPolicy
) -> None:
    prefix, number = next(
        (prefix, number)
        for prefix in VERSIONED
        for number in sorted(newer.symbol_versions[prefix] - older.symbol_versions[prefix])
    )
    library = VERSIONED[prefix]
    elf = TinyElf(needed=(library,), versions={library: (f"{prefix}_{number}",)})
    tags = [TAG.format(f"{policy.base}_x86_64") for policy in (older, newer)]
    assert found(platform.symbols, elf_wheel({"pkg/x.so": elf}, tags[1])) == []
    assert found(platform.symbols, elf_wheel({"pkg/x.so": elf}, tags[0])) == [
        ("pkg/x.so", f"it needs {prefix}_{number} of `{library}`, newer than `{older.base}`")
    ]


def test_symbols_newer_than_the_tag_are_found_with_the_platform_that_would_do() -> None:
    wheel = elf_wheel({"pkg/x.so": NEW})
    (problem,) = platform.symbols.find(wheel, Settings())
    assert problem.path == "pkg/x.so"
    assert problem.what == (
        "it needs GLIBC_2.32 of `libc.so.6` for `__libc_single_threaded` and 1 more version, newer "
        "than `manylinux_2_27`"
    )
    assert problem.hint == "its files do with `manylinux_2_34`: tag it so, or build on an older one"


def test_symbols_are_held_to_the_oldest_of_several_tags() -> None:
    name = TAG.format("manylinux_2_17_x86_64.manylinux_2_28_x86_64")
    elf = TinyElf(versions={"libm.so.6": ("GLIBC_2.27",)}, imports=("exp@GLIBC_2.27",))
    assert found(platform.symbols, elf_wheel({"pkg/x.so": elf}, name)) == [
        ("pkg/x.so", "it needs GLIBC_2.27 of `libm.so.6` for `exp`, newer than `manylinux_2_17`")
    ]


def test_symbols_are_held_to_the_declared_platform() -> None:
    elf = TinyElf(versions={"libm.so.6": ("GLIBC_2.27",)})
    wheel = elf_wheel({"pkg/x.so": elf}, TAG.format("linux_x86_64"))
    assert found(platform.symbols, wheel) == []
    assert found(platform.symbols, wheel, Settings(policy="manylinux_2_24")) == [
        ("pkg/x.so", "it needs GLIBC_2.27 of `libm.so.6`, newer than `manylinux_2_24`")
    ]
    with pytest.raises(SettingsError, match="there is no platform `manylinux`"):
        found(platform.symbols, wheel, Settings(policy="manylinux"))


def test_symbols_of_libraries_that_come_along_or_from_elsewhere_do_not_count() -> None:
    files = {
        "pkg/x.so": TinyElf(
            needed=("libstdc++.so.6", "libcudart.so.13"),
            versions={"libstdc++.so.6": ("GLIBCXX_3.4.99",), "libcudart.so.13": ("GLIBC_9",)},
        ),
        "pkg.libs/libstdc++.so.6": TinyElf(soname="libstdc++.so.6"),
    }
    assert found(platform.symbols, elf_wheel(files)) == []


def test_symbols_that_may_be_absent_do_not_count() -> None:
    elf = TinyElf(versions={"libc.so.6": ("GLIBC_2.38",)}, weak_versions=("GLIBC_2.38",))
    assert found(platform.symbols, elf_wheel({"pkg/x.so": elf})) == []


def test_symbols_that_the_policy_forbids_are_found() -> None:
    elf = TinyElf(needed=("libz.so.1",), imports=("inflate", "inflate_table"))
    assert found(platform.symbols, elf_wheel({"pkg/x.so": elf})) == [
        (
            "pkg/x.so",
            "it uses `inflate_table` of `libz.so.1`, which not all of `manylinux_2_27` has",
        )
    ]
    weak = TinyElf(needed=("libz.so.1",), weak_imports=("inflate_table",))
    assert found(platform.symbols, elf_wheel({"pkg/x.so": weak})) == []


def test_symbols_processor_beyond_the_baseline_is_found() -> None:
    assert found(platform.symbols, elf_wheel({"pkg/x.so": TinyElf(isa=4)})) == [
        (
            "pkg/x.so",
            "it asks for a processor of level x86-64-v3, and the loader refuses it on others; "
            "`manylinux_2_27_x86_64` promises the first level",
        )
    ]


def test_machine_of_the_tag_passes() -> None:
    assert found(platform.machine, elf_wheel({"pkg/x.so": TinyElf()})) == []
    arm = elf_wheel({"pkg/x.so": TinyElf(machine=183)}, TAG.format("manylinux_2_28_aarch64"))
    assert found(platform.machine, arm) == []


def test_machine_extension_for_another_one_is_found() -> None:
    files = {"pkg/x.so": TinyElf(machine=183, defines=("PyInit_x",)), "pkg/y.so": TinyElf()}
    assert found(platform.machine, elf_wheel(files)) == [
        ("pkg/x.so", "it is for aarch64; the tag is `manylinux_2_27_x86_64`")
    ]


@pytest.mark.parametrize("tag", ["macosx_11_0_arm64", "win_amd64", "macosx_10_9_x86_64.win32"])
def test_machine_extension_in_a_wheel_for_another_system_is_found(tag: str) -> None:
    files = {"pkg/x.so": TinyElf(defines=("PyInit_x",)), "pkg/firmware.elf": TinyElf()}
    assert found(platform.machine, elf_wheel(files, TAG.format(tag))) == [
        ("pkg/x.so", f"it is for Linux or another system with ELF; the tag is `{tag}`")
    ]
    assert found(platform.machine, elf_wheel(files, TAG.format("freebsd_13_amd64"))) == []


def test_machine_data_for_another_one_passes_beside_native_code() -> None:
    files = {"pkg/firmware.elf": TinyElf(machine=94), "pkg/y.so": TinyElf()}
    assert found(platform.machine, elf_wheel(files)) == []
    del files["pkg/y.so"]
    assert found(platform.machine, elf_wheel(files)) == [
        ("pkg/firmware.elf", "it is for ELF machine 94; the tag is `manylinux_2_27_x86_64`")
    ]


@pytest.mark.parametrize(
    ("tag", "library"),
    [("manylinux_2_27_x86_64", "libc.musl-x86_64.so.1"), ("musllinux_1_2_x86_64", "libc.so.6")],
)
def test_machine_other_c_library_is_found(tag: str, library: str) -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(needed=(library,))}, TAG.format(tag))
    assert found(platform.machine, wheel) == [
        ("pkg/x.so", f"it needs `{library}`, another C library; the tag is `{tag}`")
    ]


def test_machine_code_in_a_wheel_for_any_is_found() -> None:
    name = "pkg-1.0-py3-none-any.whl"
    files = {"pkg/x.so": TinyElf()}
    assert found(platform.machine, elf_wheel(files, name)) == [
        ("pkg/x.so", "it is for x86_64; the tag `any` brings it to every machine")
    ]
    assert found(platform.machine, elf_wheel(files, name, paths=["pkg/x.dll"])) == []
    files["pkg/arm.so"] = TinyElf(machine=183)
    assert found(platform.machine, elf_wheel(files, name)) == []


def test_floor_that_keeps_systems_out_is_noted() -> None:
    elf = TinyElf(versions={"libc.so.6": ("GLIBC_2.14",)})
    wheel = elf_wheel({"pkg/x.so": elf}, TAG.format("manylinux_2_35_x86_64"))
    assert shown(platform.floor, wheel) == (
        "  note       platform-floor: its tag `manylinux_2_35` keeps it from RHEL 8, RHEL 9; its "
        "files do with `manylinux_2_17`\n"
        "             hint: repair it for the older platform"
    )
    # A platform that the project declares is no tag.
    assert found(platform.floor, wheel, Settings(policy="manylinux_2_28")) != []


@pytest.mark.parametrize("tag", ["manylinux_2_17_x86_64", "manylinux_2_28_x86_64", "linux_x86_64"])
def test_floor_below_every_system_is_nothing_to_note(tag: str) -> None:
    elf = TinyElf(versions={"libc.so.6": ("GLIBC_2.14",)})
    assert found(platform.floor, elf_wheel({"pkg/x.so": elf}, TAG.format(tag))) == []


def test_floor_of_files_that_need_the_tag_is_nothing_to_note() -> None:
    wheel = elf_wheel({"pkg/x.so": NEW}, TAG.format("manylinux_2_34_x86_64"))
    assert found(platform.floor, wheel) == []
