# SPDX-License-Identifier: Apache-2.0
"""What a benchmark will be: its arms and cells, each checked before the first launch."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from isobath.bench.algorithms import algorithms_of, forced_arms, is_risky
from isobath.bench.design import Wish, cells_of, parse_bytes, parse_sizes, ranks_of
from isobath.bench.offload import SWITCHES, missing, offload_arms, offloads_of
from isobath.bench.presets import DEFAULT, PRESETS, Preset
from isobath.bench.spec import Arm, BenchSpec, Cell, Family, ForcedAlgorithm, StopRule
from isobath.bench.wish_checks import check_algorithms, check_ranks, check_takers, check_words
from isobath.errors import UsageError
from isobath.kinds.collectives.imb import checked_spec
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, libraries_of
from isobath.launch.offload_hardware import offload_hardware
from isobath.machine.facts import Machine, read_machine

PROGRAM = "isobath-collectives"

STACK_SECONDS = 0.02
"""of looking at the stacks of a cell, in the first launch"""

SPARE_MEMORY = 0.5
"""of what is free now, without --memory-limit: buffers are touched, and others live here too"""


@dataclass(frozen=True)
class Request:
    """The options as they were given; absent ones leave the preset's."""

    preset: str | None = None
    collectives: tuple[str, ...] | None = None
    forms: tuple[str, ...] | None = None
    sizes: str | None = None
    ranks: tuple[int, ...] | None = None
    shapes: tuple[str, ...] | None = None
    along: tuple[str, ...] | None = None
    together: bool | None = None
    counts: tuple[str, ...] | None = None
    datatypes: tuple[str, ...] | None = None
    operations: tuple[str, ...] | None = None
    root_ranks: tuple[int, ...] | None = None
    algorithms: tuple[str, ...] | None = None
    mpi: tuple[str, ...] | None = None
    buffers: tuple[str, ...] | None = None
    cadence: tuple[str, ...] | None = None
    alignment: tuple[str, ...] | None = None
    arrival: tuple[str, ...] | None = None
    launches: int | None = None
    seed: int | None = None
    half_width: float | None = None
    least: int | None = None
    most: int | None = None
    budget: float | None = None
    memory_limit: str | None = None
    stacks: bool | None = None
    offload: tuple[str, ...] | None = None
    cross_check: str | None = None
    imb: str | None = None


SAME_NAMES = ("collectives", "forms", "shapes", "along", "counts", "datatypes", "operations",
              "root_ranks", "algorithms", "buffers", "cadence", "alignment", "arrival",
              "ranks")  # fmt: skip
"""Fields of a request that a wish has under the same name."""


def plan_bench(request: Request, variables: Mapping[str, str]) -> BenchSpec:
    """The benchmark that a request amounts to on this machine.

    Args: variables of the environment; ISOBATH_MPI names the library where no option does.
    Raises: UsageError for words that there are not, EnvironmentProblem where an MPI or its build
        is missing.
    """
    preset = _preset(request)
    _check_offload(request)
    wish = wish_of(request, preset.wish).checked()
    check_words(wish)
    check_takers(wish, [name for name in SAME_NAMES if getattr(request, name) is not None])
    if request.cross_check is not None or request.imb is not None:
        wish = _wish_of_cross_check(request, wish)
    machine = read_machine()
    arms: list[Arm] = []
    offload: dict[str, str] = {}
    words = request.mpi or (variables.get("ISOBATH_MPI", ""),)
    libraries = libraries_of(Installation.here(), words)
    numbers = wish.ranks or (max(2, machine.usable_cpus),)
    check_ranks(wish, numbers)
    check_algorithms(wish, [cast(Family, library.family) for library in libraries])
    for library in libraries:
        library.program(PROGRAM)
        hardware = offload_hardware(library) if request.offload else None
        for ranks in numbers:
            own = _arms(wish, library, ranks, len(arms))
            if hardware is not None:
                names = offloads_of(request.offload or (), hardware.components)
                own += offload_arms(own[0], names)
            arms += own
        if hardware is not None:
            absent = ", ".join(missing(request.offload or (), hardware.components))
            told = f"; not present: {absent}" if absent else ""
            offload[library.id] = f"{hardware.sentence}{told}"
    if not any(arm.cells for arm in arms):
        raise UsageError("nothing is left to measure: the values given go with no collective")
    stop = _stop(request, preset)
    _check_stop(stop.half_width, stop.least, stop.most, stop.budget_seconds)
    spec = BenchSpec(
        preset=preset.name,
        seed=secrets.randbelow(1 << 31) if request.seed is None else request.seed,
        launches=_launches(preset.launches if request.launches is None else request.launches),
        stop=stop,
        stack_seconds=0.0 if request.stacks is False else STACK_SECONDS,
        offload=offload,
        memory_limit_bytes=_memory(request, machine),
        cpus=machine.usable_cpus,
        arms=tuple(arm for arm in arms if arm.cells),
    )
    return spec if request.cross_check is None else checked_spec(spec, request.imb)


