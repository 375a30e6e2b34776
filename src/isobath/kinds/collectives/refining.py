# SPDX-License-Identifier: Apache-2.0
"""More sizes where one algorithm gives way to another: they narrow the switch point."""

from collections import defaultdict
from collections.abc import Callable

from isobath.bench.findings import sizes_of_switches, switches_of
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import MeasuredCell, read_measured
from isobath.bench.plan import Arm
from isobath.report.wording import count_of


def refine(folder: BenchFolder, say: Callable[[str], None]) -> bool:
    """Adds arms with sizes inside the intervals of switch points; whether there are any."""
    measured = read_measured(folder)
    added: dict[str, list[MeasuredCell]] = defaultdict(list)
    sizes: dict[str, list[int]] = defaultdict(list)
    for switch in switches_of(measured):
        for size in sizes_of_switches(switch):
            added[switch.curve.first.arm.arm].append(switch.curve.first)
            sizes[switch.curve.first.arm.arm].append(size)
    arms = {arm.arm: arm for arm in measured.plan.arms}
    number = folder.refinements() + 1
    fresh: list[Arm] = []
    for name, ones in added.items():
        cells = dict.fromkeys(
            cell.cell.model_copy(update={"size_bytes": size})
            for cell, size in zip(ones, sizes[name], strict=True)
        )
        told = {"arm": f"{name}r{number}", "cells": tuple(cells)}
        fresh.append(arms[name].model_copy(update=told))
    if fresh:
        added_sizes = count_of(sum(len(arm.cells) for arm in fresh), "size")
        say(f"round {number}: {added_sizes} at switch points")
        folder.add_arms(fresh)
    return bool(fresh)
