# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A machine that has as much of CUDA as a test wants, with a driver that knows of no GPU."""

from __future__ import annotations

import ctypes
import json
import pathlib
import shutil
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.installation import Installation

__all__ = ["LOAD", "Machine", "skip_if_present"]

LOAD = "from tilewright._internal.extension import extension; extension().cuda_load()"
REPORT = LOAD + "; print(extension().cuda_report())"

# Where pip puts each runtime, below site-packages.
RUNTIME_FOLDERS = {12: "nvidia/cuda_runtime/lib", 13: "nvidia/cu13/lib"}

# Where tilewright looks for a toolkit of the machine's.
TOOLKIT_FOLDERS = [
    pathlib.Path(f"/usr/local/{name}/lib64") for name in ("cuda", "cuda-12", "cuda-13")
]


class Machine:
    """An installation of tilewright with CUDA's runtimes beside it.

    Attributes:
        installation: the copy of tilewright.
        driver: the newest CUDA that the driver supports, 13000 for 13.0; None for a stub library.
    """

    def __init__(
        self, folder: pathlib.Path, driver: pathlib.Path, runtimes: Mapping[int, pathlib.Path]
    ) -> None:
        self.installation = Installation(folder / "site-packages")
        self.driver: int | None = 13000
        self._driver_library = driver.resolve()
        for major, library in runtimes.items():
            path = self.runtime(major)
            path.parent.mkdir(parents=True)
            shutil.copyfile(library, path)

    def kernels(self, major: int) -> pathlib.Path:
        """The kernel library for a CUDA major."""
        return self.installation.libraries / f"libtilewright_cuda{major}.so"

    def runtime(self, major: int) -> pathlib.Path:
        """The runtime of a CUDA major."""
        folder = self.installation.site / RUNTIME_FOLDERS[major]
        return folder / f"libcudart.so.{major}"

    def error(self, code: str = LOAD, **environment: str) -> tuple[str, str]:
        """The class and the message of what `code` raises, with these variables set."""
        return self.installation.error_of(code, self._environment(environment))

    def report(self, before: str = "", **environment: str) -> dict[str, Any]:
        """The report of a process that ran `before` and then chose a CUDA major."""
        code = f"{before}\n{REPORT}"
        child = self.installation.run("-c", code, environment=self._environment(environment))
        assert child.returncode == 0, child.stderr
        report: dict[str, Any] = json.loads(child.stdout)
        return report

    def _environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        version = {} if self.driver is None else {"FAKE_CUDA_DRIVER_VERSION": str(self.driver)}
        # Neither a choice of the caller's nor a toolkit of the machine's.
        unset = {"TILEWRIGHT_CUDA": "", "CUDA_HOME": "", "CUDA_PATH": ""}
        return {
            **unset,
            "LD_LIBRARY_PATH": str(self._driver_library.parent),
            **version,
            **variables,
        }


def skip_if_present(*libraries: str) -> None:
    """Skips the test on a machine that has one of `libraries` itself, where tilewright finds it."""
    for library in libraries:
        for folder in TOOLKIT_FOLDERS:
            if (folder / library).exists():
                pytest.skip(f"this machine has {folder / library}")
        try:
            ctypes.CDLL(library)
        except OSError:
            continue
        pytest.skip(f"this machine's loader finds {library} by itself")
