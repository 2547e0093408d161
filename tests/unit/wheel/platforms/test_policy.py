# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tools.wheel.platforms.errors import UnknownPlatformError
from tools.wheel.platforms.policy import known_policies, nearest_policy, platform_policy


def test_platform_policy_knows_libraries_and_symbol_versions() -> None:
    policy = platform_policy("manylinux_2_27_x86_64")
    assert policy.base == "manylinux_2_27"
    assert policy.architecture == "x86_64"
    assert policy.provides("libc.so.6")
    assert policy.provides("ld-linux-x86-64.so.2")
    assert not policy.provides("libcudart.so.13")
    assert not policy.provides("libgomp.so.1")
    assert policy.allows("GLIBC_2.27")
    assert not policy.allows("GLIBC_2.28")


@pytest.mark.parametrize(
    ("platform", "tag"),
    [
        ("manylinux_2_27_x86_64", "manylinux_2_27_x86_64"),
        ("manylinux_2_17_x86_64", "manylinux2014_x86_64.manylinux_2_17_x86_64"),
        ("manylinux2014_aarch64", "manylinux2014_aarch64.manylinux_2_17_aarch64"),
    ],
)
def test_platform_policy_file_tag_carries_old_aliases(platform: str, tag: str) -> None:
    assert platform_policy(platform).file_tag == tag


@pytest.mark.parametrize("platform", ["linux_x86_64", "any", "manylinux_2_27", "win_amd64"])
def test_platform_policy_other_tag_is_refused(platform: str) -> None:
    with pytest.raises(UnknownPlatformError, match="is not a manylinux platform"):
        platform_policy(platform)


def test_platform_policy_unknown_version_lists_the_known() -> None:
    with pytest.raises(UnknownPlatformError, match="no policy for") as caught:
        platform_policy("manylinux_2_99_x86_64")
    assert "`manylinux_2_28_x86_64`" in caught.value.hint


def test_platform_policy_newest_is_known() -> None:
    policy = platform_policy("manylinux_2_41_x86_64")
    assert policy.glibc == (2, 41)
    assert policy.allows("GLIBC_2.41")


def test_nearest_policy_between_two_has_the_libraries_of_the_newer_and_its_own_symbols() -> None:
    policy = nearest_policy("manylinux_2_32_x86_64")
    assert policy is not None
    assert (policy.base, policy.file_tag) == ("manylinux_2_32", "manylinux_2_32_x86_64")
    assert policy.allows("GLIBC_2.32")
    assert not policy.allows("GLIBC_2.33")
    assert not policy.allows("GLIBC_PRIVATE")
    newer = platform_policy("manylinux_2_34_x86_64")
    assert policy.symbol_versions["GLIBCXX"] == newer.symbol_versions["GLIBCXX"]


def test_nearest_policy_of_a_known_platform_is_its_own() -> None:
    assert nearest_policy("manylinux2014_x86_64") == platform_policy("manylinux_2_17_x86_64")
    assert nearest_policy("manylinux_2_99_x86_64") is None


def test_known_policies_are_sorted_by_age() -> None:
    versions = [policy.glibc for policy in known_policies("aarch64")]
    assert versions == sorted(versions)
    assert versions[0] == (2, 17)
