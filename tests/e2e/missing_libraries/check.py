# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Takes libraries away from an installed wheel, one at a time, and looks at the error one gets.

usage: python3 tests/e2e/missing_libraries/check.py WHEEL [--package REQUIREMENT ...]

Each case starts from a fresh copy of one virtual environment, removes a file or hides a library,
and runs a few lines of Python that must end in the documented exception. A crash, a bare
ImportError or a message without the expected words fails. On a machine with a GPU and PyTorch the
CUDA cases run against the real driver; elsewhere the driver itself is what is missing. Exit code 0
when every case passes.
"""

import argparse
import dataclasses
import pathlib
import shutil
import subprocess
import sys
import tempfile

CPU_OPERATOR = (
    "import numpy; tilewright.rms_norm(numpy.ones((2, 8), 'float32'), numpy.ones(8, 'float32'))"
)
CUDA_LOAD = "from tilewright._internal.extension import extension; extension().cuda_load()"
TVM_LOAD = "tilewright.tvm.load_module('/nonexistent/module.so')"
FFI_LOAD = "import tvm_ffi; tvm_ffi.load_module(tilewright.tvm.ffi_library_path())"

# Runs the case's code and prints the exception's class and message, or `no error`.
HARNESS = """
import sys
try:
    import tilewright
    {code}
except tilewright.TilewrightError as error:
    print(type(error).__name__)
    print(error)
else:
    print("no error")
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """What is removed, what runs then, and what must come of it."""

    name: str
    code: str
    expected: str
    words: tuple[str, ...]
    remove: tuple[str, ...] = ()
    environment: dict[str, str] = dataclasses.field(default_factory=dict)


CASES = [
    Case(
        "extension module",
        CPU_OPERATOR,
        "LibraryNotFoundError",
        ("_C", "hint:", "pip install"),
        ("tilewright/_C*.so",),
    ),
    Case(
        "libtilewright.so",
        CPU_OPERATOR,
        "LibraryNotFoundError",
        ("libtilewright.so", "hint:", "pip install"),
        ("tilewright/lib/libtilewright.so",),
    ),
    Case(
        "libtilewright_tvm.so",
        TVM_LOAD,
        "LibraryNotFoundError",
        ("libtilewright_tvm.so", "hint:"),
        ("tilewright/lib/libtilewright_tvm.so",),
    ),
    Case(
        "libtilewright_ffi.so",
        FFI_LOAD,
        "LibraryNotFoundError",
        ("libtilewright_ffi.so", "hint:"),
        ("tilewright/lib/libtilewright_ffi.so",),
    ),
    Case("a TVM module", TVM_LOAD, "TvmError", ("/nonexistent/module.so",)),
    Case(
        "bad TILEWRIGHT_CUDA",
        CUDA_LOAD,
        "InvalidArgumentError",
        ("TILEWRIGHT_CUDA", "11", "12 or 13"),
        environment={"TILEWRIGHT_CUDA": "11"},
    ),
]

WITHOUT_GPU = [
    Case("the driver", CUDA_LOAD, "LibraryNotFoundError", ("libcuda.so.1", "tried", "hint:")),
]

# The driver is there; the machine's CUDA 13 toolkit may be too, so CUDA 12 is the one that is
# taken away for certain.
WITH_GPU = [
    Case(
        "both kernel libraries",
        CUDA_LOAD,
        "LibraryNotFoundError",
        ("kernel library", "hint:"),
        ("tilewright/lib/libtilewright_cuda1*.so",),
    ),
    Case(
        "the kernel library for CUDA 12",
        CUDA_LOAD,
        "LibraryNotFoundError",
        ("libtilewright_cuda12.so", "hint:"),
        ("tilewright/lib/libtilewright_cuda12.so",),
        {"TILEWRIGHT_CUDA": "12"},
    ),
    Case(
        "CUDA 12's runtime",
        CUDA_LOAD,
        "LibraryNotFoundError",
        ("libcudart.so.12", "tried", "pip install 'tilewright[cuda12]'"),
        ("nvidia/cuda_runtime",),
        {"TILEWRIGHT_CUDA": "12"},
    ),
]


def run_case(case: Case, pristine: pathlib.Path, work: pathlib.Path) -> bool:
    """Runs one case in a copy of the site-packages folder `pristine`."""
    site = work / "site"
    if site.exists():
        shutil.rmtree(site)
    shutil.copytree(pristine, site, symlinks=True)
    for pattern in case.remove:
        for path in list(site.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    code = f"import sys; sys.path.insert(0, {str(site)!r})\n" + HARNESS.format(code=case.code)
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "HOME": str(work), **case.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    kind, _, message = result.stdout.partition("\n")
    missing = [word for word in case.words if word not in message]
    passed = result.returncode == 0 and kind == case.expected and not missing
    print(f"{'passed' if passed else 'FAILED'}  {case.name}: {kind}")
    if not passed:
        print(f"  exit {result.returncode}, expected {case.expected}, words missing: {missing}")
        print("  " + (message + result.stderr).strip().replace("\n", "\n  "))
    return passed


def gpu_present() -> bool:
    return (
        shutil.which("nvidia-smi") is not None
        and subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheel", help="the wheel, built for the Python that runs this")
    parser.add_argument(
        "--package",
        nargs="*",
        default=["numpy", "apache-tvm-ffi>=0.1.12,<0.2"],
        help="what else to install",
    )
    parser.add_argument(
        "--no-index", metavar="FOLDER", help="install from this folder of wheels only"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        pristine = work / "pristine"
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--target",
            str(pristine),
            options.wheel,
            *options.package,
        ]
        if options.no_index:
            pip += ["--no-index", "--find-links", options.no_index]
        subprocess.run(pip, check=True)
        cases = CASES + (WITH_GPU if gpu_present() else WITHOUT_GPU)
        results = [run_case(case, pristine, work) for case in cases]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
