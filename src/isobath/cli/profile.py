# SPDX-License-Identifier: Apache-2.0
"""isobath profile: where an MPI program spends its communication."""

import json
import shlex
import sys
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from isobath import __version__
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import shown, store_folder, trusted_records
from isobath.cli.profile_matrix import print_coverage
from isobath.cli.profile_overhead import measure_overhead, overhead_text
from isobath.cli.run_output import say
from isobath.cli.studies import show_found
from isobath.disclosure.words import typed_command
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError, UsageError
from isobath.kinds.profile.kind import KIND
from isobath.kinds.profile.worlds_text import trace_file
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked, of_profiled_program
from isobath.launch.profiled_run import run_program, status_of
from isobath.launch.profiling import ABIS, ProfiledCommand, is_launcher, prepare
from isobath.launch.symbols import find_places
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.profile.chrome_trace import chrome_trace
from isobath.profile.merge import sites
from isobath.profile.profile import Profile, read_profile_file
from isobath.profile.rank_files import has_rank_files, read_rank_files
from isobath.profile.worlds import World, find_mistake, find_worlds, merge_worlds
from isobath.store.folders import OpenRun, RunFolder, make_profile_id, resolve
from isobath.store.run_summary import RunSummary

PCONTROLS = ("isobath", "ipm")

Command = Annotated[
    list[str] | None,
    typer.Argument(metavar="COMMAND...", help="The program with its launcher, as usual."),
]
View = Annotated[str, typer.Option(metavar="VIEW", help=f"What to print: {', '.join(KIND.views)}.")]
Of = Annotated[
    str | None, typer.Option(metavar="RUN", help="Print a profile that is stored; start nothing.")
]
Store = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of run folders; default: runs.")
]
AbiOption = Annotated[
    str | None,
    typer.Option(metavar="ABI", help=f"ABI of the program's MPI: {', '.join(ABIS)}."),
]
Pcontrol = Annotated[
    str,
    typer.Option(
        metavar="WORDS",
        help="What levels 1 and -1 of MPI_Pcontrol mean: isobath (on), ipm (names).",
    ),
]
Timeline = Annotated[
    bool, typer.Option("--timeline", help="Keep every collective call of every rank.")
]
Trace = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Write the timeline for Perfetto or chrome://tracing; keeps it too."
    ),
]
LevelSite = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Where a level ends, for --view levels: part of the name of a call site.",
    ),
]
Overhead = Annotated[
    int | None,
    typer.Option(
        metavar="ROUNDS",
        help="Run so often with and without the profiler in turns; say what it costs.",
    ),
]
Coverage = Annotated[
    bool, typer.Option("--coverage", help="Print what is covered: language x ABI x feature.")
]


