# SPDX-License-Identifier: Apache-2.0
"""isobath profile: where an MPI program spends its communication."""

import io
import json
import shlex
import sys
import tempfile
from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import shown, trusted_records
from isobath.cli.profile_matrix import print_coverage
from isobath.cli.profile_overhead import measure_overhead, overhead_text
from isobath.cli.studies import print_view, show_found
from isobath.cli.table_files import put
from isobath.cli.terminal import console_into, explain, is_quiet, say, warn
from isobath.disclosure.words import typed_command
from isobath.errors import EnvironmentProblem, ExitCode, UsageError
from isobath.kinds.profile.kind import KIND, ProfileFound
from isobath.kinds.profile.session import NothingRecorded, ProfiledProgram, profile_program
from isobath.kinds.profile.worlds_text import trace_file
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked
from isobath.launch.profiling import ABIS, prepare
from isobath.profile.chrome_trace import chrome_trace
from isobath.profile.profile import Profile, read_profile_file
from isobath.store.folders import RunFolder
from isobath.study.driver import Driver
from isobath.study.home import shelf

KIND_NAME = "profile"
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
    str | None, typer.Option(metavar="DIR", help="Folder of studies; default: studies.")
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
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write what --view shows to a file, not to stderr."
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
    output: Output = None,
    coverage: Coverage = False,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Run any MPI program and say where it spends its communication, on standard error.

    Nothing is relinked or changed: isobath profile mpirun -n 4 ./program its arguments. What stands
    behind the program is the program's. Ends with the exit status of the program, or 3 where its
    processes did not find each other.
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
        return _show_stored(of, store, view, output, trace)
    with tempfile.TemporaryDirectory(prefix="isobath-profile-", dir=_shared_folder()) as folder:
        prepared = prepare(
            Installation.here(), command or [], Path(folder), abi=abi, pcontrol=pcontrol
        )
        if overhead is not None:
            rounds = measure_overhead(prepared, command or [], overhead, asked)
            print(fill(overhead_text(rounds), 80))
            return ExitCode.DONE
        program = ProfiledProgram(
            prepared=prepared,
            typed=tuple(command or ()),
            files=Path(folder),
            with_timeline=timeline or trace is not None,
            level_site=level_site,
        )
        with Interrupts() as interrupts:
            profiled = profile_program(
                program, shelf(store).folders[0], interrupts, typed_command(), Driver(asked, say)
            )
    if isinstance(profiled, NothingRecorded):
        warn(profiled.sentence)
        return profiled.status or int(ExitCode.ENVIRONMENT)
    run = profiled.folder
    found = read_profile_file(run.path / "records.jsonl")
    _summarise(KIND.read(run.path), view, output)
    say(f"run {shown(run.path)}")
    if trace is not None:
        _write_traces(found, Path(trace))
    if profiled.limit:
        warn(profiled.limit)
    explain(f"it was {shlex.join(run.summary().launch_line)}")
    if profiled.complaint is not None:
        raise profiled.complaint
    return profiled.status


def _show_stored(
    of: str, store: str | None, view: str, output: str | None, trace: str | None
) -> int:
    kept = RunFolder(shelf(store).find(of, (KIND_NAME,)).path)
    if trace is not None:
        _write_traces(read_profile_file(trusted_records(kept)), Path(trace))
        return ExitCode.DONE
    found = KIND.read(kept.path)
    if output is not None:
        _summarise(found, view, output)
    else:
        show_found(KIND, kept.path, found, view=view)
    return KIND.code(found)


def _summarise(found: ProfileFound, view: str, output: str | None) -> None:
    """Into a file, or on standard error: standard output is the program's own."""
    text = io.StringIO()
    print_view(KIND, found, view, console_into(text))
    for sentence in KIND.problems(found):
        warn(sentence)
    if output is not None:
        put(text.getvalue(), output)
    elif not is_quiet():
        sys.stderr.write(f"\n{text.getvalue()}")
        sys.stderr.flush()


def _refuse_mixture(**options: object) -> None:
    for name, value in options.items():
        if value:
            raise UsageError(
                f"--{name.replace('_', '-')} is for a program that runs; profile it again with "
                "that option, or leave out one of it and --of"
            )


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
    say(f"trace {shown(output)}")


def _shared_folder() -> Path:
    """Where ranks write: a folder that those on other machines see too, if any is."""
    folder = Installation.here().state_folder / "profiles"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