def wish_of(request: Request, wish: Wish) -> Wish:
    """The wish of a preset with what was given instead of it."""
    given = {name: getattr(request, name) for name in SAME_NAMES}
    changed = {name: value for name, value in given.items() if value is not None}
    if request.sizes is not None:
        changed |= {"sizes": parse_sizes(request.sizes), "some_sizes": {}, "buffer_totals": (),
                    "algorithm_sizes": ()}  # fmt: skip
    if request.together is not None:
        changed["together"] = (request.together,)
    return replace(wish, **changed)


AS_IMB = {"least": 1000, "most": 1000, "budget_seconds": 2.0}
"""Repetitions of a cell that is compared with IMB."""


def _stop(request: Request, preset: Preset) -> StopRule:
    """Of the preset, with what was given instead."""
    given = {
        "half_width": request.half_width,
        "least": request.least,
        "most": request.most,
        "budget_seconds": request.budget,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    own = AS_IMB if request.cross_check is not None else {}
    if {"least", "most"} & set(changed):
        own = {}
    return preset.stop.model_copy(update={**own, **changed})


def _check_offload(request: Request) -> None:
    for name in request.offload or ():
        if name not in (*SWITCHES, "all"):
            raise UsageError(f"--offload {name} is not known; there are {', '.join(SWITCHES)}, all")


def _wish_of_cross_check(request: Request, wish: Wish) -> Wish:
    """As IMB measures: started by MPI_Barrier, nothing forced, plain cells."""
    if request.cross_check != "imb":
        raise UsageError("--imb goes with --cross-check imb, which is the only cross-check")
    if request.algorithms is not None:
        raise UsageError("--cross-check imb measures the library's own choice; leave --algorithms")
    alignment = request.alignment or ("barrier:library",)
    return replace(wish, algorithms=(), alignment=alignment, forms=("blocking",))


def _preset(request: Request) -> Preset:
    name = request.preset or DEFAULT
    if name not in PRESETS:
        raise UsageError(f"there is no preset {name}; there are {', '.join(PRESETS)}")
    return PRESETS[name]()


def _launches(number: int) -> int:
    if number < 1:
        raise UsageError(f"--launches {number}: the least is 1, and 3 where others shall believe")
    return number


def _check_stop(half_width: float, least: int, most: int, budget: float) -> None:
    if not 0 < half_width < 1:
        raise UsageError(f"--half-width {half_width}: write a share, for example 0.02")
    if least < 1 or most < least:
        raise UsageError(f"--least {least} --most {most}: 1 or more, and least not above most")
    if budget <= 0:
        raise UsageError(f"--budget {budget}: write seconds, for example 0.5")


def _memory(request: Request, machine: Machine) -> int:
    if request.memory_limit is not None:
        return parse_bytes(request.memory_limit)
    return int(machine.available_bytes * SPARE_MEMORY)


def _arms(wish: Wish, library: MpiLibrary, ranks: int, before: int) -> list[Arm]:
    """The arm of the library's own choice, and those of forced algorithms."""
    if ranks < 1:
        raise UsageError(f"--ranks {ranks}: the least is 1")
    cells = cells_of(wish, ranks)
    plain = Arm(
        arm=f"a{before + 1:02}",
        mpi=library.id,
        family=cast(Family, library.family),
        version=library.version,
        ranks=ranks,
        cells=cells,
    )
    forced = [
        cell.model_copy(update={"algorithm": algorithm})
        for cell in cells
        for algorithm in _algorithms(wish, plain, cell)
    ]
    with_default = [one for one in forced if _goes_with_default(plain, one)]
    others = [one for one in forced if not _goes_with_default(plain, one)]
    both = plain.model_copy(update={"cells": (*cells, *with_default)})
    return [both, *forced_arms(plain, others)]


def _goes_with_default(arm: Arm, cell: Cell) -> bool:
    """Whether an algorithm can be forced in the launch of the library's own choice: it is set in
    the process, and never crashed one.
    """
    forced = cell.algorithm
    assert forced is not None
    return forced.in_process and not is_risky(arm.family, cell.collective, forced.name)


def _algorithms(wish: Wish, arm: Arm, cell: Cell) -> tuple[ForcedAlgorithm, ...]:
    """Those to be forced for a cell; only blocking collectives have them."""
    if not wish.algorithms or cell.form != "blocking":
        return ()
    if wish.algorithm_sizes and cell.size_bytes not in (0, *_near(wish)):
        return ()
    # MPICH's are set cell by cell: the program reads them back, and MPICH refuses others.
    there = algorithms_of(
        arm.family,
        cell.collective,
        ranks=ranks_of(cell),
        in_process=arm.family == "hydra",
    )
    if "all" in wish.algorithms:
        return there
    asked = set(wish.algorithms)
    return tuple(one for one in there if {one.name, one.value} & asked)


def _near(wish: Wish) -> tuple[int, ...]:
    return tuple(size for size in wish.algorithm_sizes if size in wish.sizes)
