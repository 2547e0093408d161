# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Sizes and times."""

from __future__ import annotations

import pytest

from tools.cache import errors, options


@pytest.mark.parametrize(
    ("text", "size"),
    [("0", 0), ("50G", 50 * 10**9), ("1.5t", 15 * 10**11), ("10MB", 10**7), ("0K", 0)],
)
def test_size_is_in_powers_of_a_thousand(text: str, size: int) -> None:
    assert options.parse_size("--max-size", text) == size


@pytest.mark.parametrize("text", ["", "G", "50", "7B", "-1G", "50 G", "5X", "1e9", "٣G", "9" * 400])
def test_size_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(errors.OptionError) as caught:
        options.parse_size("--max-size", text)
    assert str(caught.value) == (
        f"`--max-size` is `{text}`, which is no size\n  hint: give a number and K, M, G or T: 50G"
    )


def test_size_beyond_all_disks_is_refused() -> None:
    with pytest.raises(errors.OptionError) as caught:
        options.parse_size("--max-entry", "1000001T")
    assert str(caught.value) == (
        "`--max-entry` is `1000001T`, which is larger than any disk\n  hint: give at most 1000000T"
    )


def test_age_has_a_unit() -> None:
    assert options.parse_age("--older-than", "30d") == 30 * 86400
    assert options.parse_age("--older-than", "2w") == 14 * 86400


@pytest.mark.parametrize("text", ["30", "d", "1.5d", "30y", "٣d", "9" * 400 + "w"])
def test_age_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(errors.OptionError, match="is no time"):
        options.parse_age("--older-than", text)
