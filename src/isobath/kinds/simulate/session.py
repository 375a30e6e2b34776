# SPDX-License-Identifier: Apache-2.0
"""A simulation from what was asked for to its sealed folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.kinds.settings_of import stored_settings
from isobath.kinds.simulate.engine import EngineSearch, searched
from isobath.kinds.simulate.files import simulation_in, write, write_files
from isobath.kinds.simulate.model import PlatformFacts, SimulationResult, StepFacts
from isobath.kinds.simulate.settings import SIMULATE, SimulateSettings
from isobath.kinds.simulate.stored import RESULT
from isobath.kinds.simulate.wanted import Prepared, prepared_simulation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import of_silent_program
from isobath.launch.plain_run import PlainOutcome
from isobath.launch.simgrid import EngineWords, SimGrid, Simulation, find_simgrid, simulate
from isobath.records.codec import decode
from isobath.records.ending import RunState
from isobath.records.run_records import Verdict
from isobath.records.skeleton import SkeletonRecord
from isobath.simulation.simgrid import message_costs, options, platform_digest
from isobath.store.folders import OpenRun, RunFolder, RunPaths
from isobath.study.driver import SILENT, Driver
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of
from isobath.study.sealing import HowItEnded, Origin, seal
from isobath.study.shelf import Shelf
from isobath.units import format_count

NOTE = "SIMULATED: no search was run; times are those of SimGrid's model of the platform"
ENGINE_NOTE = "SIMULATED: the engine searched; times are those of SimGrid's model of the platform"


@dataclass(frozen=True)
class Simulated:
    """A sealed simulation, and why it did not end well."""

    folder: RunFolder
    code: ExitCode
    message: str


def simulate_search(
    settings: SimulateSettings,
    where: Shelf,
    origins: Mapping[str, str],
    command: tuple[str, ...],
    stop: Stop,
    driver: Driver = SILENT,
) -> Simulated:
    """Prepares, simulates, and seals what was found.

    Raises: UsageError for what cannot be simulated; EnvironmentProblem where SimGrid or a run is
        missing or nothing can be written. Nothing is written then.
    """
    prepared = prepared_simulation(settings, where)
    simgrid = find_simgrid()
    driver.say(cost_words(prepared))
    for note in prepared.schedule.notes:
        driver.say(note)
    began = datetime.now(UTC)
    opened = OpenRun(where.folders[0], make_id(entry_of("simulate").word, began))
    try:
        simulation = _written(opened, prepared, settings)
        line = simulation.line(simgrid)
        outcome, took_bytes = simulate(
            simulation, simgrid, stdout=opened.stdout, stderr=opened.stderr,
            limits=of_silent_program(driver.asked), interrupts=stop,
        )  # fmt: skip
    except BaseException:  # it did not begin: there is nothing to keep
        opened.drop()
        raise
    code, message = outcome.exit_code, outcome.message
    verdict: Verdict = "unvalidated"
    if code == ExitCode.DONE:
        timed, code, message = _timed(opened, prepared)
        if timed is not None and code == ExitCode.DONE:
            result = _result(prepared, settings, simgrid, timed, outcome, took_bytes)
            verdict = "validated" if result.engine else verdict
            write(opened.path / RESULT, result.model_dump_json(indent=1, by_alias=True) + "\n")
    values = {name: getattr(settings, name) for name in SIMULATE.names}
    values["run"] = prepared.run or None
    note = ENGINE_NOTE if isinstance(prepared.schedule, EngineSearch) else NOTE
    origin = Origin("", command, (note, *prepared.schedule.notes),
                    stored_settings(SIMULATE, values, origins))  # fmt: skip
    state: RunState = "complete" if code == ExitCode.DONE else "failed"
    if outcome.interrupted:
        state = "unfinished"
    how = HowItEnded(began, datetime.now(UTC), state, verdict, int(code), message or None)
    return Simulated(seal(opened, line, origin, how), code, message)


def cost_words(prepared: Prepared) -> str:
    """What it will cost, before it begins."""
    schedule = prepared.schedule
    if isinstance(schedule, EngineSearch):
        return (
            f"simulates the engine itself, {schedule.grid.size} ranks on "
            f"{prepared.layout.nodes} nodes of {prepared.platform.words}"
        )
    return (
        f"simulates {format_count(schedule.flows)} messages of {schedule.grid.size} ranks on "
        f"{prepared.layout.nodes} nodes of {prepared.platform.words}"
    )


@dataclass(frozen=True)
class PlannedLine:
    """What would be started, and where its study would be."""

    paths: RunPaths
    prepared: Prepared
    line: LaunchLine | None
    missing: str
    """why nothing can be started here; empty where it can"""


def planned_line(settings: SimulateSettings, where: Shelf) -> PlannedLine:
    """Makes nothing, and needs no SimGrid: what a simulation costs is counted without.

    Raises: UsageError for what cannot be simulated; EnvironmentProblem for a run that cannot be
        read.
    """
    prepared = prepared_simulation(settings, where)
    paths = RunPaths(where.folders[0], make_id(entry_of("simulate").word))
    try:
        line = _simulation(paths, prepared, settings).line(find_simgrid())
    except EnvironmentProblem as problem:
        return PlannedLine(paths, prepared, None, str(problem))
    return PlannedLine(paths, prepared, line, "")


def _written(opened: OpenRun, prepared: Prepared, settings: SimulateSettings) -> Simulation:
    simulation = _simulation(opened, prepared, settings)
    write_files(simulation, prepared.schedule, prepared.platform, prepared.layout)
    return simulation


def _simulation(paths: RunPaths, prepared: Prepared, settings: SimulateSettings) -> Simulation:
    of_simulator = options(
        prepared.platform,
        selector=settings.algorithms,  # type: ignore[arg-type]
    )
    ranks = prepared.schedule.grid.size
    engine = None
    if isinstance(prepared.schedule, EngineSearch):
        asked = prepared.schedule
        engine = EngineWords(asked.words, paths.records.resolve(), asked.arc_seconds)
    return simulation_in(
        paths.path.resolve(), ranks, of_simulator, paths.run_id, engine,
        message_costs=message_costs(prepared.platform),
    )  # fmt: skip


@dataclass(frozen=True)
class _Timed:
    """What was simulated, whoever did it."""

    seconds: float
    steps: list[StepFacts]


def _timed(opened: OpenRun, prepared: Prepared) -> tuple[_Timed | None, ExitCode, str]:
    """And how it ended, and why not well."""
    if isinstance(prepared.schedule, EngineSearch):
        search, message = searched(opened.records, prepared.measured)
        code = ExitCode.INTERNAL if message else ExitCode.DONE
        if search is None:
            return None, code, message
        return _Timed(search.search.seconds, list(search.steps(prepared.measured))), code, message
    rows, message = _records(opened.stdout, len(prepared.schedule.steps))
    if message:
        return None, ExitCode.INTERNAL, message
    opened.append(*rows)
    seconds = max(row.ended_seconds for row in rows)
    return _Timed(seconds, _added_up(prepared, rows)), ExitCode.DONE, ""


def _records(stdout: Path, steps: int) -> tuple[list[SkeletonRecord], str]:
    """One for each step; and what is wrong with them."""
    rows = []
    try:
        for text in stdout.read_text(encoding="utf-8").splitlines():
            record = decode(text)
            if isinstance(record, SkeletonRecord):
                rows.append(record)
    except (OSError, IsobathError) as error:
        return [], f"the skeleton wrote what is no record: {error}"
    if [row.step for row in rows] != list(range(steps)):
        return [], f"the skeleton wrote {len(rows)} of {steps} steps; its words are in stderr.txt"
    if any(row.origin != "simulated" for row in rows):
        return [], "the skeleton was built with another MPI than SimGrid's; set up again"
    return rows, ""


def _result(
    prepared: Prepared,
    settings: SimulateSettings,
    simgrid: SimGrid,
    timed: _Timed,
    outcome: PlainOutcome,
    took_bytes: int,
) -> SimulationResult:
    platform, schedule, layout = prepared.platform, prepared.schedule, prepared.layout
    return SimulationResult(
        run=prepared.run,
        search=prepared.search,
        engine=isinstance(prepared.schedule, EngineSearch),
        plan=prepared.plan,
        exchange=prepared.exchange,
        scale=prepared.scale,
        grid=str(schedule.grid),
        ranks=schedule.grid.size,
        nodes=layout.nodes,
        ranks_per_node=layout.per_node,
        mapping=prepared.mapping,
        algorithms=settings.algorithms,
        platform=PlatformFacts(
            name=platform.name,
            title=platform.title,
            topology=platform.topology,
            nodes=platform.nodes,
            bytes_per_second=platform.bandwidth,
            latency_seconds=platform.latency,
            overhead_seconds=platform.overhead,
            segments=len(platform.segments),
            source=platform.source,
            told=platform.told,
            digest=platform_digest(platform),
        ),
        simgrid=simgrid.version,
        flows=schedule.flows,
        simulated_seconds=timed.seconds,
        simulated_gteps=prepared.edges / timed.seconds / 1e9
        if prepared.edges and timed.seconds
        else None,
        measured_seconds=prepared.measured_seconds,
        took_seconds=outcome.elapsed_seconds,
        took_bytes=took_bytes,
        notes=list(schedule.notes),
        problems=list(prepared.problems),
        steps=timed.steps,
    )


def _added_up(prepared: Prepared, rows: list[SkeletonRecord]) -> list[StepFacts]:
    alike: dict[tuple[int, str, str, str], list[SkeletonRecord]] = {}
    for row in rows:
        alike.setdefault((row.level, row.phase, row.call, row.communicator), []).append(row)
    measured = {
        (cell.level, str(cell.phase), str(cell.call), str(cell.communicator)): cell.seconds_max
        for cell in prepared.measured
    }
    return [
        StepFacts(
            level=key[0],
            phase=key[1],
            call=key[2],
            communicator=key[3],
            calls=sum(row.calls for row in several),
            messages=sum(row.messages for row in several),
            bytes_sent=sum(row.bytes_sent for row in several),
            simulated_seconds_mean=sum(row.seconds_mean for row in several),
            simulated_seconds_max=sum(row.seconds_max for row in several),
            measured_seconds_max=measured.get(key),
        )
        for key, several in alike.items()
    ]
