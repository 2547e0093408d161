# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Holds the repaired wheel against the plan: what was written is read again, trusting nothing."""

from __future__ import annotations

from ..elf.elf_file import Binding, ElfFile
from ..inspection.facts import WheelFacts
from .checks import check_forbidden, check_policy, check_record, check_symbols
from .edits import Edit
from .errors import ContentError, NameMismatchError
from .plan import Options, RepairPlan, plan_repair
from .resolve import Outcome
from .rpath import check_rpath
from .statements import check_statements, statement_paths


def verify_repair(plan: RepairPlan, before: WheelFacts, after: WheelFacts) -> None:
    """Check a repaired wheel.

    Args:
        plan: the plan it was made by.
        before: facts of the wheel that was repaired.
        after: facts of the result.

    Raises:
        NameMismatchError: name or WHEEL tags differ from those declared.
        ForbiddenFileError: an excluded library is inside, under its own or a grafted name.
        RpathError: a search path entry is not relative to its file, or leaves site-packages.
        NewSymbolError: a file needs a symbol version that the platform does not promise.
        UnresolvedLibraryError: nothing provides a needed library.
        ContentError: a file is lost, new or changed without reason, or no longer executable, or a
            statement of the repair is wrong.
    """
    if after.name != plan.output_name or after.metadata.tags != plan.output_name.tags():
        raise NameMismatchError(
            f"the repaired wheel is `{after.name}` with tags {list(after.metadata.tags)}, declared "
            f"was `{plan.output_name}`",
            hint="report this with the wheel; name and tags must agree",
        )
    check_record(after)
    check_forbidden(after, plan.families, plan.patterns)
    for elf in after.elf_files.values():
        check_rpath(elf)
        check_symbols(elf, plan.policy)
        check_policy(elf, plan.policy)
    _check_dependencies(plan, after)
    _check_content(plan, before, after)
    check_statements(plan, after)


def _check_dependencies(plan: RepairPlan, after: WheelFacts) -> None:
    """Plan the result once more: with no folder to copy from, everything must be met already."""
    families = tuple(family.name for family in plan.families)
    platform = f"{plan.policy.base}_{plan.policy.architecture}"
    again = plan_repair(
        after, Options(platform, families, plan.patterns, search_paths=plan.search_paths)
    )
    for path, edit in again.edits.own.items():
        raise ContentError(
            f"`{path}` has search path {list(after.elf_files[path].search_path)} after the repair, "
            f"and needs {list(edit.search_path)}",
            hint="report this with the wheel; a repaired wheel needs no repair",
        )
    excluded = {item.library for item in plan.dependencies if item.outcome is Outcome.EXCLUDED}
    for item in again.dependencies:
        if item.outcome is Outcome.EXCLUDED and item.library not in excluded:
            raise ContentError(
                f"`{item.needed_by[0]}` needs excluded `{item.library}` only after the repair",
                hint="a copied library brings it in; exclude that library's family as well",
            )


def _check_content(plan: RepairPlan, before: WheelFacts, after: WheelFacts) -> None:
    hint = "report this with the wheel; repair edits ELF files, tags and its own statements alone"
    statements = set(statement_paths(before))
    lost = sorted(set(before.hashes) - set(after.hashes) - statements)
    if lost:
        raise ContentError(f"`{lost[0]}` is missing from the repaired wheel", hint=hint)
    tamed = sorted(before.executables - after.executables)
    if tamed:
        raise ContentError(f"`{tamed[0]}` is no longer executable", hint=hint)
    changing = {f"{before.dist_info}/WHEEL", *plan.edits.own, *statements}
    for path, found in sorted(after.hashes.items()):
        if path not in before.hashes:
            if path not in plan.edits.grafts and path not in statements:
                raise ContentError(f"`{path}` is new in the repaired wheel", hint=hint)
        elif found != before.hashes[path] and path not in changing:
            raise ContentError(f"`{path}` was changed by the repair", hint=hint)
    for path, edit in plan.edits.own.items():
        _check_kept(before.elf_files[path], after.elf_files.get(path))
        _check_edit(edit, after.elf_files[path])
    for path, graft in plan.edits.grafts.items():
        _check_edit(graft.edit, after.elf_files[path])


def _check_kept(before: ElfFile, after: ElfFile | None) -> None:
    """An edited file is what it was but for its dynamic section."""
    hint = "report this with the wheel; the edit has damaged the file"
    if after is None:
        raise ContentError(f"`{before.path}` is no ELF file any more", hint=hint)
    for section in before.sections:
        kept = after.section(section.name)
        if section.sha256 and (kept is None or kept.sha256 != section.sha256):
            raise ContentError(
                f"section `{section.name}` of `{before.path}` was changed by the repair", hint=hint
            )
    if _symbols(before) != _symbols(after):
        raise ContentError(f"the symbols of `{before.path}` were changed by the repair", hint=hint)
    if len(before.needed) != len(after.needed):
        raise ContentError(
            f"`{before.path}` needs {list(after.needed)} after the repair, before it needed "
            f"{list(before.needed)}",
            hint=hint,
        )


def _check_edit(edit: Edit, after: ElfFile) -> None:
    """An edited file has the names and the search path that were planned, and no old ones."""
    hint = "report this with the wheel; the edit has not done what was planned"
    found, planned = (after.rpath, after.runpath), (edit.search_path, ())
    if found != (planned if edit.rpath else planned[::-1]):
        tag = "DT_RPATH" if edit.rpath else "DT_RUNPATH"
        raise ContentError(
            f"`{after.path}` has DT_RPATH {list(after.rpath)} and DT_RUNPATH {list(after.runpath)} "
            f"after the repair, planned was {tag} {list(edit.search_path)}",
            hint=hint,
        )
    if edit.soname and after.soname != edit.soname:
        raise ContentError(
            f"`{after.path}` has soname `{after.soname}`, planned was `{edit.soname}`", hint=hint
        )
    named = {*after.needed, *(library for library, _ in (*after.versions, *after.weak_versions))}
    for old, new in edit.replaced:
        if old in named or new not in after.needed:
            raise ContentError(f"`{after.path}` still needs `{old}`, now `{new}`", hint=hint)


def _symbols(elf: ElfFile) -> list[tuple[str, bool, Binding]]:
    """The symbols, without the library that a version is asked of: a copy has another name."""
    return [(str(symbol), symbol.defined, symbol.binding) for symbol in elf.symbols]
