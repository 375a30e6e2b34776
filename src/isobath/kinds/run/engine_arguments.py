# SPDX-License-Identifier: Apache-2.0
"""What isobath-graph500 is told."""

from pathlib import Path

from isobath.kinds.run.settings import RunSettings
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.namespaces import Nodes
from isobath.machine.load import is_busy, load_of_others
from isobath.plan.layout import Layout
from isobath.plan.search_plans import option_of
from isobath.records.placement import HERE, Placement
from isobath.store.folders import RunPaths

PROGRAM = "isobath-graph500"


def engine_arguments(
    settings: RunSettings, layout: Layout, scale: int, *, run_id: str, folder: Path
) -> list[str]:
    """Options of the engine for a run that writes into ``folder``."""
    words = ["--scale", str(scale), "--edgefactor", str(settings.edgefactor)]
    words += ["--plan", settings.plan, "--grid", layout.grid, "--threads", str(layout.threads)]
    for name, value in settings.switches.items():
        if value is not None:
            words += [option_of(name), str(value)]
    words += _kernel_arguments(settings)
    words += ["--keys", str(settings.keys), "--warmup", str(settings.warmup)]
    words += ["--edges", settings.edges]
    for root in settings.root:
        words += ["--root", str(root)]
    if settings.edges == "file":
        words += ["--edge-folder", settings.edge_folder or str(folder)]
    if not settings.validation:
        words.append("--no-validation")
    if settings.validation_copy == "on":
        words += ["--validation-copy", "on"]
    if settings.official:
        words.append("--official")
    if settings.size_edges is not None:
        words += ["--size-edges", settings.size_edges]
    if settings.peer_records:
        words.append("--peer-records")
    if settings.legacy_no_bang:
        words.append("--legacy-no-bang")
    for name in ("alpha", "beta"):
        value = getattr(settings, name)
        if value is not None:
            words += [f"--{name}", repr(value)]
    words += ["--run-id", run_id]
    words += ["--record", str(folder / "records.jsonl")]
    words += ["--official-reference", str(folder / "official-reference.txt")]
    words += ["--official-spec", str(folder / "official-spec.txt")]
    words += ["--heartbeat", str(folder / "heartbeat.bin")]
    return words


def _kernel_arguments(settings: RunSettings) -> list[str]:
    """What is searched for, and how shortest paths are; nothing for bfs alone."""
    words = [] if settings.kernel == "bfs" else ["--kernel", settings.kernel]
    for name in ("sssp_plan", "sssp_prune", "sssp_delta"):
        value = getattr(settings, name)
        if value is not None:
            words += ["--" + name.replace("_", "-"), str(value)]
    return words


def engine_environment(settings: RunSettings, ranks: int) -> dict[str, str]:
    """Variables of the engine: what is no option of it."""
    variables = {}
    if settings.count_nodes_of is not None:
        nodes = [str(rank // settings.count_nodes_of) for rank in range(ranks)]
        variables["ISOBATH_NODE_MAP"] = ",".join(nodes)
    if settings.instruction_set is not None:
        variables["ISOBATH_INSTRUCTION_SET"] = settings.instruction_set
    return variables


def engine_line(
    mpi: MpiLibrary,
    settings: RunSettings,
    layout: Layout,
    arguments: list[str],
    placement: Placement = HERE,
    nodes: Nodes | None = None,
) -> LaunchLine:
    """What starts isobath-graph500 with these arguments.

    Args: nodes are those of the placement while they are there; without them the line of several
        nodes can only be shown.
    Raises: EnvironmentProblem where it is not built, UsageError where ranks are too few for nodes.
    """
    return launch_line(
        mpi,
        mpi.program(PROGRAM),
        arguments,
        ranks=layout.ranks,
        threads=layout.threads,
        cpus=layout.cpus // placement.machines,
        busy=layout.ranks * layout.threads > layout.cpus and is_busy(load_of_others(), layout.cpus),
        placement=placement,
        nodes=nodes,
        variables=engine_environment(settings, layout.ranks),
    )


def arguments_of(run: RunPaths, settings: RunSettings, layout: Layout, scale: int) -> list[str]:
    """The same for a run of the store."""
    return engine_arguments(settings, layout, scale, run_id=run.run_id, folder=run.path)
