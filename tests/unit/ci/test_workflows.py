# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The workflow files against what they start; `tests/e2e/workflows` runs their commands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import tools.launcher
from tools.launcher import remote_cache, requirements

REPOSITORY = Path(tools.launcher.__file__).parents[2]
SCRIPT = (REPOSITORY / ".ci/run").read_text()
GUIDE = (REPOSITORY / "docs/how-to/ci.md").read_text()
BAZELRC = (REPOSITORY / ".bazelrc").read_text()
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

DOCUMENTED = set(re.findall(r"^#   (CI_[A-Z_]+)", SCRIPT, re.MULTILINE))

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
    assert VARIABLES[host] <= {*DOCUMENTED, remote_cache.ADDRESS, remote_cache.UPLOAD}


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


def test_github_runs_no_code_of_a_pull_request_with_the_rights_of_the_branch() -> None:
    # YAML 1.1 reads the key `on` as true.
    assert set(GITHUB[True]) == {"push", "pull_request", "schedule", "workflow_dispatch"}
    assert GITHUB[True]["push"] == {"branches": ["main"]}


def test_github_commands_have_no_expression_that_a_shell_would_see_or_a_log_show() -> None:
    assert not any("${{" in command for command in COMMANDS["github"])


def test_github_ends_older_runs_of_pull_requests_alone() -> None:
    assert GITHUB["concurrency"] == {
        "group": "${{ github.workflow }}-${{ github.event.pull_request.number || github.run_id }}",
        "cancel-in-progress": True,
    }


@pytest.mark.parametrize("netrc", ["", "machine h login n password w"])
@pytest.mark.parametrize("certificate", ["", "-----BEGIN CERTIFICATE-----\nMII=\n-----END"])
def test_github_writes_the_files_of_the_cache_where_given_for_the_owner_alone(
    tmp_path: Path, netrc: str, certificate: str
) -> None:
    (step,) = (step for step in JOB["steps"] if "CACHE_NETRC" in step.get("env", {}))
    assert step["env"] == {
        "CACHE_CA": "${{ vars.CACHE_CA }}",
        "CACHE_NETRC": "${{ secrets.CACHE_NETRC }}",
    }
    places = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ENV": str(tmp_path / "env")}
    values = {"CACHE_CA": certificate, "CACHE_NETRC": netrc}
    (tmp_path / "env").touch()
    assert _bash(step["run"], {**places, **values}) == ""
    wanted = {"TILEWRIGHT_REMOTE_CA": certificate, "NETRC": netrc}
    written = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines())
    assert written.keys() == {name for name, text in wanted.items() if text}
    for name, path in written.items():
        assert Path(path).read_text() == wanted[name] + "\n"
        assert Path(path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        # The default branch, with the protected variable and without.
        ({"CI_COMMIT_BRANCH": "main", "CACHE_WRITER_NETRC": "/writer"}, "/writer 1"),
        ({"CI_COMMIT_BRANCH": "main"}, "/reader 0"),
        # Another protected branch; a merge request, which has no CI_COMMIT_BRANCH.
        ({"CI_COMMIT_BRANCH": "release", "CACHE_WRITER_NETRC": "/writer"}, "/reader 0"),
        ({"CACHE_WRITER_NETRC": "/writer"}, "/reader 0"),
    ],
)
def test_gitlab_uploads_with_the_writers_file_on_the_default_branch_alone(
    variables: dict[str, str], expected: str
) -> None:
    (line,) = (command for command in COMMANDS["gitlab"] if remote_cache.UPLOAD in command)
    shown = f'{line}\necho "$NETRC ${{{remote_cache.UPLOAD}:-0}}"'
    fixed = {"CI_DEFAULT_BRANCH": "main", "NETRC": "/reader"}
    assert _bash(shown, {**fixed, **variables}) == f"{expected}\n"


def test_gitlab_ends_older_pipelines_of_merge_requests_alone() -> None:
    rules = GITLAB["ci"]["rules"]
    (rule,) = (rule for rule in rules if rule.get("interruptible"))
    assert rule["if"] == '$CI_PIPELINE_SOURCE == "merge_request_event"'
    assert "interruptible" not in GITLAB["ci"]


def test_job_is_ended_by_the_script_and_not_by_the_service() -> None:
    # The script's last step tells what failed; a job that the service ends tells nothing.
    (night,) = (rule for rule in GITLAB["ci"]["rules"] if "variables" in rule)
    minutes = r"'schedule' && (\d+) \|\| (\d+)"
    seconds = r"'schedule' && '(\d+)' \|\| '(\d+)'"
    for timeout, limit in zip(
        _numbers(minutes, JOB["timeout-minutes"]),
        _numbers(seconds, JOB["env"]["CI_LIMIT_S"]),
        strict=True,
    ):
        assert timeout * 60 >= limit + 600
    (hours,) = _numbers(r"(\d+) hours", GITLAB["ci"]["timeout"])
    assert hours * 3600 >= int(night["variables"]["CI_LIMIT_S"]) + 600


def test_script_reads_and_guide_explains_each_variable() -> None:
    assert set(re.findall(r"\$\{(CI_[A-Z_]+)", SCRIPT)) == DOCUMENTED
    assert set(re.findall(r"`(CI_[A-Z_]+)`", GUIDE)) == DOCUMENTED


def test_guide_names_what_is_set_in_the_services() -> None:
    files = (REPOSITORY / ".github/workflows/ci.yml").read_text()
    files += (REPOSITORY / ".gitlab-ci.yml").read_text()
    names = set(re.findall(r"(?:vars|secrets)\.([A-Z_]+)", files))
    names |= {"cache-writer", "cache-reader", "CACHE_WRITER_NETRC", "NETRC"}
    assert {name for name in names if name not in files} == set()
    assert {name for name in names if f"`{name}`" not in GUIDE} == set()


def test_script_gives_each_bazel_command_the_config_with_the_cache() -> None:
    commands = re.findall(r"\./tools/bazel (?:build|test|run) (\S+)", SCRIPT)
    assert len(commands) == 6
    assert set(commands) == {'"${flags[@]}"'}
    assert "\nflags=(--config=ci " in SCRIPT


def test_bazelrc_uploads_nothing_unasked_and_falls_back_to_a_sandbox() -> None:
    lines = set(BAZELRC.splitlines())
    assert "build --noremote_upload_local_results" in lines
    assert "build:rbe --config=ci" in lines
    assert "build:rbe --remote_local_fallback_strategy=sandboxed" in lines


def _bash(command: str, environment: dict[str, str]) -> str:
    """What a command prints, of both streams, as the services run it."""
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        env={"PATH": "/usr/bin:/bin", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def _numbers(pattern: str, text: str) -> list[int]:
    found = re.search(pattern, text)
    assert found, f"`{pattern}` not in `{text}`"
    return [int(number) for number in found.groups()]