def profile(
    command: Command = None,
    *,
    view: View = "summary",
    of: Of = None,
    store: Store = None,
    abi: AbiOption = None,
    pcontrol: Pcontrol = "isobath",
    timeline: Timeline = False,
    trace: Trace = None,
    level_site: LevelSite = None,
    overhead: Overhead = None,
    coverage: Coverage = False,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Run any MPI program and say where it spends its communication.

    Nothing is relinked or changed: isobath profile -- mpirun -n 4 ./program its arguments. Ends
    with the exit status of the program, or 3 where its processes did not find each other.
    """
    asked = Asked(hang_seconds, time_limit)
    if view not in KIND.views:
        raise UsageError(f"there is no view {view}; there are {', '.join(KIND.views)}")
    if pcontrol not in PCONTROLS:
        raise UsageError(f"--pcontrol takes {' or '.join(PCONTROLS)}, not {pcontrol}")
    if coverage:
        print_coverage(Installation.here())
        return ExitCode.DONE
    if of is not None:
        if command:
            raise UsageError("--of prints what is stored; leave out the command, or --of")
        _refuse_mixture(
            timeline=timeline, level_site=level_site, overhead=overhead, abi=abi, **vars(asked)
        )
        kept = _resolve_profile(store_folder(store), of)
        if trace is not None:
            _write_traces(read_profile_file(trusted_records(kept)), Path(trace))
        else:
            show_found(KIND, kept.path, KIND.read(kept.path), view=view)
        return ExitCode.DONE
    with tempfile.TemporaryDirectory(prefix="isobath-profile-", dir=_shared_folder()) as folder:
        prepared = prepare(
            Installation.here(), command or [], Path(folder), abi=abi, pcontrol=pcontrol
        )
        if overhead is not None:
            rounds = measure_overhead(prepared, command or [], overhead, asked)
            print(fill(overhead_text(rounds), 80))
            return ExitCode.DONE
        run, code, complaint = _execute(
            prepared,
            Path(folder),
            store_folder(store),
            command or [],
            with_timeline=timeline or trace is not None,
            level_site=level_site,
            asked=asked,
        )
    sys.stdout.flush()
    found = read_profile_file(run.path / "records.jsonl")
    show_found(KIND, run.path, KIND.read(run.path), view=view)
    print(f"run     {shown(run.path)}")
    if trace is not None:
        _write_traces(found, Path(trace))
    if complaint is not None:
        raise complaint
    return code


def _refuse_mixture(**options: object) -> None:
    for name, value in options.items():
        if value:
            raise UsageError(
                f"--{name.replace('_', '-')} is for a program that runs; profile it again with "
                "that option, or leave out one of it and --of"
            )


def _resolve_profile(store: Path, name: str) -> RunFolder:
    try:
        return resolve(store, name)
    except UsageError as problem:
        words = str(problem).replace("./isobath run", "./isobath profile -- COMMAND")
        raise UsageError(words) from problem


def _write_traces(profiles: tuple[Profile, ...], output: Path) -> None:
    for profile in profiles:
        _write_trace(profile, trace_file(output, profile))


def _write_trace(profile: Profile, output: Path) -> None:
    events = chrome_trace(profile)
    try:
        output.write_text(json.dumps(events, separators=(",", ":")), encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write the trace to {output}: {error.strerror}; name another file"
        ) from error
    print(f"trace   {shown(output)}")


def _shared_folder() -> Path:
    """Where ranks write: a folder that those on other machines see too, if any is."""
    folder = Installation.here().state_folder / "profiles"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _execute(
    prepared: ProfiledCommand,
    folder: Path,
    store: Path,
    typed: list[str],
    *,
    with_timeline: bool,
    level_site: str | None,
    asked: Asked,
) -> tuple[RunFolder, int, IsobathError | None]:
    started = datetime.now(UTC)
    code, limit = _start(prepared, asked, folder)
    ended = datetime.now(UTC)
    files = read_rank_files(folder)
    places = {at: (one.function, one.line) for at, one in find_places(sites(files)).items()}
    run_id = make_profile_id(started)
    worlds = find_worlds(files)
    mistake = find_mistake(worlds, by_launcher=is_launcher(prepared.command[0]))
    complaint: IsobathError | None = None
    if mistake is not None and code == ExitCode.DONE:
        complaint, code = EnvironmentProblem(mistake.sentence), ExitCode.ENVIRONMENT
    to_records = partial(merge_worlds, run_id, worlds, mistake, places, with_timeline=with_timeline)
    try:
        records = to_records(level_site=level_site)
    except UsageError as error:  # a wrong word must not lose what the program did
        complaint = error
        records = to_records()
    run = OpenRun(store, run_id)
    run.append(*records)
    why = limit or (mistake.sentence if mistake else _why_incomplete(code, worlds))
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version=__version__,
        started=started,
        ended=ended,
        state="failed" if why else "complete",
        verdict="unvalidated",
        exit_code=code,
        message=why,
        command=typed_command(),
        launch_line=prepared.command,
        launch_environment=prepared.environment,
        notes=(
            "the profile of a program, not a run of the benchmark: there is nothing to validate",
            f"ABI {prepared.abi}: {prepared.why}",
        ),
    )
    environment = read_environment(read_machine())
    sealed = run.seal(summary, {"launch_line": shlex.join(typed), "nodes": [environment]})
    return sealed, code, complaint


def _why_incomplete(code: int, worlds: list[World]) -> str | None:
    for world in worlds:
        recorded, ranks = len(world), world[0].head["ranks"]
        if recorded < ranks:
            return f"{ranks - recorded} of {ranks} ranks were killed before they could write"
    return f"the program ended with {code}" if code else None


def _start(prepared: ProfiledCommand, asked: Asked, folder: Path) -> tuple[int, str]:
    """The program's exit status as a shell would say it, and why a limit ended it, if one did.

    Raises: IsobathError where it was ended and left nothing.
    """
    with Interrupts() as interrupts:
        ended = run_program(
            prepared.command,
            prepared.environment,
            limits=of_profiled_program(asked),
            interrupts=interrupts,
        )
        code = status_of(ended, interrupts)
    why = ended.trouble.message if ended.trouble else ""
    if why and not has_rank_files(folder):
        problem = IsobathError(why)
        problem.exit_code = ExitCode(code)
        raise problem
    if why:
        say(why)
    return code, why
