# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the command says of metadata, GPU code and bills of materials: both sides, by the bytes."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_fatbin import TinyImage, build_section
from tests.unit.wheel.audit_cases.tiny_case import DIST_INFO, Case, assert_case, metadata

SBOM = f"{DIST_INFO}/sboms/auditwheel.cdx.json"
LIBRARY = "pkg.libs/libfoo-0a1b2c3d.so.3"
FOO = TinyElf(soname="libfoo-0a1b2c3d.so.3")
SM_80, SM_90, PTX_90 = TinyImage("elf", 80), TinyImage("elf", 90), TinyImage("ptx", 90)
MODULE = {"pkg/a.py": b"A = 1\n"}
#: 0.3 MiB that do not compress.
NOISE = random.Random(0).randbytes(300_000)
ARCHS = 'archs = ["sm_80", "sm_90"]'


def kernels(*fatbins: list[TinyImage], needed: str = "libcudart.so.12") -> dict[str, TinyElf]:
    """A library with these fat binaries."""
    section = build_section(fatbins)
    return {"pkg/lib.so": TinyElf(needed=(needed,), sections={".nv_fatbin": section})}


def bill(name: str = "libfoo", sha256: str = "") -> dict[str, bytes]:
    """A bill of materials with one component, and a hash for the file that it is in."""
    component: dict[str, object] = {"name": name}
    if sha256:
        component |= {
            "type": "file",
            "name": LIBRARY,
            "hashes": [{"alg": "SHA-256", "content": sha256}],
            "evidence": {"occurrences": [{"location": LIBRARY}]},
        }
    return {SBOM: json.dumps({"bomFormat": "CycloneDX", "components": [component]}).encode()}


def wheel_file(tag: str) -> dict[str, bytes]:
    return {f"{DIST_INFO}/WHEEL": f"Wheel-Version: 1.0\nTag: {tag}\n".encode()}


