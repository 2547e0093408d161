# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a good builder and auditor of CUDA wheels does, by number; checks refer to these.

Numbers 36 to 41 are about indexes and about looking wheels up, and have no part here.
"""

from __future__ import annotations

BEHAVIOURS = {
    1: "an exclude that matches nothing fails, and so does a copied library that nothing allows",
    2: "sonames lead to their providers by a table that is made from real wheels",
    3: "libraries of the NVIDIA driver are never copied, and never stubs",
    4: "each library from outside is provided by a required package, in a range that has it",
    5: "every needed library is found in a simulated site-packages, whatever the layout",
    6: "why a library is in or out is shown by its chain",
    7: "libraries that became reachable since the last release are shown",
    8: "search paths are computed for each file, for the layouts of CUDA 12 and 13",
    9: "absolute, foreign, stub, empty and dangling search paths fail, copied libraries or not",
    10: "one of DT_RPATH and DT_RUNPATH, everywhere",
    11: "needed libraries and needed versions agree",
    12: "no executable stack",
    13: "segments can be loaded at every page size of the machine",
    14: "a file is patched once, its GPU code stays as it was, big files are handled or refused",
    15: "libraries that are opened by name keep it",
    16: "no two copies of one library, under two names or of two builds",
    17: "no debug information, and no paths of the machine that built it",
    18: "symbols and instructions are those of the platform, excluded libraries not counted",
    19: "the asked tag alone, and only if it is met",
    20: "abi3 is claimed by files that use the stable ABI alone",
    21: "PyTorch's symbols fit the PyTorch that is required",
    22: "py3-none is claimed by files that use nothing of CPython",
    23: "GPU code for the declared architectures in every file and group",
    24: "name, version, requirements, libraries and GPU code agree on the CUDA major",
    25: "the driver that is needed is computed, and written into the wheel",
    26: "the size of GPU code is known for each architecture",
    27: "wheels of one project for different CUDA majors install no common path",
    28: "unpacked once, compressed in parallel at a documented level, stored for development",
    29: "memory does not grow with the biggest file",
    30: "same bytes with any number of threads",
    31: "the zip archive keeps the rules of PyPI",
    32: "RECORD is complete and right",
    33: "file name, METADATA, `.dist-info` and WHEEL agree",
    34: "the size stays below the limits of the index, with headroom",
    35: "an SBOM names copied, static, header-only and vendored parts with their hashes",
    42: "one tvm-ffi in a process",
}

#: What else holds to a behaviour: commands with exit codes, or where it is tested or measured.
ELSEWHERE = {
    1: "repair (43, 44)",
    2: "`tools/wheel/providers:update`",
    3: "repair (34)",
    6: "repair's plan and refusals",
    7: "`tilewright-audit diff` (51)",
    8: "repair (41)",
    9: "repair (40)",
    10: "repair keeps to the kind that the wheel has",
    14: "repair (41)",
    15: "repair (44)",
    18: "repair (36, 37)",
    19: "repair (36, 37, 39)",
    25: "repair writes `cuda.json`",
    26: "the audit's `--json`, `cuda.json`",
    28: "`tests/unit/wheel/archive`, `//tools/wheel/bench`",
    29: "`tests/unit/wheel/hostile`, `//tools/wheel/bench`",
    30: "`tests/unit/wheel/archive`, `//tools/wheel/bench`",
    31: "every tool that reads wheels (11, 12)",
    32: "repair (13)",
    35: "assemble (24), repair (41)",
}
