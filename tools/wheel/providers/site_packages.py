# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A wheel installed beside the packages that it requires, without installing anything.

The dynamic loader expands `$ORIGIN` to the folder that a file was opened from and leaves the rest
of the path to the kernel, so what a search path finds depends on how installers lay packages out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath


class Layout(Enum):
    """How packages lie on a disk; the value says to people who does so."""

    #: pip and uv into a virtual environment.
    ONE_FOLDER = "pip and uv put all packages into one folder"
    #: Systems with `lib64` beside `lib`, outside virtual environments.
    SPLIT = "a system keeps pure packages in `lib` and others in `lib64`"
    #: Bazel, Nix, and other farms of symbolic links: `..` leaves through the link's target.
    LINKED = "Bazel or Nix link each package in from a folder of its own"


@dataclass(frozen=True)
class Distribution:
    """One installed wheel."""

    name: str
    purelib: bool
    #: Paths below site-packages of its libraries.
    files: frozenset[PurePosixPath]


@dataclass(frozen=True)
class SitePackages:
    """A wheel and the packages that it requires."""

    wheel: Distribution
    packages: tuple[Distribution, ...]

    def find(
        self, library: str, folders: Iterable[PurePosixPath], layout: Layout
    ) -> Distribution | None:
        """The distribution with the file that a search path of the wheel's finds.

        Args:
            library: file name, as in DT_NEEDED.
            folders: the search path, below site-packages.
            layout: how the packages lie.
        """
        seen = [item for item in (self.wheel, *self.packages) if self._together(item, layout)]
        for folder in folders:
            for distribution in seen:
                if folder / library in distribution.files:
                    return distribution
        return None

    def _together(self, other: Distribution, layout: Layout) -> bool:
        """Whether a relative path can lead from the wheel's files to those of another."""
        if layout is Layout.ONE_FOLDER or other == self.wheel:
            return True
        return layout is Layout.SPLIT and other.purelib == self.wheel.purelib
