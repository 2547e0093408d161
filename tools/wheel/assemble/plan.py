# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Decides the content of the wheel. Reads the request's files, writes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ..archive.members import Member, order_members
from ..archive.names import WheelName
from ..sbom.cyclonedx import render_sbom, sbom_path
from .components import resolve_components
from .errors import ForeignExtensionError, NativeInPureError, RequestError
from .metadata import GENERATOR, render_entry_points, render_metadata, render_wheel
from .request import InputFile, Request, read_text
from .requirements import with_file_requirements

#: An extension module's suffix as CPython names it: `.cpython-312-x86_64-linux-gnu.so`.
_EXTENSION = re.compile(r"\.cpython-(?P<abi>\d+t?d?)-[^.]+\.so$")


@dataclass(frozen=True)
class AssemblyPlan:
    """What will be written: every member in archive order, RECORD excepted."""

    name: WheelName
    members: tuple[Member, ...]
    compress: bool

    def as_json(self) -> dict[str, object]:
        """The plan without file contents, for printing."""
        return {
            "wheel": str(self.name),
            "compress": self.compress,
            "members": [
                {"path": member.path, "mode": f"{member.mode:04o}"} for member in self.members
            ],
        }


def plan_assembly(request: Request) -> AssemblyPlan:
    """Work out every member of the wheel.

    Raises:
        RequestError: an input does not exist, or a text among them cannot be read.
        MemberPathError: two inputs share a path, one lies below another, or a path is unsafe.
        NativeInPureError: an ELF file would go into a wheel tagged `any`.
        ForeignExtensionError: an extension module's suffix and the Python tag disagree.
        MetadataError: a metadata value breaks the specification.
        ComponentError: a part from elsewhere is declared wrongly.
    """
    name = request.name
    dist_info = name.dist_info
    members = list(_members(request.files))
    _check_natives(name, members)
    members += _members(request.dist_info_files, below=dist_info)
    licenses = list(_members(request.license_files, below=f"{dist_info}/licenses"))
    members += licenses
    members += [
        Member(f"{dist_info}/{file}", text.encode("utf-8"))
        for file, text in _texts(request, licenses)
    ]
    if request.components:
        components = resolve_components(request.components, [member.path for member in members])
        text = render_sbom(name, GENERATOR, components)
        members.append(Member(sbom_path(name, GENERATOR), text.encode("utf-8")))
    return AssemblyPlan(name, tuple(order_members(members, dist_info)), request.compress)


def _texts(request: Request, licenses: list[Member]) -> list[tuple[str, str]]:
    prefix = f"{request.name.dist_info}/licenses/"
    description = ""
    if request.description_file:
        description = read_text(request.description_file)
    license_files = [member.path.removeprefix(prefix) for member in licenses]
    request = replace(request, metadata=with_file_requirements(request))
    metadata = render_metadata(request, license_files, description)
    texts = [("METADATA", metadata), ("WHEEL", render_wheel(request.name))]
    if request.entry_points:
        texts.append(("entry_points.txt", render_entry_points(request.entry_points)))
    return texts


def _members(inputs: tuple[InputFile, ...], below: str = "") -> list[Member]:
    members = []
    for item in inputs:
        source = Path(item.source)
        target = f"{below}/{item.path}" if below else item.path
        if source.is_dir():
            files = sorted(path for path in source.rglob("*") if path.is_file())
            members += [
                Member((PurePosixPath(target) / path.relative_to(source)).as_posix(), path)
                for path in files
            ]
        elif source.is_file():
            members.append(Member(target, source))
        else:
            raise RequestError(
                f"`{source}` for `{target}` (from `{item.label}`) does not exist",
                hint="check that the target makes this file",
            )
    return members


def _check_natives(name: WheelName, members: list[Member]) -> None:
    for member in members:
        if not member.is_elf:
            continue
        if name.is_pure:
            raise NativeInPureError(
                f"`{member.path}` is an ELF file, but `{name}` claims to fit any platform",
                hint="set `platform`, such as `linux_x86_64`; it follows by itself only from names "
                "like `*.so`. Or drop the file",
            )
        match = _EXTENSION.search(member.path)
        if match and f"cp{match['abi']}" not in name.abi_tag.split("."):
            raise ForeignExtensionError(
                f"`{member.path}` is built for cp{match['abi']}, but `{name}` is tagged "
                f"`{name.abi_tag}`",
                hint="build extension and wheel with one Python toolchain",
            )
