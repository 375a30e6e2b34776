# SPDX-License-Identifier: Apache-2.0
"""What a run needs and takes, before it is started: memory and time by scale."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from isobath.errors import ExitCode, IsobathError, RefusedError, UsageError
from isobath.kinds.run.calibration import calibrate
from isobath.kinds.run.settings import RunSettings
from isobath.launch.installation import Installation
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.launch.mpi_library import choose_library
from isobath.machine.facts import Machine, read_machine
from isobath.plan.choice import largest_that_fits, require_fit
from isobath.plan.duration import Calibration
from isobath.plan.estimator import Estimator
from isobath.plan.graph_facts import LARGEST_SCALE
from isobath.plan.layout import Layout, choose_layout
from isobath.plan.memory import fits
from isobath.plan.search_plans import (
    HYBRID,
    KERNELS,
    PATH_PLANS,
    PLANS,
    check_grid,
    default_grid,
    usual_path_plan,
)
from isobath.settings.values import parse_bytes
from isobath.units import Bytes, format_bytes

MOST_BYTES = 1e18
TIMED_RANKS = 16
"""for each processor, at the most: more take minutes to start, and their times are no machine's"""

SCALES = 12
"""as many are told, up to the first that does not fit"""


@dataclass(frozen=True)
class NeedsWanted:
    """The run that is asked about; named as the options of isobath plan."""

    scale: int | None = None
    ranks: int | None = None
    threads: int | None = None
    grid: str | None = None
    search_plan: str = HYBRID
    kernel: str = "bfs"
    sssp_plan: str | None = None
    nodes: int = 1
    memory: str | None = None
    edges: str = "memory"
    edgefactor: int = 16
    keys: int = 64
    validation: bool = True
    validation_copy: str | None = None
    official: bool = False
    mpi: str | None = None


@dataclass(frozen=True)
class Needs:
    """What it needs and takes."""

    wanted: NeedsWanted
    layout: Layout
    available: Bytes
    rows: list[dict[str, Any]]
    """by scale"""
    largest: int | None
    """scale that fits"""
    time_note: str
    """why no times are told, or what is wrong with them; empty where nothing is"""
    estimator: Estimator

    @property
    def facts(self) -> dict[str, Any]:
        """As isobath plan prints them as JSON."""
        facts: dict[str, Any] = {
            "ranks": self.layout.ranks,
            "threads_per_rank": self.layout.threads,
            "grid": self.layout.grid,
            "available_bytes": self.available,
            "scales": self.rows,
        }
        if self.largest is not None:
            facts["largest_scale_that_fits"] = self.largest
        return facts

    def require_fit(self) -> None:
        """Raises: RefusedError where the scale that was asked about does not fit, or none does."""
        if self.wanted.scale:
            estimator = self.estimator
            require_fit(self.wanted.scale, estimator.memory_at, self.available, estimator.numbers)
        elif self.largest is None:
            raise RefusedError(f"no scale fits {format_bytes(self.available)}; free some memory")


def needs_of(
    wanted: NeedsWanted, say: Callable[[str], None], asked: Asked = NOTHING_ASKED
) -> Needs:
    """Times are told of one machine, which is measured once.

    Args: say takes a line where this machine is measured first; asked limits that.
    Raises: UsageError for what cannot be asked; TimeoutProblem.
    """
    _check(wanted)
    machine = read_machine()
    layout = _layout(
        machine, wanted.search_plan, wanted.nodes, wanted.ranks, wanted.threads, wanted.grid
    )
    memory = memory_of(wanted.memory) if wanted.memory else machine.available_bytes
    available = wanted.nodes * memory
    estimator = Estimator(
        layout,
        wanted.edges,
        wanted.edgefactor,
        wanted.validation,
        wanted.keys,
        construction_check=wanted.official,
        plan=wanted.search_plan,
        validation_copy=wanted.validation_copy,
        available_bytes=available,
        kernel=wanted.kernel,
        sssp_plan=wanted.sssp_plan or usual_path_plan(official=wanted.official),
    )
    calibration, why_not = _calibration(
        machine, layout, wanted.search_plan, wanted.kernel, wanted.mpi, wanted.nodes, asked, say
    )
    best = largest_that_fits(estimator.memory_at, available, estimator.numbers)
    last = min((best or 1) + 1, LARGEST_SCALE)
    scales = [wanted.scale] if wanted.scale else range(max(1, last + 1 - SCALES), last + 1)
    rows = [_row(estimator, calibration, candidate, available) for candidate in scales]
    note = f"no times: {why_not}" if why_not else ""
    if not note and calibration and calibration.busy:
        note = f"times: {calibration.warning()}"
    return Needs(wanted, layout, available, rows, best, note, estimator)


