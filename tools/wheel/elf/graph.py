# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which of a wheel's ELF files need which."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from .elf_file import ElfFile


class ElfGraph:
    """The ELF files of a wheel, with an edge from each to the files of the wheel that it needs."""

    def __init__(self, elf_files: Mapping[str, ElfFile]) -> None:
        self._files = dict(sorted(elf_files.items()))

    def find(self, library: str) -> str:
        """Path of the file that a DT_NEEDED entry means, by file name or soname; "" for none."""
        return self._by_name.get(library, "")

    def chain(self, path: str) -> tuple[str, ...]:
        """The shortest way to a file, from one that no other needs; both ends included."""
        chain = [path]
        while chain[-1] in self._parents:
            chain.append(self._parents[chain[-1]])
        return tuple(reversed(chain))

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """Paths of the extension modules, which Python imports."""
        return tuple(
            path
            for path, elf in self._files.items()
            if any(symbol.name.startswith("PyInit_") for symbol in elf.exports)
        )

    @cached_property
    def imported(self) -> frozenset[str]:
        """Paths of the extension modules, and of all that they need."""
        return frozenset(self._walk(self.modules))

    @cached_property
    def _by_name(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for path, elf in self._files.items():
            for name in filter(None, (PurePosixPath(path).name, elf.soname)):
                names.setdefault(name, path)
        return names

    @cached_property
    def _parents(self) -> dict[str, str]:
        needed = {self.find(library) for elf in self._files.values() for library in elf.needed}
        roots = [path for path in self._files if path not in needed]
        return {path: parent for path, parent in self._walk(roots).items() if parent}

    def _walk(self, roots: Iterable[str]) -> dict[str, str]:
        """Every file reached, breadth first, with the file before it; "" for the roots."""
        before = dict.fromkeys(roots, "")
        queue = deque(before)
        while queue:
            path = queue.popleft()
            for library in self._files[path].needed:
                found = self.find(library)
                if found and found not in before:
                    before[found] = path
                    queue.append(found)
        return before
