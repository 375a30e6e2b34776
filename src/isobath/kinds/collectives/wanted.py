# SPDX-License-Identifier: Apache-2.0
"""What a benchmark will be: its arms and cells, each checked before the first launch."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from isobath.bench.algorithms import algorithms_of, forced_arms, is_risky
from isobath.bench.design import BenchDesign, cells_of, ranks_of
from isobath.bench.design_checks import check_algorithms, check_ranks, check_takers, check_words
from isobath.bench.folders import PLAN, BenchFolder
from isobath.bench.offload import missing, offload_arms, offloads_of
from isobath.bench.own import ByName, are_named, own_algorithms_of
from isobath.bench.plan import Arm, BenchPlan, Cell, Family, ForcedAlgorithm, StopRule
from isobath.bench.presets import PRESETS, Preset
from isobath.errors import UsageError
from isobath.kinds.collectives.imb import checked_plan
from isobath.kinds.collectives.settings import COLLECTIVES, CollectivesSettings
from isobath.kinds.collectives.work import PROGRAM, CollectivesWork, launches_of
from isobath.kinds.nodes import Placed, placed
from isobath.kinds.settings_of import written_settings
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, libraries_of
from isobath.launch.offload_hardware import offload_hardware
from isobath.launch.own_algorithms import own_algorithms
from isobath.launch.placement import require
from isobath.machine.facts import read_machine
from isobath.report.wording import count_of
from isobath.study.kind import ToDo
from isobath.study.planned import Planned, Planning

STACK_SECONDS = 0.02
"""of looking at the stacks of a cell, in the first launch"""

SPARE_MEMORY = 0.5
"""of what is free now, without --memory-limit: buffers are touched, and others live here too"""


SAME_NAMES = ("collectives", "forms", "shapes", "along", "counts", "datatypes", "operations",
              "root_ranks", "algorithms", "buffers", "cadence", "alignment", "arrival",
              "ranks")  # fmt: skip
"""Settings that a design has under the same name."""


def planned_bench(values: Mapping[str, Any], _: Planning) -> Planned:
    """What settings amount to on this machine. Raises: as ``plan_bench``."""
    settings = CollectivesSettings(**values)
    plan = plan_bench(settings)
    libraries = tuple(dict.fromkeys(arm.mpi for arm in plan.arms))
    ranks = tuple(dict.fromkeys(arm.ranks for arm in plan.arms))
    chosen = vars(settings) | {"seed": plan.seed, "mpi": libraries}
    chosen |= {} if settings.ranks_per_node else {"ranks": ranks}
    cells = count_of(sum(len(arm.cells) for arm in plan.arms), "cell")
    launches = count_of(plan.launches, "launch", "launches")
    return Planned(
        PLAN,
        plan,
        written_settings(COLLECTIVES, chosen | {"memory_limit": plan.memory_limit_bytes}),
        launches_of(plan),
        notes=(
            f"{launches} of {count_of(len(plan.arms), 'arm')} with {cells}, in random order (seed "
            f"{plan.seed}), at most {plan.stop.budget_seconds:g} s a cell and launch",
        ),
        work=lambda folder, driver: ToDo(
            CollectivesWork(BenchFolder(folder.path), driver, settings.refine)
        ),
    )


def plan_bench(settings: CollectivesSettings) -> BenchPlan:
    """The benchmark that settings amount to on this machine.

    Raises: UsageError for words that there are not, EnvironmentProblem where an MPI or its build
        is missing.
    """
    preset = PRESETS[settings.preset]()
    design = design_of(settings, preset.design).checked()
    check_words(design)
    check_takers(design, [name for name in SAME_NAMES if getattr(settings, name) is not None])
    if settings.cross_check is not None or settings.imb is not None:
        design = _design_of_cross_check(settings, design)
    machine = read_machine()
    arms: list[Arm] = []
    offload: dict[str, str] = {}
    libraries = libraries_of(Installation.here(), settings.mpi or ("",))
    places = placed(settings, design.ranks, (max(2, machine.usable_cpus),))
    for place in places:
        require(place.placement, place.ranks)
    numbers = [place.ranks for place in places]
    check_ranks(design, numbers)
    for library in libraries:
        library.program(PROGRAM)
    asks = are_named(design.algorithms)
    own = {library.id: own_algorithms(library) if asks else {} for library in libraries}
    every = {name: there for listed in own.values() for name, there in listed.items()}
    check_algorithms(design, [cast(Family, library.family) for library in libraries], every)
    for library in libraries:
        hardware = offload_hardware(library) if settings.offload else None
        for place in places:
            there = _arms(design, library, place, len(arms), own[library.id])
            if hardware is not None:
                names = offloads_of(settings.offload, hardware.components)
                there += offload_arms(there[0], names)
            arms += there
        if hardware is not None:
            absent = ", ".join(missing(settings.offload, hardware.components))
            told = f"; not present: {absent}" if absent else ""
            offload[library.id] = f"{hardware.sentence}{told}"
    if not any(arm.cells for arm in arms):
        raise UsageError("nothing is left to measure: the values given go with no collective")
    stop = _stop(settings, preset)
    _check_stop(stop.half_width, stop.least, stop.most)
    plan = BenchPlan(
        preset=preset.name,
        seed=secrets.randbelow(1 << 31) if settings.seed is None else settings.seed,
        launches=settings.launches or preset.launches,
        stop=stop,
        stack_seconds=STACK_SECONDS if settings.stacks else 0.0,
        offload=offload,
        memory_limit_bytes=settings.memory_limit or int(machine.available_bytes * SPARE_MEMORY),
        cpus=machine.usable_cpus,
        arms=tuple(arm for arm in arms if arm.cells),
    )
    return plan if settings.cross_check is None else checked_plan(plan, settings.imb)


def design_of(settings: CollectivesSettings, design: BenchDesign) -> BenchDesign:
    """The design of a preset with what was given instead of it."""
    given = {name: getattr(settings, name) for name in SAME_NAMES}
    changed = {name: value for name, value in given.items() if value is not None}
    if settings.sizes is not None:
        changed |= {"sizes": tuple(sorted(settings.sizes)), "some_sizes": {}, "buffer_totals": (),
                    "algorithm_sizes": ()}  # fmt: skip
    if settings.together is not None:
        changed["together"] = (settings.together,)
    return replace(design, **changed)


AS_IMB = {"least": 1000, "most": 1000, "budget_seconds": 2.0}
"""Repetitions of a cell that is compared with IMB."""


def _stop(settings: CollectivesSettings, preset: Preset) -> StopRule:
    """Of the preset, with what was given instead."""
    given = {
        "half_width": settings.half_width,
        "least": settings.least,
        "most": settings.most,
        "budget_seconds": settings.budget,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    own = AS_IMB if settings.cross_check is not None else {}
    if {"least", "most"} & set(changed):
        own = {}
    return preset.stop.model_copy(update={**own, **changed})


def _design_of_cross_check(settings: CollectivesSettings, design: BenchDesign) -> BenchDesign:
    """As IMB measures: started by MPI_Barrier, nothing forced, plain cells."""
    if settings.cross_check != "imb":
        raise UsageError("--imb goes with --cross-check imb, which is the only cross-check")
    if settings.algorithms is not None:
        raise UsageError("--cross-check imb measures the library's own choice; leave --algorithms")
    alignment = settings.alignment or ("barrier:library",)
    return replace(design, algorithms=(), alignment=alignment, forms=("blocking",))


def _check_stop(half_width: float, least: int, most: int) -> None:
    if not 0 < half_width < 1:
        raise UsageError(f"--half-width {half_width}: write a share, for example 0.02")
    if least < 1 or most < least:
        raise UsageError(f"--least {least} --most {most}: 1 or more, and least not above most")


def _arms(
    design: BenchDesign, library: MpiLibrary, place: Placed, before: int, own: ByName
) -> list[Arm]:
    """The arm of the library's own choice, and those of forced algorithms."""
    cells = cells_of(design, place.ranks)
    plain = Arm(
        arm=f"a{before + 1:02}",
        mpi=library.id,
        family=cast(Family, library.family),
        version=library.version,
        ranks=place.ranks,
        placement=place.placement,
        cells=cells,
    )
    forced = [
        cell.model_copy(update={"algorithm": algorithm})
        for cell in cells
        for algorithm in _algorithms(design, plain, cell, own)
    ]
    with_default = [cell for cell in forced if _goes_with_default(plain, cell)]
    others = [cell for cell in forced if not _goes_with_default(plain, cell)]
    both = plain.model_copy(update={"cells": (*cells, *with_default)})
    return [both, *forced_arms(plain, others)]


