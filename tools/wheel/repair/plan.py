# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Decides the repair. Reads nothing but the report and the folders to copy libraries from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ..archive.names import WheelName
from ..inspection.facts import WheelFacts
from ..platforms.policy import PlatformPolicy, platform_policy
from ..providers.families import Family, select_families
from .checks import check_forbidden, check_machine, check_policy, check_symbols
from .edits import Edits, plan_edits
from .errors import NotNativeError
from .resolve import Dependency, Outcome, Resolver


@dataclass(frozen=True)
class Options:
    """What the caller asks for."""

    #: Platform tag, such as manylinux_2_27_x86_64.
    platform: str
    #: Names of families that stay outside the wheel; the driver's always does.
    families: tuple[str, ...] = ()
    #: Further soname patterns that stay outside.
    patterns: tuple[str, ...] = ()
    #: The only folders that libraries may be copied from.
    library_folders: tuple[Path, ...] = ()
    #: Soname patterns of the libraries there that may be copied.
    allow_grafted: tuple[str, ...] = ()
    #: Whether files get the way to the excluded libraries of required packages, and lose entries
    #: that lead nowhere.
    search_paths: bool = True


@dataclass(frozen=True)
class RepairPlan:
    """The repair that will be done."""

    output_name: WheelName
    policy: PlatformPolicy
    families: tuple[Family, ...]
    patterns: tuple[str, ...]
    library_folders: tuple[Path, ...]
    dependencies: tuple[Dependency, ...]
    search_paths: bool
    edits: Edits

    @property
    def excludes(self) -> tuple[str, ...]:
        """Every soname pattern that stays outside."""
        return (*(p for family in self.families for p in family.patterns), *self.patterns)

    @property
    def grafted(self) -> dict[str, Path]:
        """Libraries to copy into the wheel, by soname."""
        return {
            item.library: Path(item.source)
            for item in self.dependencies
            if item.outcome is Outcome.GRAFTED
        }

    def as_json(self) -> dict[str, object]:
        """The plan for printing; no path of the machine but those of libraries to copy."""
        return {
            "wheel": str(self.output_name),
            "platform": f"{self.policy.base}_{self.policy.architecture}",
            "families": [family.name for family in self.families],
            "patterns": list(self.patterns),
            "dependencies": [
                {**asdict(item), "outcome": item.outcome.value} for item in self.dependencies
            ],
            "edits": self.edits.as_json(),
        }


def plan_repair(report: WheelFacts, options: Options) -> RepairPlan:
    """Work out the repair of a wheel.

    Raises:
        UnknownPlatformError: the platform has no policy.
        UnknownFamilyError: a family has no entry in the table.
        NotNativeError: the wheel holds no ELF file.
        BadElfError: an ELF file is for another machine.
        ForbiddenFileError: the wheel carries a library that must stay outside.
        NewSymbolError: a file needs a symbol version that the platform does not promise.
        PolicyError: a file has something else that the policy forbids.
        UnresolvedLibraryError: nothing provides a needed library.
        NotAllowedError: a library would have to be copied that nothing allows.
        UnusedExcludeError: an exclude pattern matches no needed library.
        GraftError: a file needs a library to copy, and could not reach the copy.
        RpathError: a search path means something else on another machine.
        MemberPathError: the wheel has a file where a library would be copied to.
    """
    policy = platform_policy(options.platform)
    families = select_families(options.families)
    if not report.elf_files:
        raise NotNativeError(
            f"`{report.name}` holds no shared object", hint="a pure wheel needs no repair"
        )
    for elf in report.elf_files.values():
        check_machine(elf, policy)
        check_symbols(elf, policy)
        check_policy(elf, policy)
    check_forbidden(report, families, options.patterns)
    dependencies = Resolver(
        report,
        policy,
        families,
        options.patterns,
        options.library_folders,
        options.allow_grafted,
    ).dependencies()
    return RepairPlan(
        output_name=replace(report.name, platform_tag=policy.file_tag),
        policy=policy,
        families=families,
        patterns=options.patterns,
        library_folders=options.library_folders,
        dependencies=dependencies,
        search_paths=options.search_paths,
        edits=plan_edits(report, dependencies, search_paths=options.search_paths),
    )
