# SPDX-License-Identifier: Apache-2.0
"""Searches of a file from their launch to their sealed folder and their answers."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from isobath.errors import ExitCode
from isobath.graphs.answers import Answers
from isobath.graphs.design import GraphFile, SearchDesign
from isobath.interchange import parquet
from isobath.launch.engine_run import Files, Progress, run_engine
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked, of_search
from isobath.launch.memory_limits import limits_for_environment
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.namespaces import Nodes
from isobath.launch.placement import opened, require
from isobath.machine.environment import read_environment
from isobath.machine.facts import Machine, read_machine
from isobath.machine.load import is_busy, load_of_others
from isobath.plan.layout import Layout, choose_layout
from isobath.plan.search_plans import check_grid, default_grid
from isobath.records.placement import HERE, Placement
from isobath.store.folders import OpenRun, RunPaths
from isobath.store.run_summary import Setting
from isobath.study.ids import make_id
from isobath.study.sealing import LIBRARY, EndedRun, Origin, end_run

PROGRAM = "isobath-search"


@dataclass(frozen=True)
class FinishedSearch(EndedRun):
    """Sealed searches and what is to be said of them."""

    roots: tuple[int, ...]
    """of completed searches, as the file numbers them; with two kernels each of them twice"""
    answers: Answers | None
    """None where they were not asked for or the searches did not complete well"""


@dataclass(frozen=True)
class PlannedSearch:
    """What is chosen before a search is started."""

    design: SearchDesign
    machine: Machine
    layout: Layout
    mpi: MpiLibrary

    def line(
        self,
        graph: GraphFile,
        run: RunPaths,
        more: Sequence[str] = (),
        nodes: Nodes | None = None,
    ) -> LaunchLine:
        """What starts it. Args: graph is what the engine reads; more are words for answers."""
        words = [*_arguments(self.design, graph, self.layout, run), *more]
        return line_of(self.mpi, words, self.layout, self.design.placement, nodes)


def prepare_search(design: SearchDesign) -> PlannedSearch:
    """Raises: UsageError, EnvironmentProblem where it cannot be started here."""
    if design.grid:
        check_grid(design.plan, design.grid)
    machine = read_machine()
    layout = choose_layout(
        machine,
        ranks=design.ranks,
        threads=design.threads,
        grid=design.grid,
        usual_shape=partial(default_grid, design.plan),
        machines=design.placement.machines,
    )
    require(design.placement, layout.ranks)
    mpi = choose_library(Installation.here(), design.mpi)
    mpi.program(PROGRAM)
    return PlannedSearch(design, machine, layout, mpi)


def search(
    design: SearchDesign,
    store: Path,
    stop: Stop,
    *,
    command: tuple[str, ...] = LIBRARY,
    wants_answers: bool = True,
    watch: Callable[[Progress], None] = lambda _: None,
    asked: Asked = NOTHING_ASKED,
    settings: Mapping[str, Setting] | None = None,
) -> FinishedSearch:
    """Launches, watches and seals. What goes wrong is sealed too, with its reason.

    Args: command is what the person typed; without, a program asked; settings make the search
        again, and are kept with it.
    Raises: UsageError, EnvironmentProblem where nothing could be started.
    """
    started = datetime.now(UTC)
    prepared = prepare_search(design)
    layout, mpi = prepared.layout, prepared.mpi
    with (
        engine_readable(design.graph) as graph,
        tempfile.TemporaryDirectory(prefix="isobath-answers-") as name,
        opened(design.placement) as nodes,
    ):
        run = OpenRun(store, make_id("search"))  # a file that is refused leaves no folder
        parents, ids, distances = (
            Path(name) / file_name for file_name in ("parents", "ids", "distances")
        )
        words: list[str] = []
        if wants_answers:
            words += ["--parents", str(parents), "--ids", str(ids)]
            if design.kernel != "bfs":
                words += ["--distances", str(distances)]
        line = prepared.line(graph, run, words, nodes)
        size = graph.path.stat().st_size
        outcome = run_engine(
            line,
            Files(
                records=run.records, stdout=run.stdout, stderr=run.stderr, heartbeat=run.heartbeat
            ),
            ranks=layout.ranks,
            run_id=run.run_id,
            limits=of_search(asked, size),
            watch=watch,
            interrupts=stop,
        )
        environment = read_environment(prepared.machine)
        environment |= limits_for_environment(Installation.here().state_folder, prepared.machine)
        kept = dict(settings or {})
        kept |= {"mpi": Setting(value=mpi.id, origin="chosen")} if kept else {}
        origin = Origin(mpi.facts(), command, settings=kept)
        ended = end_run(run, line, outcome, origin, started=started, environment=environment)
        roots = tuple(
            int(row.split()[0]) for row in ended.folder.text("stdout.txt").splitlines()[1:]
        )
        finished = FinishedSearch(**vars(ended), roots=roots, answers=None)
        if not wants_answers or finished.exit_code != ExitCode.DONE:
            return finished
        answers = Answers.read(finished.roots, parents, ids, distances)
        return replace(finished, answers=answers)


def line_of(
    mpi: MpiLibrary,
    words: list[str],
    layout: Layout,
    placement: Placement = HERE,
    nodes: Nodes | None = None,
) -> LaunchLine:
    """What starts isobath-search with these words."""
    crowded = layout.ranks * layout.threads > layout.cpus
    return launch_line(
        mpi,
        mpi.program(PROGRAM),
        words,
        ranks=layout.ranks,
        threads=layout.threads,
        cpus=layout.cpus // placement.machines,
        busy=crowded and is_busy(load_of_others(), layout.cpus),
        placement=placement,
        nodes=nodes,
    )


@contextlib.contextmanager
def engine_readable(graph: GraphFile) -> Iterator[GraphFile]:
    """The file itself; of a Parquet file its edges as raw ones, as long as the block lasts."""
    if graph.format != "parquet":
        yield graph
        return
    with tempfile.TemporaryDirectory(prefix="isobath-parquet-") as name:
        edges, weights = parquet.as_raw(graph.path, Path(name))
        yield replace(graph, path=edges, format="raw", weights=weights)


def _arguments(design: SearchDesign, graph: GraphFile, layout: Layout, run: RunPaths) -> list[str]:
    words = [*graph.arguments(), "--name", str(design.graph.path)]
    for root in design.roots:
        words += ["--root", str(root)]
    words += ["--keys", str(design.keys), "--seed", str(design.seed)]
    words += ["--kernel", design.kernel, "--plan", design.plan]
    if design.sssp_plan is not None:
        words += ["--sssp-plan", design.sssp_plan]
    if design.sssp_delta is not None:
        words += ["--sssp-delta", repr(design.sssp_delta)]
    words += ["--grid", layout.grid, "--threads", str(layout.threads)]
    words += ["--warmup", str(design.warmup)]
    if not design.validation:
        words.append("--no-validation")
    words += ["--run-id", run.run_id, "--record", str(run.records.absolute())]
    return [*words, "--heartbeat", str(run.heartbeat.absolute())]
