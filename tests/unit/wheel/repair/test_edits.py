# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import hashlib
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.errors import MemberPathError
from tools.wheel.elf.edit import ElfEdit
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.edits import Edit, Edits, plan_edits
from tools.wheel.repair.errors import GraftError
from tools.wheel.repair.resolve import Dependency, Outcome

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
EXTENSION = "pkg/sub/_C.so"


def _grafted(folder: Path, library: str, *needed_by: str) -> Dependency:
    source = folder / library
    source.write_bytes(library.encode())
    return Dependency(library, Outcome.GRAFTED, str(source), needed_by, ())


def _new(library: str) -> str:
    stem, _, rest = library.partition(".")
    return f"{stem}-{hashlib.sha256(library.encode()).hexdigest()[:8]}.{rest}"


def _plan(folder: Path, files: dict[str, TinyElf], *dependencies: Dependency) -> Edits:
    content = {path: elf.build() for path, elf in files.items()}
    return plan_edits(read_wheel(write_tiny_wheel(folder, NAME, content)), dependencies)


def test_plan_edits_without_copied_library_is_empty(tmp_path: Path) -> None:
    excluded = Dependency("libcuda.so.1", Outcome.EXCLUDED, "driver", (EXTENSION,), ())
    assert _plan(tmp_path, {EXTENSION: TinyElf()}, excluded) == Edits({}, {})


def test_plan_edits_file_gets_new_names_and_the_way_to_the_copies(tmp_path: Path) -> None:
    libraries = ("libbar.so.1", "libfoo.so.3")
    edits = _plan(
        tmp_path,
        {EXTENSION: TinyElf(rpath="$ORIGIN/lib"), "pkg/sub/lib/other.so": TinyElf()},
        *(_grafted(tmp_path, library, EXTENSION) for library in libraries),
    )
    replaced = tuple((library, _new(library)) for library in libraries)
    search_path = ("$ORIGIN/lib", "$ORIGIN/../../pkg.libs")
    assert edits.own == {EXTENSION: Edit("", replaced, search_path, rpath=True)}
    assert edits.own[EXTENSION].changes == ElfEdit("", dict(replaced), search_path, rpath=True)


def test_plan_edits_platlib_file_counts_from_where_it_is_installed(tmp_path: Path) -> None:
    path = "pkg-1.0.data/platlib/pkg/_C.so"
    edits = _plan(tmp_path, {path: TinyElf()}, _grafted(tmp_path, "libfoo.so.3", path))
    assert edits.own[path].search_path == ("$ORIGIN/../pkg.libs",)


def test_plan_edits_copies_find_each_other(tmp_path: Path) -> None:
    edits = _plan(
        tmp_path,
        {EXTENSION: TinyElf()},
        _grafted(tmp_path, "libfoo.so.3", EXTENSION),
        _grafted(tmp_path, "libbar.so.1", "pkg.libs/libfoo.so.3"),
    )
    assert {path: graft.edit for path, graft in edits.grafts.items()} == {
        f"pkg.libs/{_new('libfoo.so.3')}": Edit(
            _new("libfoo.so.3"), (("libbar.so.1", _new("libbar.so.1")),), ("$ORIGIN",)
        ),
        f"pkg.libs/{_new('libbar.so.1')}": Edit(_new("libbar.so.1")),
    }


@pytest.mark.parametrize(
    ("others", "rpath"),
    [
        ({}, True),
        ({"pkg/a.so": TinyElf(runpath="$ORIGIN")}, False),
        ({"pkg/a.so": TinyElf(rpath="$ORIGIN")}, True),
        ({"pkg/a.so": TinyElf(runpath="$ORIGIN"), "pkg/b.so": TinyElf(rpath="$ORIGIN")}, True),
    ],
)
def test_plan_edits_kind_of_search_path_is_that_of_the_wheel(
    tmp_path: Path, others: dict[str, TinyElf], rpath: bool
) -> None:
    files = {EXTENSION: TinyElf(), **others}
    edits = _plan(tmp_path, files, _grafted(tmp_path, "libfoo.so.3", EXTENSION))
    assert edits.own[EXTENSION].rpath == rpath


def test_plan_edits_script_that_needs_a_copy_is_refused(tmp_path: Path) -> None:
    path = "pkg-1.0.data/scripts/run"
    with pytest.raises(GraftError, match=r"run` needs `libfoo\.so\.3`, and is not installed"):
        _plan(tmp_path, {path: TinyElf()}, _grafted(tmp_path, "libfoo.so.3", path))


def test_plan_edits_copy_that_would_take_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    """As in a wheel that was repaired before, and then got one more file."""
    place = f"pkg.libs/{_new('libfoo.so.3')}"
    with pytest.raises(MemberPathError) as caught:
        _plan(
            tmp_path,
            {EXTENSION: TinyElf(), place: TinyElf()},
            _grafted(tmp_path, "libfoo.so.3", EXTENSION),
        )
    assert str(caught.value) == (
        f"`{tmp_path}/libfoo.so.3` would be copied to `{place}`, which is in the wheel already\n"
        "hint: build the wheel without it, or let every file that needs the library need it by "
        "that name"
    )


def test_as_json_lists_every_edit_by_path(tmp_path: Path) -> None:
    edits = _plan(tmp_path, {EXTENSION: TinyElf()}, _grafted(tmp_path, "libfoo.so.3", EXTENSION))
    assert [item["path"] for item in edits.as_json()] == [
        f"pkg.libs/{_new('libfoo.so.3')}",
        EXTENSION,
    ]
