# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Pieces of GPU code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import groupby

from .arch import GpuArch


class Kind(Enum):
    """What a piece of GPU code is."""

    #: Runs as it is, on GPUs of one major compute capability.
    MACHINE_CODE = "machine code"
    #: The driver compiles it, for its own GPU or a newer one.
    PTX = "PTX"
    #: Input of a link step, or of a compiler beside the driver's: NVVM and tile IR.
    INTERMEDIATE = "intermediate code"
    #: A kind that this reader does not know.
    OTHER = "unknown"


@dataclass(frozen=True, slots=True)
class DeviceImage:
    """One entry of a fat binary."""

    kind: Kind
    #: The GPU it is made for.
    arch: GpuArch
    #: Version of the PTX language, or of the machine code's container.
    version: tuple[int, int]
    #: Bytes in the file.
    size: int
    #: Bytes once unpacked; equal to `size` where it is not compressed.
    unpacked_size: int
    #: "none", "lz4" or "zstd"; "unknown" for one that this reader does not know.
    compression: str
    #: Number of its fat binary in the file: the alternatives for the kernels of one source file.
    group: int
    #: Name of that source file; "" where the compiler left it out.
    identifier: str = ""
    #: Name of its first kernel, where that is known and the source file is not.
    kernel: str = ""
    #: Whether the driver has to link it, which it does when no linked image fits the GPU.
    relocatable: bool = False
    #: Where its code starts in the file.
    offset: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """The image as nvcc's `code=` names it: sm_90a, compute_90."""
        prefix = {Kind.MACHINE_CODE: "sm", Kind.PTX: "compute", Kind.INTERMEDIATE: "ir"}
        return f"{prefix.get(self.kind, 'other')}_{self.arch}"

    def serves(self, gpu: GpuArch) -> bool:
        """Whether a GPU can run it, compiled by the driver if need be."""
        if self.kind is Kind.MACHINE_CODE:
            return self.arch.machine_code_runs_on(gpu)
        return self.kind is Kind.PTX and self.arch.ptx_compiles_for(gpu)


@dataclass(frozen=True)
class DeviceCode:
    """All GPU code of a file."""

    #: In the order of the file.
    images: tuple[DeviceImage, ...]
    #: What could not be read, for people.
    problems: tuple[str, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """What there is code for: {"sm_80", "compute_90"}."""
        return frozenset(image.name for image in self.images)

    @cached_property
    def groups(self) -> tuple[KernelGroup, ...]:
        """The kernels of each source file, with what each of them can fall back on.

        Seen on an H200 with driver 580: kernels linked for sm_80 alone run from unlinked PTX, and
        are not found where there is none.
        """
        linkable = tuple(image for image in self.images if image.relocatable)
        linked = [image for image in self.images if not image.relocatable]
        # A file of unlinked code alone is an archive for later link steps: its groups stand alone.
        spare = linkable if linked else ()
        return tuple(
            KernelGroup(number, tuple(images), spare)
            for number, images in groupby(linked or linkable, key=lambda image: image.group)
        )


@dataclass(frozen=True)
class KernelGroup:
    """One fat binary: the same kernels for several GPUs."""

    number: int
    images: tuple[DeviceImage, ...]
    #: Unlinked code of the file, that the driver can link when none of `images` fits.
    spare: tuple[DeviceImage, ...] = ()

    def serves(self, gpu: GpuArch) -> bool:
        """Whether a GPU finds code here. Yes where an image is of an unknown kind."""
        return any(
            image.kind is Kind.OTHER or image.serves(gpu) for image in (*self.images, *self.spare)
        )

    def names(self) -> Iterator[str]:
        """Each image once, in the order of the file."""
        yield from dict.fromkeys(image.name for image in self.images)

    def __str__(self) -> str:
        source = self.images[0].identifier
        kernel = next((image.kernel for image in self.images if image.kernel), "")
        known = f" (`{source}`)" if source else f" (kernel `{kernel}`)" if kernel else ""
        return f"fat binary {self.number}{known}"
