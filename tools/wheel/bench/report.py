# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The results as a table in Markdown and as a plot in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from xml.sax.saxutils import escape

from .measure import Cost

_MIB = 1 << 20

_SPDX = (
    "<!-- SPDX-FileCopyrightText: tilewright contributors -->\n"
    "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
    "<!-- Written by //tools/wheel/bench. -->\n"
)


@dataclass(frozen=True)
class Result:
    """Every run of one tool on one workload."""

    workload: str
    tool: str
    costs: tuple[Cost, ...]
    output_size: int
    #: Whether every run gave the same bytes.
    same_bytes: bool

    @property
    def seconds(self) -> float:
        """The median."""
        return median(cost.seconds for cost in self.costs)

    @property
    def cpu_seconds(self) -> float:
        """The median."""
        return median(cost.cpu_seconds for cost in self.costs)

    @property
    def memory(self) -> int:
        """The most."""
        return max(cost.memory for cost in self.costs)


def render_table(results: Sequence[Result]) -> str:
    """One row a result; each is set against the first of its workload, round by round."""
    lines = [
        "| wheel | tool | seconds | against auditwheel | processor seconds | peak memory | output "
        "| same bytes each run |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        base = _base(results, result)
        growth = 100 * (result.output_size / base.output_size - 1)
        cells = (
            result.workload,
            result.tool,
            f"{result.seconds:.1f}",
            _speed(base, result) if result is not base else "",
            f"{result.cpu_seconds:.1f}",
            f"{result.memory / _MIB:.0f} MiB",
            f"{result.output_size / _MIB:.1f} MiB"
            + (f" ({growth:+.1f} %)" if result is not base else ""),
            "yes" if result.same_bytes else "no",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def render_plot(results: Sequence[Result]) -> str:
    """Bars of seconds. Grey letters, so that it reads on light and on dark."""
    row, left, width = 26, 250, 460
    longest = max(result.seconds for result in results)
    bars = []
    y = 30
    previous = ""
    for result in results:
        if result.workload != previous:
            y += 14
            bars.append(
                f'<text x="8" y="{y + 12}" font-weight="bold">{escape(result.workload)}</text>'
            )
            y += row - 4
            previous = result.workload
        length = width * result.seconds / longest
        color = "#9a9a9a" if result is _base(results, result) else "#2f7ed8"
        bars.append(
            f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(result.tool)}</text>'
        )
        bars.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="18" fill="{color}"/>')
        label = f"{result.seconds:.1f} s, {result.memory / _MIB:.0f} MiB"
        bars.append(f'<text x="{left + length + 6:.1f}" y="{y + 13}">{label}</text>')
        y += row
    title = "Seconds to repair a wheel, and peak memory; shorter is better"
    total = left + width + 150
    return (
        f'{_SPDX}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {y + 10}" '
        f'width="{total}" role="img" font-family="sans-serif" font-size="13" fill="#808080">\n'
        f"<title>{title}</title>\n"
        f'<text x="8" y="20" font-size="14">{title}</text>\n' + "\n".join(bars) + "\n</svg>\n"
    )


def _base(results: Sequence[Result], result: Result) -> Result:
    return next(other for other in results if other.workload == result.workload)


def _speed(base: Result, result: Result) -> str:
    """The median over the rounds, and the range: other work on the machine changes with time."""
    ratios = sorted(
        one.seconds / other.seconds for one, other in zip(base.costs, result.costs, strict=True)
    )
    return f"{median(ratios):.1f} times as fast ({ratios[0]:.1f} to {ratios[-1]:.1f})"