def _check(wanted: NeedsWanted) -> None:
    """Raises: UsageError for words that mean nothing, or nothing for this kernel."""
    if wanted.edges not in ("memory", "file", "regenerate"):
        raise UsageError(f"--edges {wanted.edges}: choose one of memory, file, regenerate")
    if wanted.search_plan not in PLANS:
        raise UsageError(f"--plan {wanted.search_plan}: choose one of {', '.join(PLANS)}")
    if wanted.kernel not in KERNELS:
        raise UsageError(f"--kernel {wanted.kernel}: choose one of {', '.join(KERNELS)}")
    if wanted.sssp_plan is not None and wanted.sssp_plan not in PATH_PLANS:
        raise UsageError(f"--sssp-plan {wanted.sssp_plan}: choose one of {', '.join(PATH_PLANS)}")
    if wanted.sssp_plan is not None and wanted.kernel == "bfs":
        raise UsageError("--sssp-plan is for shortest paths; add --kernel sssp or both")
    if wanted.validation_copy not in (None, "on", "off"):
        raise UsageError(f"--validation-copy {wanted.validation_copy}: choose one of on, off")
    if wanted.grid:
        check_grid(wanted.search_plan, wanted.grid)


def memory_of(text: str) -> int:
    """Bytes of --memory, written as everywhere. Raises: UsageError."""
    size = parse_bytes("--memory", text)
    if not 0 < size < MOST_BYTES:
        raise UsageError(f"--memory {text} is no machine's memory; write for example 64G or 64GB")
    return size


def _layout(
    machine: Machine,
    search_plan: str,
    nodes: int,
    ranks: int | None,
    threads: int | None,
    grid: str | None,
) -> Layout:
    """Of one machine, or of several like it: its ranks times their number."""
    usual_shape = partial(default_grid, search_plan)
    if nodes == 1:
        return choose_layout(
            machine, ranks=ranks, threads=threads, grid=grid, usual_shape=usual_shape
        )
    alone = choose_layout(machine)
    ranks = ranks or alone.ranks * nodes
    cpus = machine.usable_cpus * nodes
    threads = threads or max(1, cpus // ranks)
    if grid:
        shape = choose_layout(machine, ranks=ranks, threads=threads, grid=grid)
        return Layout(ranks, threads, shape.rows, shape.cols, cpus)
    return Layout(ranks, threads, *usual_shape(ranks), cpus)


def _calibration(
    machine: Machine,
    layout: Layout,
    search_plan: str,
    kernel: str,
    mpi: str | None,
    nodes: int,
    asked: Asked,
    say: Callable[[str], None],
) -> tuple[Calibration | None, str]:
    """The calibration of this layout, or why there is none."""
    if nodes > 1:
        return None, "a run over several machines cannot be timed on one"
    if kernel != "bfs":
        return None, "they are known of breadth-first search alone"
    if layout.ranks > TIMED_RANKS * layout.cpus:
        return None, (
            f"{layout.ranks:,} ranks on {layout.cpus} processors are not tried; "
            "say how many machines there are (--nodes)"
        )
    installation = Installation.here()
    try:
        library = choose_library(installation, mpi)
        settings = RunSettings(
            plan=search_plan, hang_seconds=asked.hang_seconds, time_limit=asked.time_limit
        )
        return calibrate(installation, machine, library, layout, say, settings), ""
    except IsobathError as error:
        if error.exit_code == ExitCode.TIMEOUT:
            raise
        return None, str(error)


def _row(
    estimator: Estimator, calibration: Calibration | None, scale: int, available: int
) -> dict[str, Any]:
    estimate = estimator.memory_at(scale)
    row: dict[str, Any] = {
        "scale": scale,
        "vertices": estimate.facts.num_vertices,
        "edges": estimate.facts.num_edges,
        "peak_bytes": estimate.peak_bytes,
        "peak_moment": estimate.moment,
        "fits": estimator.numbers.can_number(scale) and fits(estimate, available),
    }
    if estimate.edge_file_bytes:
        row["edge_file_bytes"] = estimate.edge_file_bytes
    if calibration:
        duration = estimator.duration_at(scale, calibration)
        row["seconds"] = round(duration.total, 3)
        row["construction_seconds"] = round(duration.construction, 4)
        row["search_seconds"] = round(duration.search, 6)
    return row
