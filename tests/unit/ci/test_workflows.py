# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The workflow files against what they start; `tests/e2e/workflows` runs their commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import tools.launcher
from tools.launcher import remote_cache, requirements

REPOSITORY = Path(tools.launcher.__file__).parents[2]
SCRIPT = (REPOSITORY / ".ci/run").read_text()
GITHUB: dict[Any, Any] = yaml.safe_load((REPOSITORY / ".github/workflows/ci.yml").read_text())
GITLAB: dict[Any, Any] = yaml.safe_load((REPOSITORY / ".gitlab-ci.yml").read_text())
JOB = GITHUB["jobs"]["ci"]
COMMANDS = {
    "github": [step["run"] for step in JOB["steps"] if "run" in step],
    "gitlab": [*GITLAB["ci"]["before_script"], *GITLAB["ci"]["script"]],
}
VARIABLES = {
    "github": set(JOB["env"]),
    "gitlab": {
        *GITLAB["ci"]["variables"],
        *(name for rule in GITLAB["ci"]["rules"] for name in rule.get("variables", ())),
    },
}

both = pytest.mark.parametrize("host", ["github", "gitlab"])


@both
def test_workflow_runs_the_script_last_and_bazel_nowhere_else(host: str) -> None:
    assert COMMANDS[host][-1] == "bash .ci/run"
    assert not any("bazel" in command for command in COMMANDS[host])


@both
def test_workflow_installs_what_the_launcher_needs(host: str) -> None:
    words = {word for command in COMMANDS[host] for word in command.split()}
    assert set(requirements.DEBIAN_PACKAGES) <= words


@both
def test_workflow_sets_no_variable_that_nothing_reads(host: str) -> None:
    read = set(re.findall(r"^#   (CI_[A-Z_]+)", SCRIPT, re.MULTILINE))
    assert {"CI_END_TO_END", "CI_WHEELS"} <= read
    assert VARIABLES[host] <= {*read, remote_cache.ADDRESS, remote_cache.UPLOAD}


@both
def test_workflow_keeps_the_folder_that_the_script_fills(host: str) -> None:
    if host == "github":
        (keep,) = (
            step["with"]["path"] for step in JOB["steps"] if "upload" in step.get("uses", "")
        )
        folder = JOB["env"]["CI_WHEELS"]
    else:
        (keep,) = GITLAB["ci"]["artifacts"]["paths"]
        folder = GITLAB["ci"]["variables"]["CI_WHEELS"]
    assert keep == f"{folder}/*.whl"


def test_github_actions_are_pinned_by_commit() -> None:
    actions = [step["uses"] for step in JOB["steps"] if "uses" in step]
    assert len(actions) == 2
    for action in actions:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)


def test_github_uploads_and_has_the_writers_secret_on_the_trusted_branch_alone() -> None:
    trusted = "github.ref == 'refs/heads/main' && "
    assert JOB["env"]["TILEWRIGHT_REMOTE_UPLOAD"] == f"${{{{ {trusted}'1' || '0' }}}}"
    assert JOB["environment"] == f"${{{{ {trusted}'cache-writer' || 'cache-reader' }}}}"
    assert GITHUB["permissions"] == {"contents": "read"}


def test_gitlab_uploads_with_the_writers_secret_alone() -> None:
    uploads = [command for command in COMMANDS["gitlab"] if remote_cache.UPLOAD in command]
    assert len(uploads) == 1
    assert uploads[0].startswith('if [ -n "${CACHE_WRITER_NETRC:-}" ]; then ')
