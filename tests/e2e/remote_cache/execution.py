# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a build of a simulated machine executed, from Bazel's compact execution log."""

import pathlib

from tests.e2e.machines import Machine
from tools.cache.why.log import Action, Pool
from tools.cache.why.reading import read_log

__all__ = ["Run", "bazel"]


class Run:
    """One call of Bazel that came to its end.

    Attributes:
        actions: what the log has.
        executed: those of them that no cache answered.
    """

    def __init__(self, log: pathlib.Path) -> None:
        self.actions = read_log(log, Pool()).actions
        self.executed = [action for action in self.actions if not action.cache_hit]

    @property
    def missed(self) -> list[Action]:
        """What was executed although a remote cache may keep it."""
        return [action for action in self.executed if action.remote_cacheable]


def bazel(machine: Machine, name: str, command: str, *arguments: str) -> Run:
    """Runs a command of Bazel with `--config=ci`; the log is called `name`."""
    log = machine.output_root.with_name(f"{machine.name}-{name}.log")
    flag = f"--execution_log_compact_file={log}"
    machine.bazel(command, "--config=ci", "--curses=no", flag, *arguments)
    return Run(log)
