# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The CUDA toolkit that a wheel is for, and the driver that it needs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ...archive.names import WheelName, installed_path
from ...fatbin.driver import machine_code_driver, parse_driver, toolkit_major
from ...fatbin.summary import (
    CUDA_JSON,
    library_majors,
    minimum_drivers,
    render_cuda_json,
    summarize_all,
)
from ...inspection.facts import WheelFacts
from ...providers.table import default_table
from ..check import Problem, Severity, check
from ..errors import SettingsError
from ..settings import Settings

#: A major in a name or a local version: -cu12, +cu130, _cuda128, cuda12x.
_CLAIM = re.compile(r"(?:^|[^a-z0-9])cu(?:da)?-?(?P<major>1[1-9])(?=\d?(?:x|[^a-z0-9]|$))", re.I)


@check(
    "cuda-major",
    exit_code=105,
    behaviours=(24,),
    hint="build, name and declare the wheel for one toolkit; where it serves several, let extras "
    "bring the libraries of each",
)
def major(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Name, version, requirements, needed libraries and GPU code speak of the same CUDA major."""
    files = {path: majors for path, majors in _file_majors(wheel) if majors}
    for path, majors in files.items():
        if len({found for found, _ in majors}) > 1:
            yield Problem(path, f"it mixes {_join(majors)}")
    claims = _claims(wheel.name)
    required = _required(wheel.metadata.requires_dist)
    if len({found for found, _ in (*claims, *required)}) > 1:
        yield Problem("", f"it asks for {_join((*claims, *required))}")
    yield from _against(files, claims or required)
    for wanted in settings.cuda:
        if not any(found == wanted for majors in files.values() for found, _ in majors):
            yield Problem("", f"declared for CUDA {wanted}, but {_held(files)}")
    for path, majors in files.items() if settings.cuda else ():
        for found, reason in majors:
            if found not in settings.cuda:
                declared = " and ".join(str(item) for item in settings.cuda)
                yield Problem(path, f"it is for CUDA {found} ({reason}); declared is {declared}")


@check(
    "cuda-driver",
    exit_code=106,
    behaviours=(25,),
    hint="build with an older toolkit or `--compress-mode=speed`, or raise what is promised",
)
def driver(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No file needs a newer NVIDIA driver than the project declares, or than `cuda.json` says."""
    summaries = summarize_all(wheel.elf_files, wheel.device_code)
    stated = wheel.texts.get(f"{wheel.name.dist_info}/{CUDA_JSON}")
    if stated is not None and not _same(stated, render_cuda_json(summaries)):
        yield Problem(
            f"{wheel.name.dist_info}/{CUDA_JSON}",
            "it does not say what the files hold",
            hint="repair the wheel again; a file was changed after it was written",
        )
    if not settings.driver:
        return
    promised = parse_driver(settings.driver)
    if promised is None:
        raise SettingsError(
            f"`driver` is `{settings.driver}`, which is no driver version",
            hint="write it like `525.60.13`",
        )
    drivers = minimum_drivers(summaries)
    # A wheel for several majors does with any of them.
    if not drivers or any(needed <= promised for needed in drivers.values()):
        return
    least = min(drivers, key=lambda item: drivers[item])
    for summary in summaries:
        if summary.driver and summary.driver > promised and max(summary.majors) == least:
            yield Problem(
                summary.path,
                f"it needs driver {summary.driver} (CUDA {least}, compression "
                f"{' and '.join(summary.compression)}); declared is {promised}",
            )


@check(
    "cuda-compression",
    exit_code=107,
    behaviours=(25,),
    severity=Severity.WARNING,
    hint="compile with `--compress-mode=speed`, or declare the driver that is needed (`driver`)",
)
def compression(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Where no driver is declared: compression asks for no newer one than the toolkit does."""
    for summary in summarize_all(wheel.elf_files, wheel.device_code) if not settings.driver else ():
        plain = machine_code_driver((), max(summary.majors)) if summary.majors else None
        if plain and summary.driver and summary.driver > plain:
            yield Problem(
                summary.path,
                f"its GPU code is compressed with zstd, which driver {summary.driver} reads; CUDA "
                f"{max(summary.majors)} promises {plain}",
            )


@check(
    "cuda-shared-paths",
    exit_code=109,
    behaviours=(27,),
    hint="give each CUDA major a folder of its own, or make one distribution of them",
)
def shared_paths(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Wheels of one project for different CUDA majors, audited in one run, share no path."""
    own = {str(place) for path in wheel.paths if (place := installed_path(path))}
    for name, paths in sorted(wheel.beside.items()):
        if not _are_twins(wheel.name.distribution, name.split("-")[0]):
            continue
        shared = sorted(own & {str(place) for path in paths if (place := installed_path(path))})
        if shared:
            more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
            yield Problem(shared[0], f"`{name}` installs it as well{more}; the later one wins")


def _file_majors(wheel: WheelFacts) -> Iterator[tuple[str, tuple[tuple[int, str], ...]]]:
    """For every file the majors that it speaks of, and why."""
    for path, elf in sorted(wheel.elf_files.items()):
        found = {major: f"needs `{library}`" for library, major in library_majors(elf).items()}
        code = wheel.device_code.get(path)
        made_by = toolkit_major(code.images) if code else None
        # Static libraries bring code of older toolkits, which runs; newer code does not.
        if made_by and made_by > max(found, default=0):
            found[made_by] = "by its GPU code"
        yield path, tuple(sorted(found.items()))


def _claims(name: WheelName) -> tuple[tuple[int, str], ...]:
    local = name.version.partition("+")[2]
    texts = {"name": name.distribution, "version": f"+{local}", "build tag": name.build}
    return tuple(
        (int(match["major"]), f"by its {what}")
        for what, text in texts.items()
        for match in [_CLAIM.search(text.replace("_", "-"))]
        if match
    )


def _required(requirements: Iterable[Requirement]) -> tuple[tuple[int, str], ...]:
    """The majors that requirements ask for, those of extras left out."""
    found = {}
    packages = default_table().packages
    for requirement in requirements:
        if requirement.marker is not None and "extra" in str(requirement.marker):
            continue
        name = canonicalize_name(requirement.name)
        match = _CLAIM.search(name)
        known = packages[name].cuda_major if name in packages else None
        if match and name.startswith("nvidia-"):
            found[int(match["major"])] = f"by requirement `{requirement.name}`"
        elif known and name.startswith("nvidia-"):
            found[known] = f"by requirement `{requirement.name}`"
        elif name == "cuda-toolkit":
            for pin in requirement.specifier:
                if pin.operator in ("==", "~="):
                    found[int(pin.version.partition(".")[0])] = f"by requirement `{requirement}`"
    return tuple(sorted(found.items()))


def _against(
    files: Mapping[str, tuple[tuple[int, str], ...]], asked: tuple[tuple[int, str], ...]
) -> Iterator[Problem]:
    """Problems of a wheel that asks for majors none of its files is for."""
    held = {found for majors in files.values() for found, _ in majors}
    for wanted, reason in asked:
        if held and wanted not in held:
            yield Problem("", f"it is for CUDA {wanted} {reason}, but {_held(files)}")


def _held(files: Mapping[str, tuple[tuple[int, str], ...]]) -> str:
    if not files:
        return "no file in the wheel is for any CUDA"
    path, majors = next(iter(files.items()))
    found, reason = majors[-1]
    return f"`{path}` is for CUDA {found} ({reason})"


def _join(majors: Iterable[tuple[int, str]]) -> str:
    return " and ".join(f"CUDA {found} ({reason})" for found, reason in majors)


def _same(stated: str, computed: str) -> bool:
    try:
        return bool(json.loads(stated) == json.loads(computed))
    except ValueError:
        return False


def _are_twins(one: str, other: str) -> bool:
    """Whether distributions are of one project, for different majors: one of them may name none."""
    (stem, major), (other_stem, other_major) = _split(one), _split(other)
    return stem == other_stem and major != other_major


def _split(distribution: str) -> tuple[str, str]:
    """What a name has before its major, and the major."""
    name = canonicalize_name(distribution)
    match = _CLAIM.search(name)
    return (name[: match.start()], match["major"]) if match else (name, "")


CHECKS = (major, driver, compression, shared_paths)