CASES = [
    Case(
        "record-agreement",
        MODULE,
        MODULE,
        "`pkg-1.0.dist-info/METADATA`: is not listed in RECORD\n"
        "record-agreement: `pkg-1.0.dist-info/WHEEL`: is not listed in RECORD\n"
        "record-agreement: `pkg/a.py`: is not listed in RECORD\n"
        "hint: write RECORD last: a file was changed, added or removed after it was made",
        record=f"{DIST_INFO}/RECORD,,\n",
    ),
    Case(
        "metadata-name",
        metadata(name="other"),
        metadata(name="Pkg"),
        "`pkg-1.0.dist-info/METADATA`: names `other`, the file name `pkg`\n"
        "hint: build the wheel again under one name; installers refuse it or cannot "
        "uninstall it",
    ),
    Case(
        "metadata-version",
        metadata(version="1.0+cu13"),
        metadata(version="1.0.0"),
        "`pkg-1.0.dist-info/METADATA`: gives version 1.0+cu13, the file name 1.0\n"
        "hint: build the wheel again with the version in one place; do not rename it",
    ),
    Case(
        "metadata-tags",
        wheel_file("cp312-cp312-linux_x86_64"),
        wheel_file("cp312-cp312-manylinux_2_27_x86_64"),
        "`pkg-1.0.dist-info/WHEEL`: has tag `cp312-cp312-linux_x86_64`, which the file "
        "name lacks\n"
        "metadata-tags: `pkg-1.0.dist-info/WHEEL`: lacks tag "
        "`cp312-cp312-manylinux_2_27_x86_64` of the file name\n"
        "hint: retag with `wheel tags` or `repair`, which change both; `pip check` reads "
        "WHEEL",
    ),
    Case(
        "metadata-fields",
        metadata("License-File: NOTICE"),
        {**metadata("License-File: NOTICE"), f"{DIST_INFO}/licenses/NOTICE": b""},
        "`pkg-1.0.dist-info/METADATA`: names licence file `NOTICE`, which is not in "
        "`licenses`\n"
        "hint: correct the project's metadata; PyPI and installers parse these fields",
    ),
    Case(
        "size-limit",
        {"pkg/x": NOISE},
        MODULE,
        "it has 0.3 MiB, the declared limit (`max-size`) is 0.1 MiB\n"
        "hint: build for fewer GPU architectures, or leave libraries to the packages that"
        " provide them",
        settings="max-size = 100_000",
    ),
    Case(
        "device-code-unreadable",
        {"pkg/lib.so": TinyElf(sections={".nv_fatbin": b"x" * 64})},
        kernels([SM_80]),
        "`pkg/lib.so`: fat binary 0, in section `.nv_fatbin`, cannot be read: byte 0 of "
        "the section starts with 0x78787878, version 30840\n"
        "hint: try `cuobjdump`: where it reads more, the other checks of GPU code are "
        "blind",
    ),
    Case(
        "device-code-missing",
        kernels([SM_80]),
        kernels([SM_80, SM_90]),
        "`pkg/lib.so`: it has no sm_90; it has sm_80\n"
        "hint: add the architecture to the build (`-gencode`), or take it off the "
        "declared `archs`",
        settings=ARCHS,
    ),
    Case(
        "device-code-gap",
        kernels([SM_80, SM_90], [SM_90]),
        kernels([SM_80, SM_90], [SM_80, SM_90]),
        "`pkg/lib.so`: 1 of 2 fat binaries have no code for sm_80: fat binary 1 has sm_90\n"
        "hint: compile these sources for the same architectures as the others; kernels "
        "that are for one GPU by design are a reason to suppress this for the file",
        settings=ARCHS,
    ),
    Case(
        "device-code-uneven",
        kernels([SM_80, SM_90], [SM_80, SM_90], [SM_90]),
        kernels([SM_80, SM_90], [SM_80, SM_90], [SM_80, SM_90]),
        "`pkg/lib.so`: 1 of 3 fat binaries lack code for GPUs that the others are for: "
        "fat binary 2 has no code for sm_80\n"
        "hint: declare `archs` to have every kernel held to the same list",
    ),
    Case(
        "device-code-not-forward",
        kernels([SM_80]),
        kernels([SM_80, PTX_90]),
        "`pkg/lib.so`: no GPU after sm_80 runs it: it has no PTX for later ones\n"
        "hint: add PTX (`-gencode arch=compute_XY,code=compute_XY`) for GPUs that do not "
        "exist yet",
    ),
    Case(
        "device-code-size",
        kernels([replace(SM_80, code=NOISE), SM_90]),
        MODULE,
        "0.3 MiB, 0.2 MiB over 0.1 MiB; of it about sm_80 0.3 MiB, sm_90 0.0 MiB; would "
        "fit without sm_80\n"
        "hint: leave out architectures, let nvcc compress (`-Xfatbin=-compress-all`, from"
        " CUDA 12.8 on `--compress-mode=size`), or ask the index for a higher limit",
        settings="max-size = 100_000",
    ),
    Case(
        "cuda-major",
        kernels([SM_80], needed="libcudart.so.13"),
        kernels([SM_80]),
        "it is for CUDA 12 by its name, but `pkg/lib.so` is for CUDA 13 (needs "
        "`libcudart.so.13`)\n"
        "hint: build, name and declare the wheel for one toolkit; where it serves "
        "several, let extras bring the libraries of each",
        name="pkg_cu12-1.0-py3-none-manylinux_2_27_x86_64.whl",
    ),
    Case(
        "cuda-driver",
        kernels([TinyImage("elf", 80, compression="zstd"), PTX_90]),
        kernels([SM_80, PTX_90]),
        "`pkg/lib.so`: it needs driver 550.54.14 (CUDA 12, compression none and zstd); "
        "declared is 535.54\n"
        "hint: build with an older toolkit or `--compress-mode=speed`, or raise what is "
        "promised",
        settings='driver = "535.54"',
    ),
    Case(
        "cuda-compression",
        kernels([TinyImage("elf", 80, compression="zstd"), PTX_90]),
        kernels([SM_80, PTX_90]),
        "`pkg/lib.so`: its GPU code is compressed with zstd, which driver 550.54.14 "
        "reads; CUDA 12 promises 525.60.13\n"
        "hint: compile with `--compress-mode=speed`, or declare the driver that is needed"
        " (`driver`)",
    ),
    Case(
        "cuda-shared-paths",
        {"pkg/lib.so": b""},
        {"pkg_cu12/lib.so": b""},
        "`pkg/lib.so`: `pkg_cu13-1.0-py3-none-any.whl` installs it as well; the later one"
        " wins\n"
        "hint: give each CUDA major a folder of its own, or make one distribution of them",
        name="pkg_cu12-1.0-py3-none-any.whl",
        beside={"pkg_cu13-1.0-py3-none-any.whl": {"pkg/lib.so": b""}},
    ),
    Case(
        "sbom-unreadable",
        {SBOM: b"{}"},
        bill(),
        "`pkg-1.0.dist-info/sboms/auditwheel.cdx.json`: its `bomFormat` is not "
        "`CycloneDX`\n"
        "hint: write CycloneDX as JSON, or give the file another suffix",
    ),
    Case(
        "sbom-incomplete",
        {LIBRARY: FOO, **bill("zlib")},
        {LIBRARY: FOO, **bill("libfoo")},
        "`pkg.libs/libfoo-0a1b2c3d.so.3`: it was copied in, and "
        "`pkg-1.0.dist-info/sboms/auditwheel.cdx.json` does not name it\n"
        "hint: repair with `tilewright-repair`, which states each library that it copies,"
        " or add a file to `.dist-info/sboms` that names them",
    ),
    Case(
        "sbom-hash",
        {LIBRARY: FOO, **bill(sha256="ab" * 32)},
        {LIBRARY: FOO, **bill(sha256=hashlib.sha256(FOO.build()).hexdigest())},
        "`pkg.libs/libfoo-0a1b2c3d.so.3`: `pkg-1.0.dist-info/sboms/auditwheel.cdx.json` "
        "says that its sha256 is "
        "abababababababababababababababababababababababababababababababab; it is "
        "fe6bad745c61196e48858036f36e89b4b80a253ac757dcdb02848a835507d0a5\n"
        "hint: write the bill of materials after the last tool that edits files",
    ),
    Case(
        "top-level-generic",
        {"tools/a.py": b""},
        MODULE,
        "`tools`: 1 file at the top of site-packages under a name that is nobody's\n"
        "hint: leave it out of the wheel, or move it into the package: name packages one "
        "by one, or give `include` patterns where they are searched for",
    ),
    Case(
        "top-level-undeclared",
        {"other/a.py": b"", **MODULE},
        MODULE,
        "`other`: is installed at the top; declared is `pkg`\n"
        "hint: leave it out of the wheel, or declare it in `top-level`",
        settings='top-level = ["pkg"]',
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_check_of_the_wheel_says_where_what_and_what_next(case: Case, tmp_path: Path) -> None:
    assert_case(case, tmp_path)
