# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a project declares about its wheel: `[tool.tilewright-audit]` of pyproject.toml, flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from typing import Any

from ..fatbin.arch import parse_arch
from ..platforms.errors import UnknownPlatformError
from ..platforms.policy import nearest_policy
from .errors import SettingsError

#: Runtimes that are meant to be copied, into each wheel its own: no package brings them to others.
#: GCC's for Fortran, and OpenBLAS as NumPy and SciPy name it.
RUNTIMES = ("libgfortran.so*", "libquadmath.so*", "libopenblas*.so*", "libscipy_openblas*.so*")


@dataclass(frozen=True)
class Suppression:
    """Findings that a project has decided to live with."""

    #: Id of the check.
    check: str
    #: Why; shown in the report.
    reason: str
    #: Pattern of the paths meant, shell style.
    path: str = "*"

    def covers(self, check: str, path: str) -> bool:
        """Whether a finding is one of those meant."""
        return check == self.check and fnmatchcase(path, self.path)


@dataclass(frozen=True)
class Settings:
    """What is declared, and so checked, beyond what every wheel must keep."""

    #: Platform to hold the wheel to, without architecture: manylinux_2_27. "" for that of its tags.
    policy: str = ""
    #: CUDA majors that the wheel serves. Empty: not declared.
    cuda: tuple[int, ...] = ()
    #: GPU code that every file with device code must have, such as sm_80 and compute_90.
    archs: tuple[str, ...] = ()
    #: Oldest NVIDIA driver that must do, such as 525.60. "" for any.
    driver: str = ""
    #: Soname patterns of libraries that may be copied into the wheel; what is declared comes in the
    #: place of these.
    allow_grafted: tuple[str, ...] = RUNTIMES
    #: Soname patterns of libraries that come with other packages; beside those in the table.
    external: tuple[str, ...] = ()
    #: Sonames opened at run time, with dlopen.
    runtime_libraries: tuple[str, ...] = ()
    #: Top-level packages and modules that the wheel installs. Empty: not declared.
    top_level: tuple[str, ...] = ()
    #: Most bytes that the wheel may have. 0: the index's limit alone.
    max_size: int = 0
    suppressions: tuple[Suppression, ...] = ()


#: Key of each setting in pyproject.toml, beside `suppress`.
KEYS = {
    field.name.replace("_", "-"): field
    for field in fields(Settings)
    if field.name != "suppressions"
}


def parse_settings(table: Mapping[str, Any], *, where: str) -> Settings:
    """Read the table `[tool.tilewright-audit]`.

    Args:
        table: the decoded table.
        where: what to call its file in an error.

    Raises:
        SettingsError: a key is unknown, a value has the wrong type, or a suppression has no reason.
    """
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key == "suppress":
            values["suppressions"] = tuple(
                _suppression(item, where) for item in _list(value, key, where)
            )
        elif key in KEYS:
            values[KEYS[key].name] = _value(key, value, where)
        else:
            known = ", ".join(f"`{name}`" for name in sorted([*KEYS, "suppress"]))
            raise SettingsError(f"`{where}`: unknown setting `{key}`", hint=f"use one of {known}")
    return replace(Settings(), **values)


def check_settings(settings: Settings) -> None:
    """Refuse what no wheel can be held to, wherever it was declared.

    Raises:
        SettingsError: the platform has no policy, `archs` is no GPU code, or the limit is negative.
    """
    if settings.policy and not _has_policy(settings.policy):
        raise SettingsError(
            f"there is no policy for the platform `{settings.policy:.60}`",
            hint="write it like `manylinux_2_27`",
        )
    for name in settings.archs:
        if parse_arch(name) is None or not name.startswith(("sm_", "compute_")):
            raise SettingsError(
                f"`archs` holds `{name}`, which is no GPU code",
                hint="write it as nvcc's `code=` does: `sm_80`, `sm_90a`, `compute_90`",
            )
    if settings.max_size < 0:
        raise SettingsError(
            f"`max-size` is {settings.max_size}, below zero",
            hint="give the most bytes that the wheel may have",
        )


def _has_policy(base: str) -> bool:
    try:
        return nearest_policy(f"{base}_x86_64") is not None
    except (UnknownPlatformError, ValueError):
        return False


def _value(key: str, value: Any, where: str) -> Any:
    default = KEYS[key].default
    if isinstance(default, tuple):
        item_type = int if key == "cuda" else str
        items = _list(value, key, where)
        for item in items:
            _require(item, item_type, key, where)
        return tuple(items)
    _require(value, type(default), key, where)
    return value


def _list(value: Any, key: str, where: str) -> list[Any]:
    _require(value, list, key, where)
    return list(value)


def _require(value: Any, kind: type, key: str, where: str) -> None:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SettingsError(
            f"`{where}`: `{key}` holds {value!r}, expected {kind.__name__}",
            hint="docs/reference/audit_settings.md has every setting with its type",
        )


def _suppression(item: Any, where: str) -> Suppression:
    _require(item, dict, "suppress", where)
    unknown = sorted(set(item) - {"check", "path", "reason"})
    if unknown:
        raise SettingsError(
            f"`{where}`: a suppression has the unknown key `{unknown[0]}`",
            hint="its keys are `check`, `reason` and, optionally, `path`",
        )
    for key in ("check", "reason"):
        if not isinstance(item.get(key), str) or not item[key].strip():
            raise SettingsError(
                f"`{where}`: a suppression of {item.get('check', 'nothing')!r} has no `{key}`",
                hint='write `suppress = [{check = "<id>", path = "<pattern>", reason = "<why>"}]`',
            )
    path = item.get("path", "*")
    _require(path, str, "path", where)
    return Suppression(item["check"], item["reason"].strip(), path)
