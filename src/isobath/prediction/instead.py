# SPDX-License-Identifier: Apache-2.0
"""What if: the same search with one thing changed, and whether the difference can be told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.prediction.calls import Layout
from isobath.prediction.costs import Costs
from isobath.prediction.network_file import NetworkFile
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import Spread, spread_of
from isobath.prediction.predicted import Prediction, Target, predict
from isobath.prediction.upcoming import SHORT_CALL
from isobath.prediction.work_costs import WorkCosts, work_costs

EXCHANGES = ("eager", "alltoallv", "sparse")
"""that are looked at beside the own one"""

Outcome = Literal["faster", "slower", "cannot tell"]


@dataclass(frozen=True)
class Instead:
    """A change with what it is predicted to bring."""

    name: str
    prediction: Prediction | None
    change: Spread | None
    """share of the time: below 0 is faster"""
    why_not: str = ""
    """why nothing can be said"""

    @property
    def outcome(self) -> Outcome:
        """What the interval allows to say."""
        if self.change is None or self.change.low <= 0 <= self.change.high:
            return "cannot tell"
        return "faster" if self.change.high < 0 else "slower"


def instead(name: str, base: Prediction, other: Prediction) -> Instead:
    """Draw by draw: what both have in common cancels."""
    change = spread_of(other.seconds / base.seconds - 1, other.draws / base.draws - 1)
    return Instead(name, other, change)


def what_ifs(
    observed: Observed,
    base: Prediction,
    costs: Costs,
    networks: Sequence[tuple[NetworkFile, Costs]] = (),
    works: WorkCosts | None = None,
) -> tuple[Instead, ...]:
    """Another exchange, other grids, other networks, reductions in switches.

    Args: networks are those to be tried instead; works as of ``predict``.
    """
    works = works if works is not None else work_costs([observed])
    found = [
        _tried(observed, base, name, target, costs, works) for name, target in _targets(base.target)
    ]
    for network, other in networks:
        found.append(_tried(observed, base, f"network {network.name}", base.target, other, works))
        if network.offload is not None:
            target = replace(base.target, offload=network.offload)
            name = f"reductions offloaded, as {network.name} tells"
            found.append(_tried(observed, base, name, target, costs, works))
    if not any(network.offload for network, _ in networks):
        found.append(_offload_bound(base))
    return tuple(found)


def _tried(
    observed: Observed,
    base: Prediction,
    name: str,
    target: Target,
    costs: Costs,
    works: WorkCosts,
) -> Instead:
    try:
        return instead(name, base, predict(observed, target, costs, works))
    except UsageError as problem:
        return Instead(name, None, None, str(problem))


def _targets(target: Target) -> Iterator[tuple[str, Target]]:
    switches, layout = target.switches, target.layout
    for exchange in other_exchanges(switches, layout.grid.cols):
        changed = replace(target, switches=replace(switches, exchange=exchange))
        yield f"exchange {exchange} instead of {switches.exchange}", changed
    for grid in other_grids(target):
        changed = replace(target, layout=Layout.even(grid, layout.per_node))
        yield f"grid {grid} instead of {layout.grid}", changed


def other_exchanges(switches: Switches, group: int) -> tuple[str, ...]:
    """What else among so many ranks does not do the same as the plan's own."""
    if switches.is_replicated or group < 2:
        return ()
    own = switches.exchange_in(group)
    there = [replace(switches, exchange=name).exchange_in(group) for name in EXCHANGES]
    return tuple(name for name in dict.fromkeys(there) if name != own)


def other_grids(target: Target) -> Iterator[Grid]:
    """Those that the plan can have: one row, one column, and rectangles near a square."""
    ranks, own = target.layout.grid.size, target.layout.grid
    if target.switches.plan not in ("two-dim", "hybrid"):
        return
    squarest = Grid.squarest(ranks)
    turned = Grid(squarest.cols, squarest.rows)
    for grid in dict.fromkeys((squarest, turned, Grid(1, ranks), Grid(ranks, 1))):
        if grid != own:
            yield grid


def _offload_bound(base: Prediction) -> Instead:
    """Without parameters: no more can be won than reductions cost. Sums that ranks add up
    themselves, as hybrid does in small rows and columns, are none.
    """
    reductions = [piece for piece in base.pieces if piece.phase == "reduce"]
    if reductions and all(piece.call == SHORT_CALL for piece in reductions):
        why = "ranks tell each other their numbers and add them, which no switch does for them"
        return Instead("reductions offloaded", None, None, why)
    share = sum(piece.seconds for piece in reductions) / base.seconds
    return Instead(
        "reductions offloaded",
        None,
        None,
        f"no network file tells [offload]; at most {100 * share:.1f} % can be won, for that is "
        "predicted of all reductions",
    )
