# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a repair states in `.dist-info`: the drivers that GPU code needs, and what was copied in."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..elf.reader import read_elf
from ..fatbin.reader import read_device_code
from ..fatbin.summary import CUDA_JSON, render_cuda_json, summarize_all
from ..inspection.facts import WheelFacts
from ..sbom.component import Component
from ..sbom.cyclonedx import SBOMS, SUFFIX, SbomFormatError, parse_sbom, render_sbom
from ..sbom.record_hash import hex_sha256
from .errors import ContentError
from .plan import RepairPlan

TOOL = "tilewright-repair"

_CHUNK = 1 << 20


def statement_paths(facts: WheelFacts) -> tuple[str, str]:
    """Paths of `cuda.json` and of the bill of materials, whether a repair writes them or not."""
    return f"{facts.dist_info}/{CUDA_JSON}", f"{facts.dist_info}/{SBOMS}/{TOOL}{SUFFIX}"


def render_statements(plan: RepairPlan, facts: WheelFacts, unpacked: Path) -> dict[str, str]:
    """The statements on the repaired wheel, by path.

    Args:
        plan: the repair.
        facts: what the wheel held before.
        unpacked: folder with its ELF files, and with those copied in, edited already.
    """
    cuda_json, sbom = statement_paths(facts)
    statements = {}
    elf_files, device_code = dict(facts.elf_files), dict(facts.device_code)
    for path in plan.edits.grafts:
        with (unpacked / path).open("rb") as stream:
            elf = read_elf(stream, path)
            if elf is not None:
                elf_files[path] = elf
                code = read_device_code(stream, elf.sections)
                if code.images or code.problems:
                    device_code[path] = code
    if device_code:
        statements[cuda_json] = render_cuda_json(summarize_all(elf_files, device_code))
    kept = facts.texts.get(sbom, "")
    components = _grafted(plan, unpacked)
    if components:
        try:
            statements[sbom] = render_sbom(plan.output_name, TOOL, components, kept)
        except SbomFormatError as error:
            raise ContentError(
                f"`{sbom}`, of a repair before, cannot be read: {error}",
                hint="leave it out of the wheel, or build the wheel again",
            ) from error
    elif kept:
        statements[sbom] = kept
    return statements


def _grafted(plan: RepairPlan, unpacked: Path) -> list[Component]:
    names = {source: library for library, source in plan.grafted.items()}
    components = []
    for path, graft in plan.edits.grafts.items():
        name, original = names[graft.source], _sha256(graft.source)
        components.append(
            Component(
                name=name,
                version="",
                purl=f"pkg:generic/{name.replace('+', '%2B')}?checksum=sha256:{original}",
                linkage="grafted",
                files=(path,),
                sha256=_sha256(unpacked / path),
                original_sha256=original,
            )
        )
    return components


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def check_statements(plan: RepairPlan, after: WheelFacts) -> None:
    """Hold the statements of a repaired wheel against its files.

    Raises:
        ContentError: one is missing, or does not agree with the files.
    """
    hint = "report this with the wheel; a repair states what it has written"
    cuda_json, sbom = statement_paths(after)
    if after.device_code:
        computed = render_cuda_json(summarize_all(after.elf_files, after.device_code))
        if after.texts.get(cuda_json) != computed:
            raise ContentError(f"`{cuda_json}` does not say what the files hold", hint=hint)
    if not plan.edits.grafts:
        return
    try:
        files = parse_sbom(after.texts.get(sbom, "")).files
    except SbomFormatError as error:
        raise ContentError(f"`{sbom}` cannot be read: {error}", hint=hint) from error
    for path in plan.edits.grafts:
        if files.get(path) != hex_sha256(after.hashes[path]):
            raise ContentError(f"`{sbom}` has no entry for `{path}` as it is", hint=hint)
