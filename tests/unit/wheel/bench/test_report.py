# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from xml.etree import ElementTree

from tools.wheel.bench.measure import Cost
from tools.wheel.bench.report import Result, render_plot, render_table

MIB = 1 << 20
RESULTS = (
    Result("all", "slow", (Cost(10, 9, 100 * MIB), Cost(14, 9, 90 * MIB)), 200 * MIB, True),
    Result("all", "fast & small", (Cost(2, 5, 50 * MIB), Cost(4, 5, 9 * MIB)), 202 * MIB, False),
)


def test_render_table_sets_each_tool_against_the_first() -> None:
    assert render_table(RESULTS).splitlines()[2:] == [
        "| all | slow | 12.0 |  | 9.0 | 100 MiB | 200.0 MiB | yes |",
        "| all | fast & small | 3.0 | 4.2 times as fast (3.5 to 5.0) | 5.0 | 50 MiB "
        "| 202.0 MiB (+1.0 %) | no |",
    ]


def test_render_plot_is_svg_with_a_bar_for_each_result() -> None:
    plot = render_plot(RESULTS)
    assert plot.startswith("<!-- SPDX-FileCopyrightText")
    bars = ElementTree.fromstring(plot).findall("{http://www.w3.org/2000/svg}rect")
    assert [bar.get("width") for bar in bars] == ["460.0", "115.0"]
