# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Audits wheels that others have published and compares the findings with those on record.

usage: python3 -m tests.e2e.audit_corpus.check [--only NAME ...] [--downloads DIR] [--record]

corpus.json names each wheel with its sha256, how many findings each check has in it, and why they
are right. Wheels are downloaded by name with pip, one after the other, and deleted after use unless
--downloads keeps them: allow 1 GB of disk, and 2 GB of traffic for all. --record writes what was
found into corpus.json; the reasons are for people to write. Exit code 0 when everything is as on
record, with a reason for each error and warning.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

from tests.e2e.wheels import REPOSITORY

CORPUS = pathlib.Path(__file__).with_name("corpus.json")
PLATFORMS = [f"manylinux_2_{minor}_x86_64" for minor in (34, 31, 28, 27, 24, 17, 12, 5)]
PLATFORMS += ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]


def sha256(path: pathlib.Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def download(wheel: dict[str, Any], folder: pathlib.Path) -> pathlib.Path:
    """The wheel's file in `folder`, fetched unless it is there, with the hash on record."""
    path = folder / str(wheel["file"])
    if not path.exists():
        name, version, *_ = wheel["file"].split("-")
        requirements = folder / "requirements.txt"
        requirements.write_text(f"{name}=={version} --hash=sha256:{wheel['sha256']}\n")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        pip += ["--only-binary=:all:", "--python-version=3.12", "--implementation=cp"]
        pip += [f"--platform={platform}" for platform in PLATFORMS]
        pip += [f"--abi={abi}" for abi in ("cp312", "abi3", "none")]
        subprocess.run([*pip, f"--dest={folder}", f"--requirement={requirements}"], check=True)
    if sha256(path) != wheel["sha256"]:
        raise SystemExit(f"`{path}` has not the sha256 on record\nhint: delete it")
    return path


def audit(path: pathlib.Path, report: pathlib.Path) -> dict[str, Any]:
    """The audit's report of one wheel; exits where the audit does not come to one."""
    target = "//tools/wheel:audit"
    arguments = ["--json", f"--output={report}", f"--exit-code-file={report}.code", str(path)]
    command = ["./tools/bazel", "run", "--noshow_progress", "--ui_event_filters=-info", target]
    subprocess.run([*command, "--", *arguments], cwd=REPOSITORY, check=True)
    (wheel,) = json.loads(report.read_text())["wheels"]
    return dict(wheel)


def summary(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By check: severity and number of findings, worst first."""
    counts: collections.Counter[tuple[str, str]] = collections.Counter(
        (finding["check"], finding["severity"]) for finding in report["findings"]
    )
    return {
        check: {"severity": severity, "count": count} for (check, severity), count in counts.items()
    }


def compare(wheel: dict[str, Any], found: dict[str, dict[str, Any]]) -> list[str]:
    """What differs from the record, or lacks its reason."""
    problems = []
    recorded = wheel["findings"]
    for check in sorted({*recorded, *found}):
        expected = {key: recorded.get(check, {}).get(key) for key in ("severity", "count")}
        if expected != found.get(check, {"severity": None, "count": None}):
            problems.append(f"{check}: found {found.get(check)}, on record {recorded.get(check)}")
        elif expected["severity"] != "note" and not recorded[check].get("why"):
            problems.append(f"{check}: {expected['severity']} without its `why`")
    return problems


def check(names: list[str], downloads: pathlib.Path | None, *, record: bool) -> int:
    corpus = json.loads(CORPUS.read_text())
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for wheel in corpus:
            if names and wheel["file"].split("-")[0] not in names:
                continue
            path = download(wheel, downloads or pathlib.Path(scratch))
            started = time.monotonic()
            found = summary(audit(path, pathlib.Path(scratch) / "report.json"))
            seconds = time.monotonic() - started
            if record:
                reasons = {name: facts.get("why") for name, facts in wheel["findings"].items()}
                wheel["findings"] = {
                    name: {**facts, **({"why": reasons[name]} if reasons.get(name) else {})}
                    for name, facts in found.items()
                }
                CORPUS.write_text(json.dumps(corpus, indent=2) + "\n")
            problems = compare(wheel, found)
            failures += bool(problems)
            print(f"{'FAILED' if problems else 'passed'}  {wheel['file']} ({seconds:.0f} s)")
            for problem in problems:
                print(f"        {problem}")
            if downloads is None:
                path.unlink()
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these wheels alone")
    parser.add_argument("--downloads", type=pathlib.Path, help="keep wheels here")
    parser.add_argument("--record", action="store_true", help="write what was found to the corpus")
    options = parser.parse_args()
    if options.downloads:
        options.downloads.mkdir(parents=True, exist_ok=True)
        options.downloads = options.downloads.resolve()
    return check(options.only, options.downloads, record=options.record)


if __name__ == "__main__":
    sys.exit(main())
