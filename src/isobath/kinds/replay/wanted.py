# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench replay and the run to its plan. Makes nothing."""

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from isobath.bench.replay import Replay
from isobath.bench.spec import Arm, Family, StopRule
from isobath.kinds.collectives.wanted import PROGRAM, SPARE_MEMORY
from isobath.kinds.replay.plan import ReplaySpec, recorded_seconds
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import libraries_of
from isobath.machine.facts import read_machine


@dataclass(frozen=True)
class ReplayRequest:
    """What the options of measuring say."""

    mpi: Sequence[str] = ()
    launches: int = 3
    seed: int | None = None
    budget: float = 0.5
    """seconds for a cell in a launch"""


def plan_replay(replay: Replay, run_id: str, wanted: ReplayRequest) -> ReplaySpec:
    """The whole plan. Raises: EnvironmentProblem where an MPI or its build is missing."""
    machine = read_machine()
    cells = tuple(one.cell for one in replay.phases)
    arms: list[Arm] = []
    words = tuple(wanted.mpi) or (os.environ.get("ISOBATH_MPI", ""),)
    for library in libraries_of(Installation.here(), words):
        library.program(PROGRAM)
        arms.append(
            Arm(
                arm=f"a{len(arms) + 1:02}",
                mpi=library.id,
                family=cast(Family, library.family),
                version=library.version,
                ranks=replay.ranks,
                cells=cells,
            )
        )
    return ReplaySpec(
        preset="replay",
        replayed=run_id,
        replayed_search=replay.search.index,
        recorded_seconds=recorded_seconds(replay),
        matrices=replay.matrices(),
        seed=secrets.randbelow(1 << 31) if wanted.seed is None else wanted.seed,
        launches=wanted.launches,
        stop=StopRule(budget_seconds=wanted.budget),
        memory_limit_bytes=int(machine.available_bytes * SPARE_MEMORY),
        cpus=machine.usable_cpus,
        arms=tuple(arms),
    )
