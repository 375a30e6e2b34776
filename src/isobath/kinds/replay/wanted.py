# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench replay and the run to its plan. Makes nothing."""

import secrets
from collections.abc import Mapping
from itertools import product
from typing import Any, cast

from isobath.bench.plan import Arm, Family, StopRule
from isobath.bench.replay import Replay, replay_of
from isobath.kinds.collectives.wanted import SPARE_MEMORY
from isobath.kinds.collectives.work import PROGRAM, launches_of
from isobath.kinds.nodes import placed
from isobath.kinds.replay.plan import PLAN, ReplayPlan, recorded_seconds
from isobath.kinds.replay.settings import REPLAY, ReplaySettings
from isobath.kinds.settings_of import written_settings
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import libraries_of
from isobath.launch.placement import require
from isobath.machine.facts import read_machine
from isobath.report.run_data import doubt_of
from isobath.report.wording import count_of
from isobath.store.folders import RunFolder
from isobath.study.planned import Planned, Planning


def planned_replay(values: Mapping[str, Any], planning: Planning) -> Planned:
    """What settings amount to on this machine. Raises: UsageError, EnvironmentProblem."""
    wanted = ReplaySettings(**values)
    run = RunFolder(planning.shelf.find(wanted.run, ("run",)).path)
    doubt = doubt_of(run)
    if doubt:
        planning.warn(f"{run.run_id}: {doubt}")
    records = run.records()
    replay = replay_of(records, wanted.search, buffers=wanted.buffers)
    plan = plan_replay(replay, run.run_id, wanted)
    libraries = tuple(dict.fromkeys(arm.mpi for arm in plan.arms))
    chosen = {"run": run.run_id, "search": plan.replayed_search, "seed": plan.seed,
              "memory_limit": plan.memory_limit_bytes}  # fmt: skip
    phases, launches = len(replay.phases), count_of(plan.launches, "launch", "launches")
    return Planned(
        PLAN,
        plan,
        written_settings(REPLAY, vars(wanted) | chosen | {"mpi": libraries}),
        launches_of(plan),
        notes=(
            f"search {replay.search.index} of {run.run_id}: {count_of(phases, 'phase')} on a "
            f"{replay.grid} grid, {launches}",
        ),
    )


def plan_replay(replay: Replay, run_id: str, wanted: ReplaySettings) -> ReplayPlan:
    """The whole plan. Raises: EnvironmentProblem where an MPI or its build is missing."""
    machine = read_machine()
    cells = tuple(phase.cell for phase in replay.phases)
    arms: list[Arm] = []
    places = placed(wanted, (replay.ranks,), ())
    for place in places:
        require(place.placement, place.ranks)
    for library, place in product(libraries_of(Installation.here(), wanted.mpi or ("",)), places):
        library.program(PROGRAM)
        arms.append(
            Arm(
                arm=f"a{len(arms) + 1:02}",
                mpi=library.id,
                family=cast(Family, library.family),
                version=library.version,
                ranks=replay.ranks,
                placement=place.placement,
                cells=cells,
            )
        )
    return ReplayPlan(
        preset="replay",
        replayed=run_id,
        replayed_search=replay.search.index,
        recorded_seconds=recorded_seconds(replay),
        matrices=replay.matrices(),
        seed=secrets.randbelow(1 << 31) if wanted.seed is None else wanted.seed,
        launches=wanted.launches,
        stop=StopRule(budget_seconds=wanted.budget),
        memory_limit_bytes=wanted.memory_limit or int(machine.available_bytes * SPARE_MEMORY),
        cpus=machine.usable_cpus,
        arms=tuple(arms),
    )
