# SPDX-License-Identifier: Apache-2.0
"""Regressions of made-up times, as they are read: nothing is launched."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from baseline.made_baselines import FACTS, NOW, archive, kept_cell
from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Archive, KeptCell, Sample, Sitting
from isobath.baseline.gathering import cell_from
from isobath.comparison.measured import Chosen, Launched, Side, Taken
from isobath.kinds.regress.guideline_checks import PLAIN
from isobath.kinds.regress.plan import MemberPlan, RegressFolder, RegressPlan
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import MeasuredCell, RegressFound

Times = Mapping[tuple[str, int], Sequence[float]]
"""of a collective and size, of every launch"""

BCAST = ("bcast", 8)

BEGAN = 1.8e9
HOUR = 3600.0


def times(level: float, number: int = 20, seed: int = 1) -> list[float]:
    """Of launches that scatter by 1 %."""
    rng = np.random.default_rng(seed)
    return [float(x) for x in level * np.exp(0.01 * rng.standard_normal(number))]


def name_of(collective: str, size: int) -> str:
    return f"{collective}, {size} B"


def cell_of(collective: str, size: int, values: Sequence[float], **update: Any) -> KeptCell:
    kept = kept_cell(name_of(collective, size), values, size)
    identity = PLAIN | {"collective": collective, "size_bytes": size}
    return kept.model_copy(update={"identity": identity} | update)


def archive_of(times: Times, **update: Any) -> Archive:
    found = archive({name_of(*place): values for place, values in times.items()})
    cells = tuple(cell_of(*place, values, **update) for place, values in times.items())
    (member,) = found.members
    return found.model_copy(update={"members": (member.model_copy(update={"cells": cells}),)})


def sitting(times: Times, began: float, keep_days: float = 30) -> Sitting:
    samples = {
        name_of(*place): tuple(Sample(value=value, launch=f"a01-{turn}")
                               for turn, value in enumerate(values, 1))
        for place, values in times.items()
    }  # fmt: skip
    turns = max(map(len, times.values()))
    return Sitting(
        previous="", at=NOW, study="s", began=began, ended=began + 40, turns=turns,
        seconds_a_turn=2.0, expires=NOW + timedelta(days=keep_days), samples=samples,
    )  # fmt: skip


def side_of(
    name: SideName, kept: Sequence[KeptCell], times: Times, *, facts: Mapping[str, str] = FACTS,
    chosen: Chosen | None = None, trouble: str = "", began: float = BEGAN + 100 * HOUR,
) -> Side:  # fmt: skip
    cells = []
    for one in kept:
        values = times[str(one.identity["collective"]), int(one.identity["size_bytes"] or 0)]
        taken = tuple(Taken(value, f"a01-{turn}") for turn, value in enumerate(values, 1))
        cell = cell_from(one)
        cells.append(type(cell)(cell.title, cell.scale, cell.identity, cell.bound, cell.settings,
                                taken, trouble=trouble, chosen=chosen))  # fmt: skip
    most = max(map(len, times.values()), default=0)
    launches = {f"a01-{turn}": Launched(began + turn, dict(facts)) for turn in range(1, most + 1)}
    return Side(name, ("s",), "bench collectives", tuple(cells), launches)


def found_of(
    baseline: Baseline, sides: Mapping[SideName, Side], *, turns: int | None = None,
    seconds: float = 10.0, **of_plan: Any,
) -> RegressFound:  # fmt: skip
    """Args: turns are those that were planned; as many as were measured, where nothing is said."""
    kept = baseline.archive.cells
    measured = max(len(cell.taken) for side in sides.values() for cell in side.cells)
    plan = RegressPlan(
        baseline="mpi", baseline_id="id", baseline_head="head", suite="full",
        cells=tuple(cell.name for cell in kept), mpi=dict.fromkeys(sides, "mpich-wheel"),
        turns=turns or measured, budget_seconds=600, seed=1,
        members=tuple(MemberPlan(side=name, kind="bench collectives", word="bench", settings={},
                                 plan={}) for name in sides),
    ).model_copy(update=of_plan)  # fmt: skip
    cells = tuple(
        MeasuredCell(one, {name: side.cells[place] for name, side in sides.items()})
        for place, one in enumerate(kept)
    )
    return RegressFound(
        RegressFolder(Path("20261124-080000-regress-0001")), plan, baseline, cells,
        {name: (side,) for name, side in sides.items()}, {}, (), (), False, measured, seconds,
    )  # fmt: skip


def baseline_of(first: Archive, *more: Any) -> Baseline:
    return Baseline("mpi", (), (first, *more))


def in_turns(old: Times, new: Times, **words: Any) -> RegressFound:
    """Both sides of one baseline, whose launches were like those of the old library."""
    first = archive_of(old)
    sides: dict[SideName, Side] = {"old": side_of("old", first.cells, old),
                                   "new": side_of("new", first.cells, new)}  # fmt: skip
    return found_of(baseline_of(first), sides, **words)
