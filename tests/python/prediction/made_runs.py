# SPDX-License-Identifier: Apache-2.0
"""Runs whose calls cost what is known: what a prediction must find again."""

from collections.abc import Sequence

import numpy as np

from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import levels_of_roots
from isobath.costmodel.switches import Switches
from isobath.prediction.calls import Layout, terms_of
from isobath.prediction.costs import Timed
from isobath.prediction.observed import Observed, ObservedLevel, ObservedSearch
from isobath.prediction.upcoming import upcoming_calls

COSTS = np.array([1e-6, 2e-7, 1e-9, 2e-5, 1e-6, 1e-8, 0.0, 0.0, 0.0])
"""seconds of latency, gap, byte: within a node, between nodes; of a turn; of a byte
among several, and beyond what was measured"""

LEVEL_SECONDS, ARC_SECONDS = 1e-5, 2e-9


def made_run(
    grid: Grid,
    per_node: int,
    *,
    scale: int = 16,
    plan: str = "two-dim",
    searches: int = 3,
    noise: float = 0.0,
    slower: float = 1.0,
    seed: int = 1,
    costs: Sequence[float] | np.ndarray = COSTS,
    layout: Layout | None = None,
) -> Observed:
    """Searches of the levels to be expected, whose computation and calls cost exactly so much.

    Args: slower is a factor of all calls that no formula knows; noise that of single ones; layout
        stands in the place of an even one.
    """
    rng = np.random.default_rng(seed)
    layout = layout or Layout.even(grid, per_node)
    switches = Switches.of(plan)
    blocks = Blocks.even(1 << scale, grid)
    setting = GraphSetting(scale, switches, blocks, arcs=32.0 * (1 << scale))
    roots = levels_of_roots(scale, float(1 << scale), direction=switches.direction)
    levels = roots[len(roots) // 2]
    found = []
    for _ in range(searches):
        calls = []
        for one in upcoming_calls(setting, layout, levels):
            seconds = float(terms_of(one.call) @ np.asarray(costs)) * slower
            calls.append(Timed(one.call, seconds * float(np.exp(noise * rng.standard_normal()))))
        rows = []
        for number, level in enumerate(levels):
            arcs = round(level.arcs.expected * 32 * (1 << scale))
            computing = LEVEL_SECONDS + ARC_SECONDS * arcs / grid.size
            inside = sum(one.seconds for one in calls if one.call.level == number)
            rows.append(
                ObservedLevel(
                    number, level.direction, round(level.vertices.expected), arcs,
                    computing + inside, computing, 0.0,
                )
            )  # fmt: skip
        total = sum(row.seconds for row in rows)
        found.append(ObservedSearch(total, 16 << scale, tuple(rows), tuple(calls), 0.0))
    return Observed("made", setting, layout, 1, False, tuple(found), 1.0)
