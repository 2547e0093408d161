# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated installation against the dynamic loader of this machine."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from pathlib import PurePosixPath

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.elf.search_path import search_folder
from tools.wheel.providers.site_packages import Distribution, Layout, SitePackages

LIBRARY = "libtiny_provider.so.1"
PROVIDED = PurePosixPath("provider/lib", LIBRARY)
MODULE = PurePosixPath("pkg/sub/_C.so")
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"


@pytest.mark.parametrize("entry", ["$ORIGIN/../../provider/lib", "$ORIGIN/../provider/lib"])
@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("purelib", [False, True])
def test_found_library_is_one_that_the_loader_opens(
    layout: Layout, purelib: bool, entry: str, tmp_path: pathlib.Path
) -> None:
    site = SitePackages(
        Distribution("pkg", False, frozenset({MODULE})),
        (Distribution("provider", purelib, frozenset({PROVIDED})),),
    )
    folder = search_folder(MODULE, entry)
    assert folder is not None
    found = site.find(LIBRARY, [folder], layout)

    module = TinyElf(needed=("libc.so.6", LIBRARY), runpath=entry).build()
    provider = TinyElf(soname=LIBRARY).build()
    opened = _install(layout, purelib, module, provider, tmp_path)
    run = subprocess.run([sys.executable, "-c", LOAD, str(opened)], capture_output=True, text=True)
    assert run.returncode == 0 or LIBRARY in run.stderr
    assert (found is not None) == (run.returncode == 0)


def _install(
    layout: Layout, purelib: bool, module: bytes, provider: bytes, folder: pathlib.Path
) -> pathlib.Path:
    """Put both on the disk as an installer of this layout would; returns the module's path."""
    site = folder / "site"
    files = {("pkg", False): (MODULE, module), ("provider", purelib): (PROVIDED, provider)}
    for (name, pure), (place, content) in files.items():
        root = {
            Layout.ONE_FOLDER: site,
            Layout.SPLIT: folder / "lib" if pure else site,
            Layout.LINKED: folder / "store" / name,
        }[layout]
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if layout is Layout.LINKED:
            site.mkdir(exist_ok=True)
            (site / name).symlink_to(root / name)
    return site / MODULE
