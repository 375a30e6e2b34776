# SPDX-License-Identifier: Apache-2.0
"""What a run will be: every choice made, and every reason to refuse found, before it starts."""

import itertools
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from isobath.errors import EnvironmentProblem, RefusedError, UsageError
from isobath.kinds.nodes import machines_of, placement_of, ranks_of
from isobath.kinds.run.calibration import calibrate, kept_calibration
from isobath.kinds.run.engine_arguments import PROGRAM
from isobath.kinds.run.settings import DEFAULT, RunSettings
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.limits import Limits, of_run
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.placement import require
from isobath.machine.facts import Machine, read_machine
from isobath.plan.choice import (
    SMALLEST_SCALE,
    Choice,
    choose_scale,
    largest_that_fits,
    require_fit,
)
from isobath.plan.duration import Calibration, Duration
from isobath.plan.estimator import Estimator
from isobath.plan.layout import Layout, choose_layout
from isobath.plan.memory import MemoryEstimate
from isobath.plan.search_plans import (
    HYBRID,
    check_grid,
    check_switches,
    default_grid,
    usual_path_plan,
)
from isobath.records.placement import Placement
from isobath.units import Bytes, format_bytes

SMALLEST_OFFICIAL_SCALE = 16

PLAINEST_NOTE = (
    "then the same keys in the plainest reading, with a construction of its own: "
    "that time comes on top"
)


@dataclass(frozen=True)
class PlannedRun:
    """All that is decided before a run."""

    settings: RunSettings
    origins: dict[str, str]
    machine: Machine
    mpi: MpiLibrary
    layout: Layout
    placement: Placement
    scale: int
    memory: MemoryEstimate
    duration: Duration | None
    """not known where nothing may be started to measure it"""
    limits: Limits
    store: Path
    """where its folder will be"""
    notes: tuple[str, ...]
    """what was chosen, and why; one sentence each"""

    @property
    def searches(self) -> int:
        """Timed searches that are asked for."""
        return len(self.settings.root) or self.settings.keys


def prepare_run(
    settings: RunSettings,
    origins: dict[str, str],
    say: Callable[[str], None],
    *,
    store: Path,
    calibration: Calibration | None = None,
    stop: Stop | None = None,
    is_dry: bool = False,
) -> PlannedRun:
    """Chooses what was left open and refuses what cannot be.

    Args: store is the folder that its own will lie in; calibration is what times are estimated by;
        without, a short run of the same kind; stop is who may ask for its end; without, signals;
        is_dry starts no such run: times are those of a kept calibration, or not known.

    Raises: UsageError, EnvironmentProblem, RefusedError.
    """
    check_official_settings(settings)
    check_plainest(settings)
    check_roots(settings, settings.scale)
    check_size_edges(settings)
    check_edge_folder(settings)
    check_switches(settings.plan, settings.switches)
    if settings.grid:
        check_grid(settings.plan, settings.grid)
    installation = Installation.here()
    mpi = chosen_build(choose_library(installation, settings.mpi), settings.engine_build)
    mpi.program(PROGRAM)
    machine = read_machine()
    layout = choose_layout(
        machine,
        ranks=ranks_of(settings),
        threads=settings.threads,
        grid=settings.grid,
        usual_shape=partial(default_grid, settings.plan),
        machines=machines_of(settings),
    )
    placement = placement_of(settings, layout.ranks)
    require(placement, layout.ranks)
    check_official_layout(settings, layout)
    available = machine.available_bytes * placement.machines
    estimator = Estimator(
        layout=layout,
        edges=settings.edges,
        edgefactor=settings.edgefactor,
        validation=settings.validation,
        searches=len(settings.root) or settings.keys,
        construction_check=settings.official,
        plan=settings.plan,
        kernel=settings.kernel,
        validation_copy=settings.validation_copy,
        available_bytes=available,
        sssp_plan=settings.sssp_plan or usual_path_plan(official=settings.official),
    )
    if settings.scale is not None:
        require_fit(
            settings.scale,
            estimator.memory_at,
            available,
            estimator.numbers,
            force=settings.force,
        )
    if calibration is None and is_dry:
        calibration = kept_calibration(installation, machine, mpi, layout, settings)
    elif calibration is None:
        calibration = calibrate(installation, machine, mpi, layout, say, settings, stop)
    choice = _scale(settings, origins, estimator, calibration, available)
    check_roots(settings, choice.scale)
    duration = estimator.duration_at(choice.scale, calibration) if calibration else None
    memory = estimator.memory_at(choice.scale)
    limits = of_run(settings.asked_limits, duration.total if duration else 0.0)
    check_disk(settings, memory, store)
    chosen = replace(
        settings,
        scale=choice.scale,
        ranks=layout.ranks,
        threads=layout.threads,
        grid=layout.grid,
        mpi=mpi.id,
        validation_copy="on" if memory.copies_list else "off",
        hang_seconds=limits.hang_seconds,
        nodes=placement.nodes if settings.nodes or settings.ranks_per_node else None,
        transport=placement.transport,
    )
    by_us = [name for name in origins if getattr(settings, name) != getattr(chosen, name)]
    return PlannedRun(
        settings=chosen,
        origins=origins | {name: "chosen" for name in by_us if origins[name] == DEFAULT},
        machine=machine,
        mpi=mpi,
        layout=layout,
        placement=placement,
        scale=choice.scale,
        memory=memory,
        duration=duration,
        limits=limits,
        store=store,
        notes=(
            f"MPI {mpi.id} {mpi.version}".rstrip(),
            *([f"plan {settings.plan}"] if settings.plan != HYBRID else []),
            layout.describe(),
            *layout.reasons,
            *([placement.words()] if placement.words() else []),
            f"scale {choice.scale}, {choice.reason}",
            *([calibration.warning()] if calibration and calibration.warning() else []),
            *([PLAINEST_NOTE] if settings.plainest else []),
        ),
    )


