# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes `compile_commands.json`, for editors, from what the build knows.

usage: bazel run //tools/compile_commands

https://clang.llvm.org/docs/JSONCompilationDatabase.html describes the file.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE_SUFFIXES = (".c", ".cc", ".cu")

BUILD_PATH = re.compile(r"(?P<before>^|=|^-I|^-isystem|^-iquote)(?P<path>(?:external|bazel-out)/)")
"""Where an argument names a file that is in Bazel's folders, not in the workspace."""

ALONE = re.compile(r"-MD|-c|-frandom-seed=.*|-f(?:debug|coverage)-compilation-dir=.*")
WITH_VALUE = ("-MF", "-o")


@dataclass(frozen=True)
class Folders:
    """Where paths of a command line lead.

    Attributes:
        workspace: the source tree.
        execution_root: the folder that commands run in.
        external: the folder of the external repositories.
    """

    workspace: Path
    execution_root: Path
    external: Path

    @classmethod
    def around(cls, built_file: Path, workspace: Path) -> Folders:
        """The folders around a file that was built.

        Args:
            built_file: any file below `bazel-out`.
            workspace: the source tree.
        """
        resolved = built_file.resolve()
        root = next(parent.parent for parent in resolved.parents if parent.name == "bazel-out")
        return cls(workspace, root, root.parent.parent / "external")

    def absolute(self, argument: str) -> str:
        """`argument` with a path of Bazel's folders made absolute, so that an editor finds it."""
        match = BUILD_PATH.search(argument)
        if not match:
            return argument
        folder = self.external.parent if match["path"] == "external/" else self.execution_root
        return f"{argument[: match.end('before')]}{folder}/{argument[match.start('path') :]}"


def entries(lines: Iterable[str], folders: Folders) -> list[dict[str, object]]:
    """The entries of the database, by source; the position-independent compilation where two are.

    Args:
        lines: JSON objects with `mnemonic` and `arguments`.
        folders: where their paths lead.
    """
    chosen: dict[str, list[str]] = {}
    for compilation in map(json.loads, lines):
        arguments: list[str] = compilation["arguments"]
        source = _source(arguments)
        if source not in chosen or "-fPIC" in arguments:
            is_cuda = compilation["mnemonic"] == "CudaCompile"
            chosen[source] = _for_clang_cuda(arguments) if is_cuda else arguments
    return [
        {
            "directory": str(folders.workspace),
            "file": source,
            "arguments": ["clang++", *map(folders.absolute, _cleaned(arguments[1:]))],
        }
        for source, arguments in sorted(chosen.items())
    ]


def _source(arguments: list[str]) -> str:
    for before, argument in itertools.pairwise(arguments):
        if argument.endswith(SOURCE_SUFFIXES) and argument[0] != "-" and before not in WITH_VALUE:
            return argument
    raise ValueError(f"no source among the arguments: {' '.join(arguments)}")


def _cleaned(arguments: Iterable[str]) -> Iterator[str]:
    """The arguments that say how to read the source, less those that say what to write."""
    rest = iter(arguments)
    for argument in rest:
        if argument in WITH_VALUE:
            next(rest)
        elif not ALONE.fullmatch(argument):
            yield argument


def _for_clang_cuda(arguments: list[str]) -> list[str]:
    """An nvcc command line as clang's own CUDA front end, which editors have, takes it."""
    toolkit = arguments[0].rpartition("/bin/")[0]
    result = [arguments[0], "-x", "cuda", f"--cuda-path={toolkit}", "--cuda-gpu-arch=sm_90"]
    rest = iter(arguments[1:])
    for argument in rest:
        if argument in ("-I", "-isystem"):
            result += [argument, next(rest)]
        elif argument == "-Xcompiler":
            result += next(rest).split(",")
        elif argument.startswith("-X"):  # for another stage of nvcc
            next(rest)
        elif argument.startswith(("-D", "-I", "-std=")) or argument.endswith(SOURCE_SUFFIXES):
            result.append(argument)
    return result


def main() -> None:
    """Write the file into the workspace."""
    parser = argparse.ArgumentParser(description="Write compile_commands.json.")
    parser.add_argument(
        "compilations", type=Path, help="what the build knows, a JSON object a line"
    )
    options = parser.parse_args()
    workspace = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    folders = Folders.around(options.compilations, workspace)
    with options.compilations.open() as lines:
        database = entries(lines, folders)
    output = workspace / "compile_commands.json"
    output.write_text(json.dumps(database, indent=1) + "\n")
    print(f"{output}: {len(database)} sources")


if __name__ == "__main__":
    main()
