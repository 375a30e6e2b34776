# SPDX-License-Identifier: Apache-2.0
"""What a race will be: its cells with all that was left open, each checked before the first run."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from isobath.errors import IsobathError
from isobath.kinds.nodes import OnNodes, placed
from isobath.kinds.race.auditor import check_audit_programs
from isobath.kinds.race.design import RaceDesign, design_of, with_nodes
from isobath.kinds.race.settings import RACE as RACE_SETTINGS
from isobath.kinds.run.calibration import calibrate
from isobath.kinds.run.preparation import PlannedRun, prepare_run
from isobath.kinds.run.settings import DEFAULT, RUN, SETTING_NAMES, RunSettings
from isobath.kinds.settings_of import written_settings
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.launch.mpi_library import choose_library, libraries_of
from isobath.launch.transport import SHARED_MEMORY, transport_of
from isobath.machine.facts import read_machine
from isobath.plan.duration import Calibration
from isobath.plan.layout import choose_layout
from isobath.race.design import RaceFactors, Settings, Usual, cells_of
from isobath.race.folders import PLAN, RaceFolder
from isobath.race.plan import RaceCell, RacePlan, Value
from isobath.settings.renamed import with_present_names
from isobath.study.kind import ToDo
from isobath.study.planned import Planned, Planning
from isobath.units import format_bytes

RACE = "race"
"""Origin of the settings of its runs."""


def race_settings(values: Mapping[str, Any], plan: RacePlan) -> dict[str, Any]:
    """Settings that make the same race again: with the seed that was drawn and the libraries."""
    values = with_nodes(values)
    mpi = plan.factors.get("mpi", (plan.base["mpi"],) if "mpi" in plan.base else ())
    there = {name: value for name, value in values.items() if name != "mpi"}
    is_of_cells = any("mpi" in cell for cell in values.get("cells", ()))
    there |= {} if is_of_cells or not mpi else {"mpi": tuple(mpi)}
    return written_settings(RACE_SETTINGS, there | {"seed": plan.seed})


def planned_race(values: Mapping[str, Any], planning: Planning) -> Planned:
    """The race that settings amount to on this machine, every cell checked.

    Raises: IsobathError where a cell cannot be run; nothing has been started then.
    """
    from isobath.kinds.race.work import RaceWork

    plan = plan_race(design_of(values))
    store, is_dry = planning.store, planning.is_dry
    calibration = None if is_dry else rough_calibration(plan, planning.say, planning.stop)
    prepared = [
        prepare_cell(cell, store, lambda _: None, calibration, is_dry=is_dry) for cell in plan.cells
    ]
    if plan.audit:
        check_audit_programs(plan)
    most = max(run.memory.peak_bytes for run in prepared)
    return Planned(
        PLAN,
        plan,
        race_settings(values, plan),
        RaceWork(RaceFolder(store), plan).launches(),
        notes=(
            f"{len(plan.cells) * plan.repeats} runs of {len(plan.cells)} cells in random order "
            f"(seed {plan.seed}), at most {format_bytes(most)} of memory at a time",
        ),
        work=lambda folder, driver: ToDo(
            RaceWork(RaceFolder(folder.path), plan, driver, calibration)
        ),
    )


def plan_race(design: RaceDesign) -> RacePlan:
    """The race that a design amounts to on this machine.

    Raises: UsageError for a design that makes no sense, EnvironmentProblem for an unknown MPI.
    """
    machine = read_machine()
    varied = _with_libraries(design)
    usual = Usual(
        ranks=choose_layout(machine).ranks,
        threads_of=lambda ranks: max(1, machine.usable_cpus // ranks),
        possible=partial(_with_possible_nodes, made_up=_makes_nodes_up(varied)),
        ranks_on_nodes=_ranks_on_nodes,
    )
    seed = secrets.randbelow(1 << 31) if design.seed is None else design.seed
    cells = cells_of(varied, usual, seed)
    named = {name for listed in varied.listed for name in listed}
    first: Mapping[str, Value] = cells[0].settings
    shared = {
        name: value
        for name, value in first.items()
        if all(cell.settings.get(name) == value for cell in cells)
    }
    return RacePlan(
        base=shared,
        factors=_factors(cells, ("plan", "ranks", *varied.factors, *sorted(named))),
        design="listed" if varied.listed else "full",
        scaling=varied.scaling,
        seed=seed,
        repeats=design.repeats,
        keys=design.keys,
        official=design.official,
        audit=design.audit,
        reference=design.reference,
        cells=cells,
    )


def prepare_cell(
    cell: RaceCell,
    store: Path,
    say: Callable[[str], None],
    calibration: Calibration | None = None,
    asked: Asked = NOTHING_ASKED,
    *,
    is_dry: bool = False,
) -> PlannedRun:
    """The run of a cell; its time is estimated by the calibration, where one is given.

    Args: asked are limits that take the place of those that were planned; is_dry starts nothing.
    Raises: IsobathError where it cannot be run here; the sentence names the cell.
    """
    stored = with_present_names(SETTING_NAMES, cell.settings)
    values = {name: RUN.by_name[name].value(value, name) for name, value in stored.items()}
    limits = {name: value for name, value in vars(asked).items() if value is not None}
    settings = replace(RunSettings(**values), report=False, **limits)
    origins = {name: RACE if name in stored else DEFAULT for name in SETTING_NAMES}
    try:
        return prepare_run(settings, origins, say, store=store, calibration=calibration,
                           is_dry=is_dry)  # fmt: skip
    except IsobathError as error:
        problem = IsobathError(f"cell {cell.cell} ({describe(cell)}): {error}")
        problem.exit_code = error.exit_code
        raise problem from error


def rough_calibration(
    plan: RacePlan,
    say: Callable[[str], None],
    stop: Stop | None = None,
    asked: Asked = NOTHING_ASKED,
) -> Calibration:
    """One short run, by which all cells are estimated until they have been measured.

    Args: stop is who may ask for its end; without, signals do. asked are limits that take the place
        of those that were planned.

    Raises: IsobathError where the engine does not run here.
    """
    installation, machine = Installation.here(), read_machine()
    first = plan.cells[0].settings
    mpi = choose_library(installation, cast(str, first["mpi"]))
    limits: dict[str, Any] = {
        name: value if value is not None else first.get(name) for name, value in vars(asked).items()
    }
    settings = replace(RunSettings(), **limits)
    return calibrate(installation, machine, mpi, choose_layout(machine), say, settings, stop)


def describe(cell: RaceCell) -> str:
    """A cell in a few words: ``simple, 4 ranks, 1x4, exchange sparse``."""
    settings = cell.settings
    ranks = settings["ranks"]
    words = [str(settings["plan"]), "1 rank" if ranks == 1 else f"{ranks} ranks"]
    words.append(str(settings["grid"]))
    told = ("plan", "ranks", "grid")
    words += [f"{name} {value}" for name, value in cell.factors.items() if name not in told]
    return ", ".join(words) + (f", step {cell.step}" if cell.step else "")


def _with_libraries(design: RaceDesign) -> RaceFactors:
    """The design with the ids of its MPI libraries, whatever they were called."""
    varied = design.varied
    installation = Installation.here()

    def ids(words: tuple[Value, ...]) -> tuple[Value, ...]:
        named: list[Value] = []
        for word in words:
            named += [library.id for library in libraries_of(installation, (str(word),))]
        return tuple(dict.fromkeys(named))

    words = varied.factors.get("mpi") or (varied.base.get("mpi", ""),)
    base = {name: value for name, value in varied.base.items() if name != "mpi"}
    factors = {name: values for name, values in varied.factors.items() if name != "mpi"}
    there = ids(words)
    if len(there) == 1:
        base["mpi"] = there[0]
    else:
        factors["mpi"] = there
    listed = tuple(
        {name: ids(values) if name == "mpi" else values for name, values in each.items()}
        for each in varied.listed
    )
    return replace(varied, base=base, factors=factors, listed=listed)


def _placing(settings: Settings) -> OnNodes:
    """What a cell says of nodes."""
    told = {field.name: settings[field.name] for field in fields(OnNodes) if field.name in settings}
    return OnNodes(**cast(dict[str, Any], told))


def _ranks_on_nodes(settings: Settings) -> int:
    """Of a cell with ranks per node. Raises: UsageError where it asks for other ranks too."""
    ranks = settings.get("ranks")
    return placed(_placing(settings), (ranks,) if isinstance(ranks, int) else (), ())[0].ranks


def _makes_nodes_up(varied: RaceFactors) -> bool:
    """Whether some cell is on network namespaces."""
    ways = [str(varied.base.get("transport", SHARED_MEMORY.text()))]
    for table in (varied.factors, *varied.listed):
        ways += map(str, table.get("transport", ()))
    return any(transport_of(way).nodes > 1 for way in ways)


def _with_possible_nodes(settings: Settings, *, made_up: bool) -> Settings:
    """A single rank sends nothing, and no node is without a rank: there one machine is taken.

    In ``settings`` the transport stays as the default, so that cells can be compared by it. Beside
    made-up nodes other transports have as many ranks on this machine as it is.
    """
    ranks = settings["ranks"]
    if ("transport" not in settings and "nodes" not in settings) or not isinstance(ranks, int):
        return settings
    (place,) = placed(replace(_placing(settings), ranks_per_node=None), (), (1,))
    kind, nodes = transport_of(place.placement.transport).kind, place.placement.nodes
    if made_up and kind != "rate-limited" and "nodes" in settings and not place.placement.hosts:
        settings = {name: value for name, value in settings.items() if name != "ranks_per_node"}
        settings, nodes = settings | {"nodes": 1}, 1
    if ranks >= (1 if kind == "shared-memory" else 2) and ranks >= nodes:
        return settings
    alone = {"transport": SHARED_MEMORY.text()} | ({"nodes": 1} if "nodes" in settings else {})
    return settings | alone


def _factors(cells: tuple[RaceCell, ...], names: tuple[str, ...]) -> dict[str, tuple[Value, ...]]:
    """The values that cells of the matrix came to have, of what differs between them."""
    factors = {}
    for name in dict.fromkeys(names):
        values = [
            cell.settings[name]
            for cell in cells
            if name in cell.settings and (cell.group == "matrix")
        ]
        distinct = tuple(dict.fromkeys(values))
        if len(distinct) > 1 or name in ("plan", "ranks"):
            factors[name] = distinct
    return factors
