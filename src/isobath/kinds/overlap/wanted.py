# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench overlap to its plan. Makes nothing."""

import itertools
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.nodes import Placed, placed
from isobath.kinds.overlap.settings import OVERLAP, OverlapSettings
from isobath.kinds.overlap.work import PROGRAM, launches_of
from isobath.kinds.progress import ASYNC_PROGRESS, MODES
from isobath.kinds.settings_of import written_settings
from isobath.launch.installation import Installation
from isobath.launch.limits import Asked, of_listing
from isobath.launch.mpi_library import MpiLibrary, libraries_of
from isobath.launch.offload_hardware import offload_hardware
from isobath.launch.placement import require
from isobath.launch.serial_program import answer_of
from isobath.machine.facts import read_machine
from isobath.overlap.folders import PLAN
from isobath.overlap.plan import OverlapArm, OverlapPlan
from isobath.records.overlap import Progress
from isobath.settings.shared import EVERY
from isobath.settings.values import no_choice
from isobath.study.planned import Planned, Planning

OFFLOADED = ("allreduce", "reduce", "bcast", "barrier")


def planned_overlap(values: Mapping[str, Any], _: Planning) -> Planned:
    """What settings amount to on this machine. Raises: UsageError, EnvironmentProblem."""
    wanted = OverlapSettings(**values)
    cpus = read_machine().usable_cpus
    usual = min(2, max(1, cpus // wanted.threads))
    places = placed(wanted, wanted.ranks, (usual,))
    for place in places:
        require(place.placement, place.ranks)
    plan, notes = plan_overlap(wanted, cpus, places)
    chosen = vars(wanted) | {"seed": plan.seed, "mpi": plan.libraries}
    if not wanted.ranks_per_node:
        chosen["ranks"] = tuple(dict.fromkeys(place.ranks for place in places))
    return Planned(
        PLAN,
        plan,
        written_settings(OVERLAP, chosen),
        launches_of(plan),
        notes=notes,
    )


def plan_overlap(
    wanted: OverlapSettings, cpus: int, places: Sequence[Placed]
) -> tuple[OverlapPlan, tuple[str, ...]]:
    """The whole plan, and sentences on hardware and what is left out.

    Args: places are numbers of ranks that compute, each with its nodes.
    Raises: UsageError, EnvironmentProblem.
    """
    modes = tuple(mode for mode in MODES if mode in wanted.progress)
    method = ("--tests", _words(wanted.tests), "--sizes", _words(wanted.sizes),
              "--repetitions", str(wanted.repetitions), "--order", str(wanted.order),
              "--trees", str(wanted.trees))  # fmt: skip
    libraries = libraries_of(Installation.here(), wanted.mpi or ("",))
    for library in libraries:
        library.program(PROGRAM)
    asked = Asked(wanted.hang_seconds, wanted.time_limit)
    names = chosen_collectives(libraries[0], wanted.collectives, asked)
    notes = list(dict.fromkeys(offload_hardware(library).sentence for library in libraries))
    notes += [
        f"library_thread is left out: {library.kind} has no progress thread"
        for library in libraries
        if "library_thread" in modes and library.family not in ASYNC_PROGRESS
    ]
    plan = OverlapPlan(
        mpi=libraries[0].id,
        threads=wanted.threads,
        seed=secrets.randbelow(1 << 31) if wanted.seed is None else wanted.seed,
        launches=wanted.launches,
        method=method,
        work=_words(wanted.work),
        ratios=_words(wanted.ratios),
        arms=arms_of(libraries, modes, names, places, wanted.aggregators, cpus // wanted.threads),
    )
    if not plan.arms:
        raise UsageError("nothing is left to measure: no way to make progress has a collective")
    return plan, tuple(notes)


def chosen_collectives(
    library: MpiLibrary, collectives: tuple[str, ...], asked: Asked
) -> tuple[str, ...]:
    """The names, ``all`` spelt out. Raises: UsageError for one that there is not."""
    there = listed(library, asked)
    for name in collectives:
        if name not in (*there, EVERY):
            raise no_choice("--collectives", name, (*there, EVERY))
    return there if EVERY in collectives else collectives


def listed(library: MpiLibrary, asked: Asked) -> tuple[str, ...]:
    """Collectives that the engine program knows.

    Raises: EnvironmentProblem where it fails, TimeoutProblem where it does not end.
    """
    done = answer_of([str(library.program(PROGRAM)), "--list"], of_listing(asked))
    if done.returncode != 0:
        raise EnvironmentProblem(f"{PROGRAM} cannot list its collectives: {done.stderr.strip()}")
    return tuple(done.stdout.split())


def _words(values: tuple[object, ...]) -> str:
    return ",".join(map(str, values))


def arms_of(
    libraries: Sequence[MpiLibrary],
    modes: tuple[Progress, ...],
    names: tuple[str, ...],
    places: Sequence[Placed],
    aggregators: int,
    room: int,
) -> tuple[OverlapArm, ...]:
    """Arms of every place under every library, each setting once.

    Args: room is the number of ranks that a machine has processors for.
    """
    arms: list[OverlapArm] = []
    for place, library in itertools.product(places, libraries):
        here = room * place.placement.machines
        for arm in _arms_in(library, modes, names, place, aggregators, here):
            if arm not in arms:
                arms.append(arm)
    return tuple(
        arm.model_copy(update={"arm": f"o{number:02}"}) for number, arm in enumerate(arms, 1)
    )


def _arms_in(
    library: MpiLibrary,
    modes: tuple[Progress, ...],
    names: tuple[str, ...],
    place: Placed,
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
    workers, least = place.ranks, place.placement.nodes

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
                arm="", modes=modes, collectives=names, ranks=ranks, mpi=library.id,
                placement=place.placement, aggregators=beside, environment=environment or {},
                is_crowded=is_crowded,
            )
        )  # fmt: skip

    plain = tuple(mode for mode in modes if mode in ("library", "tests"))
    threaded = tuple(mode for mode in modes if mode in ("thread", "spare_thread"))
    if plain:
        add(plain, names, workers)
    for count in dict.fromkeys((max(least, min(workers, room // 2)), workers)):
        crowded = 2 * count > room
        if threaded:
            add(threaded, names, count, is_crowded=crowded)
        if "library_thread" in modes and library.family in ASYNC_PROGRESS:
            switch = ASYNC_PROGRESS[library.family]
            add(("library_thread",), names, count, environment=switch, is_crowded=crowded)
    trees_can = tuple(name for name in names if name in OFFLOADED)
    if "offload" in modes and trees_can:
        fitting = max(least, min(workers, room - aggregators))
        for count in dict.fromkeys((fitting, workers)):
            is_measured = "library" in plain and count == workers
            add(("offload",) if is_measured else ("library", "offload"), trees_can, count,
                aggregators, is_crowded=count + aggregators > room)  # fmt: skip
    return tuple(arms)