def _goes_with_default(arm: Arm, cell: Cell) -> bool:
    """Whether an algorithm can be forced in the launch of the library's own choice: it is one's
    own, or is set in the process and never crashed one.
    """
    forced = cell.algorithm
    assert forced is not None
    if forced.is_own:
        return True
    return forced.in_process and not is_risky(arm.family, cell.collective, forced.name)


def _algorithms(
    design: BenchDesign, arm: Arm, cell: Cell, own: ByName
) -> tuple[ForcedAlgorithm, ...]:
    """Those to be forced for a cell; only blocking collectives have them."""
    if not design.algorithms or cell.form != "blocking":
        return ()
    if design.algorithm_sizes and cell.size_bytes not in (0, *_near(design)):
        return ()
    # MPICH's are set cell by cell: the program reads them back, and MPICH refuses others.
    there = algorithms_of(
        arm.family,
        cell.collective,
        ranks=ranks_of(cell),
        in_process=arm.family == "hydra",
    )
    asked = set(design.algorithms)
    if "all" not in asked:
        there = tuple(choice for choice in there if {choice.name, choice.value} & asked)
    return (*there, *own_algorithms_of(cell, asked, own))


def _near(design: BenchDesign) -> tuple[int, ...]:
    return tuple(size for size in design.algorithm_sizes if size in design.sizes)