def _scale(
    settings: RunSettings,
    origins: dict[str, str],
    estimator: Estimator,
    calibration: Calibration | None,
    available_bytes: Bytes,
) -> Choice:
    if settings.scale is not None:
        return Choice(settings.scale, f"as asked ({origins['scale']})")
    if calibration is None:
        largest = largest_that_fits(estimator.memory_at, available_bytes, estimator.numbers)
        return Choice(
            largest or SMALLEST_SCALE,
            "the largest that fits the memory; how long it takes is not known before a "
            "calibration, which a dry run does not start: a run takes the largest that ends in "
            "about a minute",
        )
    choice = choose_scale(
        estimator.memory_at,
        lambda scale: estimator.duration_at(scale, calibration).total,
        available_bytes,
        estimator.numbers,
    )
    if settings.official and choice.scale < SMALLEST_OFFICIAL_SCALE:
        least = SMALLEST_OFFICIAL_SCALE
        require_fit(
            least, estimator.memory_at, available_bytes, estimator.numbers, force=settings.force
        )
        return Choice(least, "the least for an official run")
    return choice


def chosen_build(mpi: MpiLibrary, folder: str | None) -> MpiLibrary:
    """The library with the engine programs of another build, where one is named.

    Raises: EnvironmentProblem where that folder has none.
    """
    if folder is None:
        return mpi
    build = Path(folder).expanduser()
    if not (build / "bin" / PROGRAM).is_file():
        raise EnvironmentProblem(
            f"--engine-build {folder}: there is no {Path('bin') / PROGRAM} in it; name the folder "
            "of a build of the engine"
        )
    return replace(mpi, build_dir=build.absolute())


def check_roots(settings: RunSettings, scale: int | None) -> None:
    """Roots are vertices of the graph. Raises: UsageError naming the first that is none."""
    for root in settings.root:
        if scale is not None and root >= 1 << scale:
            raise UsageError(
                f"--root {root} is no vertex of scale {scale}: those are 0 to {(1 << scale) - 1}; "
                "name another, or a larger --scale"
            )


def check_size_edges(settings: RunSettings) -> None:
    """Bytes at which buckets begin. Raises: UsageError where they do not ascend from 1 on."""
    if settings.size_edges is None:
        return
    words = settings.size_edges.split(",")
    edges = [int(word) if word.strip().isdecimal() else 0 for word in words]
    if any(later <= before for before, later in itertools.pairwise([0, *edges])):
        raise UsageError(
            f"--size-edges {settings.size_edges}: write whole numbers of bytes from 1 on, each "
            "larger than the one before, for example 8,512,65536"
        )


def check_edge_folder(settings: RunSettings) -> None:
    """Edge files need a folder that is there. Raises: EnvironmentProblem."""
    if settings.edges != "file" or not settings.edge_folder:
        return
    folder = Path(settings.edge_folder)
    if not folder.is_dir():
        problem = "is no folder" if folder.exists() else "does not exist"
    elif not os.access(folder, os.W_OK | os.X_OK):
        problem = "cannot be written"
    else:
        return
    raise EnvironmentProblem(f"the edge folder {folder} {problem}; name another with --edge-folder")


def check_official_settings(settings: RunSettings) -> None:
    """The rules of an official run that need no machine. Raises: UsageError naming the first."""
    if not settings.official:
        return
    broken = None
    if settings.edgefactor != 16:
        broken = f"edgefactor 16 (not {settings.edgefactor})"
    elif settings.keys != 64:
        broken = f"64 search keys (not {settings.keys})"
    elif settings.root:
        broken = "sampled search keys (leave --root out)"
    elif not settings.validation:
        broken = "every search validated (leave --no-validation out)"
    elif settings.scale is not None and settings.scale < SMALLEST_OFFICIAL_SCALE:
        broken = f"scale {SMALLEST_OFFICIAL_SCALE} or more (not {settings.scale})"
    if broken:
        raise UsageError(f"an official run takes {broken}; change that or leave --official out")


def check_plainest(settings: RunSettings) -> None:
    """Whether there is a plainer reading of what is asked for. Raises: UsageError."""
    if not settings.plainest:
        return
    if not settings.official:
        raise UsageError(
            "--plainest is the second figure of an official run; add --official or leave it out"
        )
    if settings.plan != HYBRID:
        raise UsageError(
            f"--plainest: the plan {settings.plan} relabels nothing and leaves no leaves out, so "
            "its figure is that of the plainest reading; leave --plainest out"
        )
    if settings.kernel == "sssp":
        raise UsageError(
            "--plainest is of breadth-first searches; take --kernel bfs or both, or leave it out"
        )


def check_official_layout(settings: RunSettings, layout: Layout) -> None:
    """The rule that needs the machine. Raises: UsageError."""
    if settings.official and layout.oversubscribed:
        raise UsageError(
            f"an official run is not oversubscribed, and this one is: {layout.describe()}; "
            "take fewer ranks or threads, or leave --official out"
        )


def check_disk(settings: RunSettings, memory: MemoryEstimate, store: Path) -> None:
    """Edges in a file need room. Raises: RefusedError."""
    if settings.edges != "file" or settings.force:
        return
    folder = Path(settings.edge_folder) if settings.edge_folder else store
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if memory.edge_file_bytes > free:
        raise RefusedError(
            f"the edges take {format_bytes(memory.edge_file_bytes)} in a file and {folder} has "
            f"{format_bytes(free)} free; name another folder with --edge-folder, or take "
            "--edges regenerate"
        )
