# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds zig's C and C++ runtime libraries for one target and copies them into a folder.

zig builds them on the first link, into its cache, under folders named by hash. Two links (a shared
library and a program) are made with the linker's command line printed, and what it names is copied
out.
"""

import argparse
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

# The shared link names position-independent, stripped archives; only the start file of a program
# comes from the other.
FROM_SHARED_LINK = [
    "crti.o",
    "crtn.o",
    "libc++.a",
    "libc++abi.a",
    "libc.so.6",
    "libc_nonshared.a",
    "libcompiler_rt.a",
    "libdl.so.2",
    "libld.so.2",
    "libm.so.6",
    "libpthread.so.0",
    "libresolv.so.2",
    "librt.so.1",
    "libunwind.a",
    "libutil.so.1",
]
FROM_PROGRAM_LINK = ["Scrt1.o"]


def final_link(
    zig: pathlib.Path, target: str, language: str, flags: "list[str]", work: pathlib.Path
) -> "dict[str, pathlib.Path]":
    """Links an empty program; returns the files that the linker's command line names, by name."""
    source = work / "probe.cc"
    source.write_text("int main() { return 0; }\n")
    command = [
        str(zig),
        language,
        "-target",
        target,
        "-s",
        "-O2",
        "-v",
        str(source),
        "-o",
        str(work / "probe"),
        *flags,
    ]
    environment = {
        "ZIG_GLOBAL_CACHE_DIR": str(work / "cache"),
        "ZIG_LOCAL_CACHE_DIR": str(work / "cache"),
    }
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    links = [
        line
        for line in result.stderr.splitlines()
        if line.startswith("ld.lld ") and "probe" in line
    ]
    if result.returncode or not links:
        sys.exit(
            f"`{' '.join(command)}` failed with exit code {result.returncode}\n{result.stderr}"
        )
    words = [pathlib.Path(word) for word in shlex.split(links[-1])]
    return {word.name: word for word in words if word.is_absolute() and word.is_file()}


def copy_archive(
    zig: pathlib.Path, source: pathlib.Path, destination: pathlib.Path, work: pathlib.Path
) -> None:
    """Copies an archive with member names that do not hold zig's cache folders."""
    members = work / source.name
    members.mkdir()
    listing = subprocess.run([zig, "ar", "t", source], check=True, capture_output=True, text=True)
    names = [pathlib.Path(name).name for name in listing.stdout.splitlines()]
    if len(set(names)) != len(names):
        sys.exit(f"`{source}` has several members of one name: {', '.join(sorted(names))}")
    subprocess.run([zig, "ar", "x", source], check=True, cwd=members)
    destination.unlink(missing_ok=True)
    subprocess.run([zig, "ar", "rcsD", destination.resolve(), *names], check=True, cwd=members)


def add_linker_names(folder: pathlib.Path) -> None:
    """Copy each stub `libdl.so.2` to `libdl.so`, where `-ldl` looks: else it finds a machine's."""
    for stub in sorted(folder.glob("lib*.so.*")):
        shutil.copyfile(stub, folder / (stub.name.partition(".so.")[0] + ".so"))


def main() -> None:
    """Build the libraries and copy them out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--zig", type=pathlib.Path, required=True)
    parser.add_argument(
        "--target", required=True, help="zig target with a glibc version, `x86_64-linux-gnu.2.27`"
    )
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        zig = options.zig.resolve()
        shared = final_link(zig, options.target, "c++", ["-shared"], work)
        program = final_link(zig, options.target, "cc", ["-x", "c"], work)
        options.output.mkdir(parents=True, exist_ok=True)
        for names, found in ((FROM_SHARED_LINK, shared), (FROM_PROGRAM_LINK, program)):
            for name in names:
                if name not in found:
                    sys.exit(
                        f"zig's link for `{options.target}` names no `{name}`, "
                        f"only {', '.join(sorted(found))}"
                    )
                if name.endswith(".a"):
                    copy_archive(zig, found[name], options.output / name, work)
                else:
                    shutil.copyfile(found[name], options.output / name)
        add_linker_names(options.output)


if __name__ == "__main__":
    main()
