#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The held-out cells of held_out.py, simulated: what SimGrid says of searches that were not seen.

    PYTHONPATH=src .venv/bin/python benchmarks/held_out_simulated.py STORE   needs SimGrid

STORE is that of held_out.py; cells that count there are simulated here, with the algorithms that
were forced. Nothing that a held-out run took is used. Calls, and what ranks compute between them,
are those that `predict` tells from the cells that models see; how long calls take is what SimGrid
says. Links have the rate that a stream was measured with before the cells were run
(STORE/limits.json), and the latency of sums of two ranks in cells that models see: one message each
way at a time, between ranks that poll (a byte of held_out_limit.py there and back has to wake who
waits for it, which took 2.6 times as long). Waiting is what comes of calls alone: every rank
computes and sends the mean.

Prints misses first, then each part of the cells, and the order of plans and of grids. Simulated
times do not depend on how busy this machine is; what was simulated is kept in STORE/simulated.
"""

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from held_out import read_all  # noqa: E402
from held_out_cells import PARTS, RATES, Cell, cells_of  # noqa: E402
from held_out_judged import (  # noqa: E402
    MEDIAN,
    costs_by_network,
    predicted,
    told_order,
    word_of,
)
from played import play, steps_of  # noqa: E402

from isobath.costmodel.grid import Grid  # noqa: E402
from isobath.costmodel.volume import OUTSIDE  # noqa: E402
from isobath.errors import UsageError  # noqa: E402
from isobath.prediction.calls import Layout  # noqa: E402
from isobath.prediction.observed import Observed  # noqa: E402
from isobath.prediction.pieces import COMPUTING  # noqa: E402
from isobath.prediction.predicted import Prediction  # noqa: E402
from isobath.simulation.from_volumes import Computed, Wanted, schedule_of_calls  # noqa: E402
from isobath.simulation.platform import Platform  # noqa: E402
from isobath.simulation.schedule import Schedule  # noqa: E402

ALGORITHMS = (
    "allreduce:rdb", "bcast:binomial_tree", "barrier:ompi_bruck", "allgather:bruck",
    "allgatherv:ompi_bruck", "alltoall:basic_linear", "alltoallv:ompi_basic_linear",
)  # fmt: skip
"""SimGrid's names of those that held_out_cells.py forces."""


@dataclass(frozen=True)
class Simulated:
    """A held-out cell."""

    cell: Cell
    measured: float
    seconds: float

    @property
    def error(self) -> float:
        """Share; above 0 is simulated too slow."""
        return self.seconds / self.measured - 1


def latency_of(fitted: Sequence[tuple[Cell, Observed]], network: str) -> float:
    """Seconds of a short message between two nodes, as cells that models see tell it.

    Raises: UsageError where none was of two nodes.
    """
    sums = [
        timed.seconds / timed.call.calls
        for cell, run in fitted
        if (cell.network, cell.nodes) == (network, 2)
        for timed in run.timed
        if timed.call.name == "allreduce" and timed.call.calls
    ]
    if not sums:
        raise UsageError(f"no cell of two nodes on {network} is in the store")
    return median(sums)


def platform_of(store: Path, network: str, latency: float) -> Platform:
    """As its links were measured. Raises: UsageError where they were not."""
    path = store / "limits.json"
    limits = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if network not in limits:
        raise UsageError(f"{path} does not say how {network} was measured; run held_out.py first")
    rate = RATES[network.partition(":")[0]] / 8
    return Platform(
        name=f"namespaces-{network.replace(':', '-')}",
        title=f"namespaces at {network}",
        topology="crossbar",
        nodes=1 << 10,
        bandwidth=rate * limits[network]["stream"],
        latency=latency / 2,  # two links
        source="measured",
        told="held_out_limit.py",
    )


def schedule_of(prediction: Prediction) -> Schedule:
    """The calls of a predicted search, and what is computed before those of each level."""
    seconds: defaultdict[int, float] = defaultdict(float)
    for piece in prediction.pieces:
        if piece.phase == COMPUTING:
            seconds[piece.level] += piece.seconds
    works = prediction.works  # of one search; seconds are of several, which may have more levels
    told = {work.level for work in works}
    seconds[works[-1].level] += sum(
        more for level, more in seconds.items() if level not in told and level != OUTSIDE
    )
    computed = {work.level: Computed(work.direction, seconds[work.level]) for work in works}
    target = prediction.target
    wanted = Wanted(target.scale, target.switches, target.layout.grid)
    return schedule_of_calls(wanted, prediction.calls, computed, seconds[OUTSIDE])


def simulate(store: Path, cell: Cell, platform: Platform, schedule: Schedule) -> float:
    """Seconds of the search; simulated unless it is kept, this schedule on this platform.

    Raises: UsageError where the simulation fails.
    """
    asked = hashlib.sha256(repr((schedule, platform, ALGORITHMS)).encode()).hexdigest()
    kept = store / "simulated" / f"{cell.name}-{asked[:12]}.jsonl"
    kept.parent.mkdir(exist_ok=True)
    steps = steps_of(kept)
    if steps is None:
        layout = Layout(Grid.typed(cell.grid), tuple(range(cell.nodes)))
        code = play(schedule, platform, layout, kept, ALGORITHMS)
        steps = steps_of(kept)
        if code or steps is None:
            raise UsageError(f"the simulation of {cell.name} ended with {code}")
    return max(step.ended_seconds for step in steps)


def told(rows: Sequence[Simulated]) -> bool:
    """Prints misses first. Returns whether medians and orders are kept."""
    print(f"\nSIMULATED; misses first\n{'cell':<44} {'measured':>9} {'simulated':>9} {'error':>7}")
    for row in sorted(rows, key=lambda row: -abs(row.error)):
        print(
            f"{row.cell.name:<44} {row.measured:>8.4f}s {row.seconds:>8.4f}s "
            f"{100 * row.error:>+6.1f}%"
        )
    kept = [_told_part(part, [row for row in rows if row.cell.part == part]) for part in PARTS]
    times = [(row.cell, row.measured, row.seconds) for row in rows]
    kept += [told_order(times, of_plans=of_plans) for of_plans in (True, False)]
    return all(kept)


def _told_part(part: str, rows: Sequence[Simulated]) -> bool:
    if not rows:
        print(f"{part}: no cell, nothing is shown")
        return False
    middle = median(abs(row.error) for row in rows)
    print(f"{part}: {len(rows)} cells, median error {100 * middle:.1f} %: ", end="")
    print(word_of(middle <= MEDIAN))
    return middle <= MEDIAN


def main() -> int:
    """Returns 0, or 1 where a promise is not kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--networks", nargs="+", default=["100mbit"])
    wanted = parser.parse_args()
    fitted, held = read_all(wanted.store, cells_of(wanted.networks), quick=False)
    costs = costs_by_network(fitted)
    rows = []
    for cell, run in held:
        schedule = schedule_of(predicted(cell, fitted, costs, run))
        latency = latency_of(fitted, cell.network)
        platform = platform_of(wanted.store, cell.network, latency)
        seconds = simulate(wanted.store, cell, platform, schedule)
        rows.append(Simulated(cell, run.seconds, seconds))
        print(f"{cell.name} {seconds:.4f} s", file=sys.stderr, flush=True)
    return int(not told(rows))


if __name__ == "__main__":
    sys.exit(main())
