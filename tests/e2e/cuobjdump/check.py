# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Our reader of fat binaries against NVIDIA's cuobjdump, from the package index.

usage: python3 -m tests.e2e.cuobjdump.check [--work DIR] WHEEL|LIBRARY...

For every shared object given, and every one in a wheel given, the images that both see are
compared: kind, architecture, version, whether it is compressed, and identifier. Prints a line for
each file with GPU code; exit code 0 when both agree on all of them. cuobjdump unpacks what it lists
and stops at machine code that it does not know; of such a file, said to be one where it `stops`,
what it listed until then must be among ours.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.wheel.elf.reader import read_elf
from tools.wheel.fatbin.image import DeviceImage, Kind
from tools.wheel.fatbin.reader import read_device_code

CUOBJDUMP = "nvidia-cuda-cuobjdump==13.5.37"
PROGRAM = Path("nvidia/cu13/bin/cuobjdump")

_KINDS = {Kind.PTX: "ptx", Kind.MACHINE_CODE: "elf"}
_BLOCK = re.compile(
    r"^Fatbin (?P<kind>.+) code:\n=+\narch = sm_(?P<arch>\w+)\n"
    r"code version = \[(?P<major>\d+),(?P<minor>\d+)\]\n(?P<rest>(?:.+\n)*)",
    re.MULTILINE,
)


class Seen(NamedTuple):
    """What a tool says of one image."""

    kind: str
    arch: str
    version: tuple[int, int]
    compressed: bool
    identifier: str


def seen_by_us(path: Path) -> list[Seen]:
    """The images that our reader finds in a file; none if it is no shared object."""
    with path.open("rb") as stream:
        elf = read_elf(stream, path.name)
        if elf is None:
            return []
        code = read_device_code(stream, elf.sections)
    for problem in code.problems:
        print(f"{path.name}: {problem}", file=sys.stderr)
    return [_seen(image) for image in code.images]


def _seen(image: DeviceImage) -> Seen:
    compressed = image.compression != "none"
    kind = _KINDS.get(image.kind, image.kind.value)
    return Seen(kind, str(image.arch), image.version, compressed, image.identifier)


def seen_by_cuobjdump(program: Path, path: Path) -> tuple[list[Seen], bool]:
    """The images that cuobjdump lists, and whether it got to the end."""
    done = subprocess.run([program, "-all", path], capture_output=True, text=True, check=False)
    images = []
    for match in _BLOCK.finditer(done.stdout):
        lines = match["rest"].splitlines()
        identifiers = [line for line in lines if line.startswith("identifier = ")]
        images.append(
            Seen(
                match["kind"],
                match["arch"],
                (int(match["major"]), int(match["minor"])),
                "compressed" in lines,
                identifiers[0].removeprefix("identifier = ") if identifiers else "",
            )
        )
    return images, done.returncode == 0


def install(folder: Path) -> Path:
    """Fetch cuobjdump; returns the program."""
    program = folder / PROGRAM
    if not program.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", CUOBJDUMP]
        subprocess.run([*command, "--target", str(folder)], check=True)
        program.chmod(0o755)
    return program


def libraries(path: Path, folder: Path) -> Iterator[Path]:
    """A file, or each shared object of a wheel, one at a time."""
    if path.suffix != ".whl":
        yield path
        return
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            if ".so" in Path(name).name:
                target = folder / Path(name).name
                with wheel.open(name) as source, target.open("wb") as output:
                    shutil.copyfileobj(source, output)
                with target.open("rb") as stream:
                    if stream.read(4) == b"\x7fELF":
                        yield target
                target.unlink()


def compare(program: Path, path: Path) -> bool:
    """Compare one file; prints a line if it has GPU code."""
    ours = seen_by_us(path)
    theirs, finished = seen_by_cuobjdump(program, path) if ours else ([], True)
    ours_alone = sorted((Counter(ours) - Counter(theirs)).elements()) if finished else []
    theirs_alone = sorted((Counter(theirs) - Counter(ours)).elements())
    same = not ours_alone and not theirs_alone
    if ours:
        word = ("agrees" if same else "DIFFERS") + ("" if finished else ", stops")
        print(f"{word}: {path.name}: {len(theirs)} of {len(ours)}")
    for item in ours_alone:
        print(f"  ours alone: {item}")
    for item in theirs_alone:
        print(f"  theirs alone: {item}")
    return same


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", type=Path, metavar="WHEEL|LIBRARY")
    parser.add_argument("--work", type=Path, help="folder to keep cuobjdump in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        program = install(options.work or Path(scratch) / "cuobjdump")
        results = [
            compare(program.absolute(), library)
            for path in options.files
            for library in libraries(path, Path(scratch))
        ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
