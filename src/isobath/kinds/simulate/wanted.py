# SPDX-License-Identifier: Apache-2.0
"""From settings to what is simulated: a schedule, a platform, where ranks are. Starts nothing but
a serial walk, where one is asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.kinds.simulate.engine import EngineSearch, arc_seconds, engine_words, words_of_plan
from isobath.kinds.simulate.settings import SimulateSettings
from isobath.kinds.simulate.walked import refusals_of_root, walked_schedule
from isobath.plan.search_plans import values_of
from isobath.prediction.calls import Layout, Mapping
from isobath.records.communication import CallCell
from isobath.report.run_data import read_run
from isobath.simulation.from_run import chosen_search, schedule_of_run
from isobath.simulation.from_volumes import (
    EDGEFACTOR,
    Wanted,
    check_ranks,
    refusals,
    refuse,
    schedule_of_volumes,
)
from isobath.simulation.from_walk import PLAYED_EXCHANGES
from isobath.simulation.platform import Platform, platform_named
from isobath.simulation.schedule import Schedule
from isobath.study.shelf import Shelf

OF_PLANS = ("plan", "grid", "exchange", "scale", "root", "arcs_per_second")


@dataclass(frozen=True)
class Prepared:
    """A simulation before it begins."""

    schedule: Schedule | EngineSearch
    platform: Platform
    layout: Layout
    mapping: Literal["columns", "rows"]
    plan: str
    exchange: str
    scale: int
    edges: float | None
    """that the search traverses; None where nothing is computed"""
    run: str = ""
    search: int | None = None
    measured_seconds: float | None = None
    measured: tuple[CallCell, ...] = ()
    problems: tuple[str, ...] = ()


def prepared_simulation(settings: SimulateSettings, where: Shelf) -> Prepared:
    """Raises: UsageError for what cannot be simulated; EnvironmentProblem for a run that cannot be
    read.
    """
    platform = platform_named(settings.platform)
    if settings.run is not None:
        return _of_run(settings, where, platform)
    return _of_plan(settings, platform)


def _of_run(settings: SimulateSettings, where: Shelf, platform: Platform) -> Prepared:
    for name in OF_PLANS:
        if getattr(settings, name) is not None:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} goes without a run: a run has its own counts")
    study = where.find(settings.run or "last")
    if study.entry.name != "run":
        raise UsageError(
            f"{study.study_id} is a {study.entry.noun}; a simulation starts from a run, for "
            "example last:run"
        )
    data = read_run(study.path)
    records = data.records
    search = chosen_search(records, settings.search)
    run = records.run
    schedule: Schedule | EngineSearch
    if settings.engine:
        if run.switches is not None and run.switches.exchange == "neighbour":
            raise UsageError(
                f"{study.study_id} exchanged by neighbourhood collectives, which SimGrid lacks; "
                "take a run with another --exchange"
            )
        schedule = EngineSearch(
            Grid(run.grid_rows, run.grid_cols), engine_words(run.argv, search.root),
            arc_seconds(records, search.index) if settings.computation else 0.0,
        )  # fmt: skip
    else:
        schedule = schedule_of_run(records, settings.search, computes=settings.computation)
    layout = _layout(
        schedule.grid, settings.nodes, settings.mapping, run.node_of_rank or (0,) * run.ranks
    )
    platform.of_nodes(layout.nodes)
    cells = next(calls.cells for calls in records.calls if calls.search == search.index)
    return Prepared(
        schedule, platform, layout, _mapping(settings.mapping), run.plan,
        run.switches.exchange if run.switches else "", run.scale,
        float(search.traversed_edges) if settings.computation else None, study.study_id,
        search.index, search.seconds, cells, (data.doubt,) if data.doubt else (),
    )  # fmt: skip


def _of_plan(settings: SimulateSettings, platform: Platform) -> Prepared:
    if settings.search is not None:
        raise UsageError("--search names a search of a run; name a run, too")
    if settings.scale is None:
        raise UsageError("name a run to simulate, or a search by --plan, --grid and --scale")
    changed = {} if settings.exchange is None else {"exchange": settings.exchange}
    switches = Switches.of(settings.plan or "two-dim", **changed)
    if settings.grid is None and settings.nodes is None:
        raise UsageError("say how many ranks search: --grid 16x32, or --nodes")
    if settings.nodes is not None:
        platform.of_nodes(settings.nodes)  # before a grid is sought for so many
    if settings.grid is not None:
        grid = Grid.typed(settings.grid)
    else:
        grid = switches.grid_of(settings.nodes or 1)
    check_ranks(grid)  # before each of them is put on a node
    layout = _layout(grid, settings.nodes, settings.mapping, None)
    platform.of_nodes(layout.nodes)
    wanted = Wanted(settings.scale, switches, grid, settings.arcs_per_second, settings.messages)
    refuse(_refusals(settings, wanted))
    schedule: Schedule | EngineSearch
    if settings.engine:
        schedule = EngineSearch(
            grid, words_of_plan(settings.scale, switches.plan, grid, settings.exchange),
            1 / settings.arcs_per_second if settings.arcs_per_second else 0.0,
        )  # fmt: skip
    else:
        schedule = (
            schedule_of_volumes(wanted)
            if settings.root is None
            else walked_schedule(wanted, settings.root)
        )
    edges = float(EDGEFACTOR << settings.scale) if settings.arcs_per_second is not None else None
    return Prepared(
        schedule, platform, layout, _mapping(settings.mapping), switches.plan, switches.exchange,
        settings.scale, edges,
    )  # fmt: skip


def _refusals(settings: SimulateSettings, wanted: Wanted) -> Iterator[str]:
    """All reasons at once why a search that was not run is not simulated."""
    plan, exchange = wanted.switches.plan, settings.exchange
    takes = [name for name in PLAYED_EXCHANGES if name in values_of("exchange", plan)]
    # Of one-sided nothing is played but by the engine, and the plan that is advised takes them all.
    is_of_plan = plan != "one-sided" or settings.engine
    if exchange is not None and exchange not in takes and is_of_plan:
        words = f"take {', '.join(takes[:-1])} or {takes[-1]}"
        advice = words if len(takes) > 1 else "leave --exchange out"
        yield f"--exchange {exchange} does not go with --plan {plan}; {advice}"
    if not settings.engine:
        yield from (
            refusals(wanted) if settings.root is None else refusals_of_root(wanted, settings.root)
        )
    elif settings.root is not None:
        yield (
            "--root walks a search for its calls, and --engine searches by itself; leave --root out"
        )


def _mapping(word: str) -> Mapping:
    return "rows" if word == "rows" else "columns"


def _layout(grid: Grid, nodes: int | None, mapping: str, as_run: tuple[int, ...] | None) -> Layout:
    """Raises: UsageError for more nodes than ranks."""
    if nodes is None:
        return Layout(grid, as_run) if as_run is not None else Layout.even(grid, 1)
    if nodes > grid.size:
        raise UsageError(f"--nodes {nodes}: {grid.size} ranks of the grid {grid} are on fewer")
    per_node = -(-grid.size // nodes)
    layout = Layout.even(grid, per_node, _mapping(mapping))
    if layout.nodes != nodes:
        raise UsageError(
            f"--nodes {nodes}: {grid.size} ranks fill {layout.nodes} nodes of {per_node}; take a "
            "number that divides them"
        )
    return layout
