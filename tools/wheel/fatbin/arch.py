# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""GPU architectures, and which code runs where.

The rules are those of the CUDA programming guide, "Compute Capability and Streaming Multiprocessor
Versions" and "Feature Set Compiler Targets".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(r"(?:sm_|compute_)?(?P<number>\d{2,3})(?P<feature_set>[af]?)")

#: GPUs beside its own that family-specific code runs on.
_FAMILIES = {100: {103}, 120: {121}}


@dataclass(frozen=True, order=True, slots=True)
class GpuArch:
    """A compute capability, and the feature set asked for."""

    #: Ten times the major number plus the minor one: 90 for 9.0, 103 for 10.3.
    number: int
    #: "" for what later GPUs keep, "a" for all of one GPU's features, "f" for those of its family.
    feature_set: str = ""

    @property
    def major(self) -> int:
        """First part of the compute capability."""
        return self.number // 10

    def machine_code_runs_on(self, gpu: GpuArch) -> bool:
        """Whether machine code for this architecture runs on a GPU."""
        if self.feature_set:
            return self._features_of(gpu)
        return self.major == gpu.major and self.number <= gpu.number

    def ptx_compiles_for(self, gpu: GpuArch) -> bool:
        """Whether the driver can compile PTX for this architecture on a GPU."""
        return self._features_of(gpu) if self.feature_set else self.number <= gpu.number

    def _features_of(self, gpu: GpuArch) -> bool:
        family = _FAMILIES.get(self.number, set()) if self.feature_set == "f" else set()
        return gpu.number == self.number or gpu.number in family

    def __str__(self) -> str:
        return f"{self.number}{self.feature_set}"


def parse_arch(text: str) -> GpuArch | None:
    """The architecture in `90a`, `sm_90a` or `compute_90a`; None for anything else."""
    match = _FORM.fullmatch(text)
    return GpuArch(int(match["number"]), match["feature_set"]) if match else None
