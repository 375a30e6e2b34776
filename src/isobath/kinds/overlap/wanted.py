# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench overlap to its plan. Makes nothing."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from isobath.errors import UsageError
from isobath.kinds.overlap.options import (
    PROGRAM,
    chosen_collectives,
    chosen_modes,
    chosen_ratios,
    chosen_sizes,
    chosen_tests,
    chosen_work,
)
from isobath.kinds.progress import ALL_MODES, ASYNC_PROGRESS
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.offload_hardware import offload_hardware
from isobath.machine.facts import read_machine
from isobath.overlap.plan import ENOUGH_LAUNCHES, OverlapArm, OverlapPlan
from isobath.records.overlap import Progress

OFFLOADED = ("allreduce", "reduce", "bcast", "barrier")


@dataclass(frozen=True)
class OverlapRequest:
    """What the options of measuring say."""

    collectives: str = "allreduce,alltoall"
    sizes: str = "16,512,4096,8192"
    ranks: int | None = None
    """that compute; None: up to 2"""
    threads: int = 1
    progress: str = ALL_MODES
    work: str = "product,triad,scan"
    ratios: str = "0.25,0.5,1,2,4"
    tests: str = "0,1,10,100,1000"
    aggregators: int = 1
    trees: int = 1
    repetitions: int = 10
    order: int = 32
    """of the matrices of product"""
    mpi: str | None = None
    launches: int = ENOUGH_LAUNCHES
    seed: int | None = None


def plan_overlap(wanted: OverlapRequest, say: Callable[[str], None]) -> OverlapPlan:
    """The whole plan. Raises: UsageError, EnvironmentProblem.

    Args: say is told what hardware there is and what is left out.
    """
    cpus = read_machine().usable_cpus
    modes = chosen_modes(wanted.progress)
    method = ("--tests", chosen_tests(wanted.tests), "--sizes", chosen_sizes(wanted.sizes),
              "--repetitions", str(wanted.repetitions), "--order", str(wanted.order),
              "--trees", str(wanted.trees))  # fmt: skip
    works, swept = chosen_work(wanted.work), chosen_ratios(wanted.ratios)
    library = choose_library(Installation.here(), wanted.mpi)
    library.program(PROGRAM)
    names = chosen_collectives(library, wanted.collectives)
    workers = wanted.ranks or min(2, max(1, cpus // wanted.threads))
    say(offload_hardware(library).sentence)
    if "library_thread" in modes and library.family not in ASYNC_PROGRESS:
        say(f"library_thread is left out: {library.kind} has no progress thread")
    plan = OverlapPlan(
        mpi=library.id,
        threads=wanted.threads,
        seed=secrets.randbelow(1 << 31) if wanted.seed is None else wanted.seed,
        launches=wanted.launches,
        method=method,
        work=works,
        ratios=swept,
        arms=arms_of(library, modes, names, workers, wanted.aggregators, cpus // wanted.threads),
    )
    if not plan.arms:
        raise UsageError("nothing is left to measure: no way to make progress has a collective")
    return plan


def arms_of(
    library: MpiLibrary,
    modes: tuple[Progress, ...],
    names: tuple[str, ...],
    workers: int,
    aggregators: int,
    room: int,
) -> tuple[OverlapArm, ...]:
    """Ways that make every call slower have launches of their own; so has each number of ranks.

    Threads and aggregators are measured with as many ranks as leave processors for them, and,
    marked, with all. Beside offload the library alone is measured where no other launch has it
    with as many ranks: aggregators that sleep change nothing where there is a processor for each.

    Args: room is the number of ranks that there are processors for.
    """
    arms: list[OverlapArm] = []

    def add(
        modes: tuple[Progress, ...],
        names: tuple[str, ...],
        ranks: int,
        beside: int = 0,
        environment: dict[str, str] | None = None,
        *,
        is_crowded: bool = False,
    ) -> None:
        arms.append(
            OverlapArm(
                arm=f"o{len(arms) + 1:02}", modes=modes, collectives=names, ranks=ranks,
                aggregators=beside, environment=environment or {}, is_crowded=is_crowded,
            )
        )  # fmt: skip

    plain = tuple(mode for mode in modes if mode in ("library", "tests"))
    threaded = tuple(mode for mode in modes if mode in ("thread", "spare_thread"))
    if plain:
        add(plain, names, workers)
    for count in dict.fromkeys((max(1, min(workers, room // 2)), workers)):
        crowded = 2 * count > room
        if threaded:
            add(threaded, names, count, is_crowded=crowded)
        if "library_thread" in modes and library.family in ASYNC_PROGRESS:
            switch = ASYNC_PROGRESS[library.family]
            add(("library_thread",), names, count, environment=switch, is_crowded=crowded)
    trees_can = tuple(name for name in names if name in OFFLOADED)
    if "offload" in modes and trees_can:
        fitting = max(1, min(workers, room - aggregators))
        for count in dict.fromkeys((fitting, workers)):
            is_measured = "library" in plain and count == workers
            add(("offload",) if is_measured else ("library", "offload"), trees_can, count,
                aggregators, is_crowded=count + aggregators > room)  # fmt: skip
    return tuple(arms)
