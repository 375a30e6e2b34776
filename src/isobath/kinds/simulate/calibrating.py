# SPDX-License-Identifier: Apache-2.0
"""A network's calibration: measured by the skeleton, fitted, and simulated again."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from isobath.costmodel.grid import Grid
from isobath.errors import (
    EnvironmentProblem,
    ExitCode,
    InternalError,
    IsobathError,
    RefusedError,
    TimeoutProblem,
    UsageError,
)
from isobath.files import replace_file
from isobath.kinds.simulate.files import simulation_in, write, write_files
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked, of_profiled_program, of_silent_program
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.placement import opened, placed_by, require
from isobath.launch.plain_run import PlainFiles, PlainOutcome, run_plainly
from isobath.launch.simgrid import SimGrid, find_simgrid, simulate
from isobath.machine.facts import read_machine
from isobath.machine.load import is_busy, load_of_others
from isobath.prediction.calls import Layout
from isobath.records.codec import decode
from isobath.records.placement import HERE, Placement
from isobath.records.skeleton import SkeletonRecord
from isobath.settings.toml import toml_value
from isobath.simulation.calibration import (
    LEAST_BYTE,
    Calibration,
    Compared,
    calibrated,
    compared,
)
from isobath.simulation.platform import NODE_SEGMENTS, SUFFIX, Platform, read_platform
from isobath.simulation.segments import segment_lines
from isobath.simulation.simgrid import message_costs, options
from isobath.simulation.sweep import LEAST_OF_LINK, PLACES, Curves, Place, Sweep, sweep

PROGRAM = "isobath-skeleton"
NODES = 1024
"""of the platform that is written: as many as anybody simulates of a crossbar"""

BUSY = "while others used the processors"
"""As the platform says it, wherever it goes."""

ENDS = {
    ExitCode.TIMEOUT: TimeoutProblem, ExitCode.REFUSED: RefusedError,
    ExitCode.USAGE: UsageError, ExitCode.INTERNAL: InternalError,
}  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """What a person asks for."""

    transport: str | None = None
    """with two nodes; None: within a node alone"""
    largest: int = 1 << 20
    passes: int = 20
    mpi: str | None = None
    name: str = "calibrated"
    is_apart: bool = False
    """each rank is on a node of its own: nothing is measured within one"""
    asked: Asked = NOTHING_ASKED


@dataclass(frozen=True)
class Calibrated:
    """What was found."""

    platform: Platform
    curves: tuple[Compared, ...]
    simgrid: str
    is_busy: bool
    """others were at work meanwhile: times are not those of the network"""


def calibrate(wanted: Wanted, stop: Stop, say: Callable[[str], None]) -> Calibrated:
    """Measures, fits and simulates. Writes nothing that stays.

    Raises: UsageError for what cannot be measured; EnvironmentProblem where MPI, SimGrid or nodes
        are missing, or a launch does not end well.
    """
    if wanted.passes < 1:
        raise UsageError(f"--passes {wanted.passes}: take at least 1")
    measuring = sweep(wanted.largest, wanted.passes)
    if wanted.transport is not None and wanted.largest < LEAST_OF_LINK:
        raise UsageError(
            f"--largest {wanted.largest}: smaller messages do not tell the rate of a link; with "
            f"--transport take {LEAST_OF_LINK} at least"
        )
    placements = _placements(wanted)
    simgrid = find_simgrid()
    library = choose_library(Installation.here(), wanted.mpi)
    with tempfile.TemporaryDirectory(prefix="isobath-network-") as scratch:
        folder = Path(scratch)
        load = load_of_others()
        measured: dict[Place, Curves] = {}
        for place, placement in placements.items():
            say(f"measures messages {place}, {len(measuring.parts)} times, each of one size")
            measured[place] = _measured(measuring, placement, library, folder, wanted, stop)
        load = max(load, load_of_others())
        told = told_of(f"{library.id} {library.version}", wanted, load)
        platform = read_back(fitted_platform(wanted, measured, told), folder)
        simulated = {
            place: simulated_curves(wanted, place, platform, simgrid, folder, stop)
            for place in placements
        }
    curves = compared(measured, simulated)
    return Calibrated(platform, curves, simgrid.version, _is_busy(load))


def told_of(library: str, wanted: Wanted, load: float) -> str:
    """How it was measured. Args: load is that of others meanwhile."""
    between = wanted.transport or "within a node alone"
    return f"{library}, {between}{f', {BUSY}' if _is_busy(load) else ''}"


def _is_busy(load: float) -> bool:
    return is_busy(load, read_machine().usable_cpus)


def _placements(wanted: Wanted) -> dict[Place, Placement]:
    """Raises: UsageError for a transport of other than two nodes; EnvironmentProblem for nodes that
    cannot be made.
    """
    transport = wanted.transport
    if wanted.is_apart and transport is None:
        raise UsageError("--apart is of ranks on nodes of their own; name two by --transport")
    placements: dict[Place, Placement] = {} if wanted.is_apart else {"within a node": HERE}
    if transport is not None:
        apart = placed_by(transport)
        if apart.nodes != len(PLACES):
            there = f"{apart.nodes} node{'' if apart.nodes == 1 else 's'}"
            raise UsageError(
                f"--transport {transport} has {there}; a network is calibrated between 2, for "
                "example rate-limited:1gbit:2nodes"
            )
        require(apart, len(PLACES))
        placements["between nodes"] = apart
    return placements


def _measured(
    measuring: Sweep,
    placement: Placement,
    library: MpiLibrary,
    folder: Path,
    wanted: Wanted,
    stop: Stop,
) -> Curves:
    schedule = folder / "measured.txt"
    write(schedule, measuring.schedule.text())
    files = PlainFiles(folder / "measured.jsonl", folder / "measured.err")
    with opened(placement) as nodes:
        line = launch_line(
            library, library.program(PROGRAM), [str(schedule)], ranks=2, threads=1,
            cpus=read_machine().usable_cpus, placement=placement, nodes=nodes,
        )  # fmt: skip
        outcome = run_plainly(
            line, files, ranks=2, run_id="skeleton", limits=of_profiled_program(wanted.asked),
            interrupts=stop,
        )  # fmt: skip
    return _curves(measuring, files.stdout, outcome)


def simulated_curves(
    wanted: Wanted, place: Place, platform: Platform, simgrid: SimGrid, folder: Path, stop: Stop
) -> Curves:
    """The same sweeps by SimGrid, once: it gives the same times again and again.

    Raises: as ``calibrate``.
    """
    again = sweep(wanted.largest, 1)
    layout = Layout(Grid(1, 2), (0, PLACES.index(place)))
    simulation = simulation_in(
        folder, 2, options(platform), "calibration", message_costs=message_costs(platform)
    )
    write_files(simulation, again.schedule, platform, layout)
    out = folder / "simulated.jsonl"
    outcome, _ = simulate(
        simulation, simgrid, stdout=out, stderr=folder / "simulated.err",
        limits=of_silent_program(wanted.asked), interrupts=stop,
    )  # fmt: skip
    return _curves(again, out, outcome)


def _curves(played: Sweep, stdout: Path, outcome: PlainOutcome) -> Curves:
    if outcome.exit_code != ExitCode.DONE:
        problem: type[IsobathError] = ENDS.get(outcome.exit_code, EnvironmentProblem)
        raise problem(outcome.message)
    ended = []
    for text in stdout.read_text(encoding="utf-8").splitlines():
        record = decode(text)
        if isinstance(record, SkeletonRecord):
            ended.append(record.ended_seconds)
    return played.curves(ended)


def fitted_platform(wanted: Wanted, measured: Mapping[Place, Curves], told: str) -> Platform:
    """Each place by its own sweeps."""
    inside, between = measured.get("within a node"), measured.get("between nodes")
    own = calibrated(inside, is_between=False) if inside is not None else None
    if between is not None:
        return platform_of(wanted, calibrated(between, is_between=True), told, own)
    assert own is not None  # one place at least was measured
    return replace(platform_of(wanted, own, told, own), node_segments=())


def platform_of(
    wanted: Wanted, calibration: Calibration, told: str, within: Calibration | None = None
) -> Platform:
    """A crossbar of such nodes; of one where nothing was measured between two.

    Args: within is of messages that stay on a node, where they were measured, too; elsewhere they
        cost their ranks as much as the others, and the network nothing.
    """
    apart = ", of nodes with one rank each" if wanted.is_apart else ""
    return Platform(
        wanted.name, wanted.name, "crossbar", NODES if wanted.transport else 1,
        calibration.bandwidth, calibration.latency / 2,  # of each of the two links of a route
        "measured", f"isobath calibrate network, {told}{apart}",
        node_bandwidth=within.bandwidth if within is not None else 1 / LEAST_BYTE,
        node_latency=within.latency if within is not None else 0.0,
        segments=calibration.segments,
        node_segments=within.segments if within is not None else (),
    )  # fmt: skip


def read_back(platform: Platform, folder: Path) -> Platform:
    """As whoever reads its file has it: that is what is simulated again."""
    file = folder / "written.toml"
    write(file, "\n".join(_platform_lines(platform)))
    return read_platform(file)


def _platform_lines(platform: Platform) -> list[str]:
    return [
        f"name = {toml_value(platform.name)}",
        f"topology = {toml_value(platform.topology)}",
        f"nodes = {platform.nodes}",
        f"source = {toml_value(platform.source)}",
        f"told = {toml_value(platform.told)}",
        f"bytes_per_second = {platform.bandwidth:.9g}",
        f"latency_seconds = {platform.latency:.9g}",
        f"node_bytes_per_second = {platform.node_bandwidth:.9g}",
        f"node_latency_seconds = {platform.node_latency:.9g}",
        "",
        *segment_lines(platform.segments),
        *segment_lines(platform.node_segments, NODE_SEGMENTS),
    ]


def platform_toml(network: Calibrated) -> str:
    """The file: the platform, and as comments what was measured and simulated of it."""
    lines = _platform_lines(network.platform)
    for curve in network.curves:
        lines += ["", f"# {curve.name}: bytes, seconds measured, seconds SIMULATED"]
        sizes = zip(
            curve.measured.sizes, curve.measured.seconds, curve.simulated.seconds, strict=True
        )
        lines += [f"# {size} {seconds:.6g} {again:.6g}" for size, seconds, again in sizes]
    return "\n".join(lines) + "\n"


def check_output(path: Path) -> None:
    """Before anything is measured. Raises: UsageError where no platform can be written there."""
    if path.suffix != SUFFIX:
        raise UsageError(f"--output {path}: a platform is a file that ends in {SUFFIX}")
    if not path.parent.is_dir():
        raise UsageError(f"--output {path}: there is no folder {path.parent}; make it first")


def write_platform(network: Calibrated, path: Path) -> None:
    """Raises: EnvironmentProblem where it cannot be written."""
    try:
        replace_file(path, platform_toml(network))
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; name another file with --output"
        ) from error
