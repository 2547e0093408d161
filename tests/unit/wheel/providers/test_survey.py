# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from tools.wheel.providers.survey import survey
from tools.wheel.providers.table import Content, Release

OLD = Content(libraries={"libcudnn.so.8": "nvidia/cudnn/lib/libcudnn.so.8"})
NEW = Content(libraries={"libcudnn.so.9": "nvidia/cudnn/lib/libcudnn.so.9"})
VERSIONS = [f"8.{minor}" for minor in range(5)] + [f"9.{minor}" for minor in range(11)]


class Registry:
    """Reads wheels, and remembers which."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, version: str) -> Content:
        self.read.append(version)
        return OLD if version.startswith("8.") else NEW


def test_survey_finds_where_the_content_changes() -> None:
    registry = Registry()
    releases = survey(VERSIONS, registry)
    assert releases == (Release(tuple(VERSIONS[:5]), OLD), Release(tuple(VERSIONS[5:]), NEW))
    assert len(registry.read) == 6
    assert len(set(registry.read)) == 6


def test_survey_reads_two_wheels_of_a_package_that_never_changed() -> None:
    registry = Registry()
    assert survey(VERSIONS[5:], registry) == (Release(tuple(VERSIONS[5:]), NEW),)
    assert registry.read == ["9.0", "9.10"]


def test_survey_reads_only_what_is_new() -> None:
    registry = Registry()
    known = survey(VERSIONS[:-1], registry)
    registry.read.clear()
    assert survey(VERSIONS, registry, known)[-1].versions[-1] == "9.10"
    assert registry.read == ["9.10"]


def test_survey_forgets_versions_that_are_gone() -> None:
    known = (Release(("8.0", "8.1"), OLD),)
    assert survey(["8.1"], Registry(), known) == (Release(("8.1",), OLD),)


def test_survey_of_no_version_is_empty() -> None:
    assert survey([], Registry()) == ()
