#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The held-out cells of held_out.py, simulated: what SimGrid says of searches that were not seen.

    PYTHONPATH=src .venv/bin/python benchmarks/held_out_simulated.py STORE   needs SimGrid

STORE is that of held_out.py; cells that count there are simulated here, each plan, grid, scale and
number of nodes from the closed forms of its volumes, with the algorithms that were forced. Nothing
of a held-out run is used. Links have the rate that a stream and the latency that a byte there and
back were measured with before the cells were run (STORE/limits.json); of the latter the least, for
MPI polls, and nobody has to be woken. A rank follows as many arcs a second as those of the largest
fitted cells of its plan did; where tuples travel as they are found, of those on one grid column,
for on several polling for messages cannot be told from following arcs. Those of simple, which has
no single column, are two-dim's.

Prints misses first, then each part of the cells, and the order of plans and of grids. Simulated
times do not depend on how busy this machine is; what was simulated is kept in STORE/simulated.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from held_out import read_all  # noqa: E402
from held_out_cells import (  # noqa: E402
    FITTED_NODES,
    FITTED_SCALE,
    PARTS,
    RATES,
    TUPLES,
    Cell,
    cells_of,
)
from held_out_judged import MEDIAN, told_order, word_of  # noqa: E402
from played import play, steps_of  # noqa: E402

from isobath.costmodel.grid import Grid  # noqa: E402
from isobath.errors import UsageError  # noqa: E402
from isobath.prediction.calls import Layout  # noqa: E402
from isobath.prediction.observed import Observed  # noqa: E402
from isobath.simulation.from_volumes import Wanted, schedule_of_volumes  # noqa: E402
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


def platform_of(store: Path, network: str) -> Platform:
    """As its links were measured. Raises: UsageError where they were not."""
    path = store / "limits.json"
    limits = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if network not in limits:
        raise UsageError(f"{path} does not say how {network} was measured; run held_out.py first")
    limit = limits[network]
    rate = RATES[network.partition(":")[0]] / 8
    return Platform(
        name=f"namespaces-{network.replace(':', '-')}",
        title=f"namespaces at {network}",
        topology="crossbar",
        nodes=1 << 10,
        bandwidth=rate * limit["stream"],
        latency=limit["least_ping"] / 4,  # two links there, two back
        source="measured",
        told="held_out_limit.py",
    )


def schedule_of(cell: Cell, run: Observed, arcs_per_second: float | None) -> Schedule:
    """From closed forms; of the run only what was asked for."""
    wanted = Wanted(cell.scale, run.setting.switches, Grid.typed(cell.grid), arcs_per_second)
    return schedule_of_volumes(wanted)


def arcs_per_second(fitted: Sequence[tuple[Cell, Observed]], plan: str, network: str) -> float:
    """That a rank follows, as closed forms count arcs: the median of the plan's largest cells that
    models see, on one grid column in plans of tuples.
    """
    rates = []
    of = "two-dim" if plan in TUPLES else plan
    for cell, run in fitted:
        is_largest = cell.nodes == FITTED_NODES and cell.scale == FITTED_SCALE
        polls = of in TUPLES and Grid.typed(cell.grid).cols > 1
        if (cell.plan, cell.network) != (of, network) or not is_largest or polls:
            continue
        steps = schedule_of(cell, run, 1.0).steps
        arcs = sum(step.seconds for step in steps if step.call == "compute")
        computing = median(
            sum(level.computing for level in search.levels) for search in run.searches
        )
        rates.append(arcs / computing)
    if not rates:
        raise UsageError(f"no cell of {plan} on {network} that models see is in the store")
    return median(rates)


def simulate(store: Path, cell: Cell, run: Observed, platform: Platform, rate: float) -> float:
    """Seconds of the search; simulated unless it is kept.

    Raises: UsageError where the simulation fails.
    """
    kept = store / "simulated" / f"{cell.name}.jsonl"
    kept.parent.mkdir(exist_ok=True)
    steps = steps_of(kept)
    if steps is None:
        layout = Layout(Grid.typed(cell.grid), tuple(range(cell.nodes)))
        code = play(schedule_of(cell, run, rate), platform, layout, kept, ALGORITHMS)
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
    rows = []
    for cell, run in held:
        rate = arcs_per_second(fitted, cell.plan, cell.network)
        platform = platform_of(wanted.store, cell.network)
        seconds = simulate(wanted.store, cell, run, platform, rate)
        rows.append(Simulated(cell, run.seconds, seconds))
        print(f"{cell.name} {seconds:.4f} s", file=sys.stderr, flush=True)
    return int(not told(rows))


if __name__ == "__main__":
    sys.exit(main())
