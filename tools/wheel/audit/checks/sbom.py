# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Bills of materials under `.dist-info/sboms` (PEP 770). Only CycloneDX files are read."""

from __future__ import annotations

from collections.abc import Iterator

from ...inspection.facts import WheelFacts
from ...providers.families import original_name
from ...sbom.cyclonedx import SBOMS, SUFFIX, Sbom, SbomFormatError, parse_sbom
from ...sbom.record_hash import hex_sha256
from ..check import Problem, Severity, check
from ..settings import Settings
from .wording import some


@check(
    "sbom-unreadable",
    exit_code=110,
    behaviours=(35,),
    severity=Severity.WARNING,
    hint="write CycloneDX as JSON, or give the file another suffix",
)
def unreadable(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """A bill of materials that calls itself CycloneDX is that."""
    for path, text in _texts(wheel):
        try:
            parse_sbom(text)
        except SbomFormatError as error:
            if path.endswith(SUFFIX):
                yield Problem(path, str(error))


@check(
    "sbom-incomplete",
    exit_code=111,
    behaviours=(35,),
    severity=Severity.WARNING,
    hint="repair with `tilewright-repair`, which states each library that it copies, or add a file "
    "to `.dist-info/sboms` that names them",
)
def incomplete(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every library that was copied into the wheel is in a bill of materials."""
    folder = f"{wheel.name.distribution}.libs/"
    grafted = sorted(path for path in wheel.elf_files if path.startswith(folder))
    sboms = dict(_sboms(wheel))
    if grafted and not sboms:
        yield Problem("", f"{some(grafted)} was copied in, and there is no bill of materials")
        return
    for path in grafted:
        if not any(path in sbom.files or _names(sbom, path) for sbom in sboms.values()):
            yield Problem(path, f"it was copied in, and {some(sboms)} does not name it")


@check(
    "sbom-hash",
    exit_code=112,
    behaviours=(35,),
    severity=Severity.WARNING,
    hint="write the bill of materials after the last tool that edits files",
)
def file_hash(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The hashes that a bill of materials gives for files of the wheel are theirs."""
    for path, sbom in _sboms(wheel):
        for file, stated in sorted(sbom.files.items()):
            found = hex_sha256(wheel.hashes.get(file, ""))
            if stated and found and stated.lower() != found:
                yield Problem(file, f"`{path}` says that its sha256 is {stated}; it is {found}")


def _texts(wheel: WheelFacts) -> Iterator[tuple[str, str]]:
    for path, text in sorted(wheel.texts.items()):
        if path.startswith(f"{wheel.name.dist_info}/{SBOMS}/") and path.endswith(".json"):
            yield path, text


def _sboms(wheel: WheelFacts) -> Iterator[tuple[str, Sbom]]:
    for path, text in _texts(wheel):
        try:
            yield path, parse_sbom(text)
        except SbomFormatError:
            continue


def _names(sbom: Sbom, path: str) -> bool:
    """Whether a component is called like a library: `libfoo`, or `foo` as packages have it."""
    library = original_name(path)
    stem = library.partition(".so")[0].lower()
    return bool({library.lower(), stem, stem.removeprefix("lib")} & {n.lower() for n in sbom.names})


CHECKS = (unreadable, incomplete, file_hash)
