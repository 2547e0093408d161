# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Shows a comparison: text for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from itertools import groupby

from .wheels import Comparison

#: Raised when a key changes its meaning or goes away.
SCHEMA_VERSION = 1


def render_text(comparison: Comparison, explanations: Mapping[str, str]) -> str:
    """The report for people."""
    lines = [
        f"{name:6} {digest}  {path}"
        for name, digest, path in zip(
            ("first", "second"), comparison.digests, comparison.wheels, strict=True
        )
    ]
    lines.append(f"same sha256: {'yes' if comparison.same else 'no'}")
    for path, group in groupby(comparison.differences, key=lambda difference: difference.path):
        lines += ["", f"`{path}`" if path else "the archive"]
        lines += [f"  {difference.part}: {difference.what}" for difference in group]
    for path, text in explanations.items():
        lines += ["", f"diffoscope on `{path}`"]
        lines += [f"  {line}" for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def render_json(comparison: Comparison, explanations: Mapping[str, str]) -> str:
    """The report for programs."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "same": comparison.same,
        "wheels": [
            {"path": str(path), "sha256": digest}
            for path, digest in zip(comparison.wheels, comparison.digests, strict=True)
        ],
        "differences": [asdict(difference) for difference in comparison.differences],
        "diffoscope": dict(explanations),
    }
    return json.dumps(content, indent=2) + "\n"
