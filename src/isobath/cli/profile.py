# SPDX-License-Identifier: Apache-2.0
"""isobath profile: where an MPI program spends its communication."""

import io
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any

import typer

from isobath.cli import completion
from isobath.cli.beside_settings import HOW, AsJson, DryRun, Of
from isobath.cli.declared import Given, takes_settings
from isobath.cli.places import shown, trusted_records
from isobath.cli.planned import print_dry_run
from isobath.cli.profile_matrix import print_coverage
from isobath.cli.studies import print_view, show_found
from isobath.cli.table_files import put
from isobath.cli.terminal import console_into, explain, fitted, is_quiet, say, warn
from isobath.disclosure.words import stored_words, typed_command
from isobath.errors import ExitCode, UsageError
from isobath.kinds.profile.kind import KIND, ProfileFound
from isobath.kinds.profile.overhead import measure_overhead, overhead_text
from isobath.kinds.profile.session import (
    NothingRecorded,
    ProfiledProgram,
    folder_of_ranks,
    profile_program,
)
from isobath.kinds.profile.settings import PROFILE, ProfileSettings
from isobath.kinds.settings_of import stored_settings, written_settings
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Asked
from isobath.launch.profiling import ProfiledCommand, prepare
from isobath.profile.chrome_trace import write_traces
from isobath.profile.profile import Profile, read_profile_file
from isobath.store.folders import RunFolder, RunPaths
from isobath.study.driver import Driver
from isobath.study.home import shelf
from isobath.study.ids import make_id

View = Annotated[
    str,
    typer.Option(
        metavar="VIEW",
        autocompletion=completion.one_of(KIND.views),
        help=f"What to print: {', '.join(KIND.views)}.",
        rich_help_panel=HOW,
    ),
]
Trace = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the timeline for Perfetto or chrome://tracing (implies --timeline).",
    ),
]
Overhead = Annotated[
    int | None,
    typer.Option(
        metavar="ROUNDS",
        help="Run N times with and without the profiler in turns, to say what profiling costs.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write what --view shows to a file, not to stderr.",
        rich_help_panel=HOW,
    ),
]
Coverage = Annotated[
    bool,
    typer.Option(
        "--coverage",
        help="Print which languages, ABIs and features the profiler covers, and stop.",
        rich_help_panel=HOW,
    ),
]


@takes_settings(PROFILE)
def profile(
    *,
    given: Given,
    trace: Trace = None,
    overhead: Overhead = None,
    view: View = "summary",
    of: Of = None,
    output: Output = None,
    coverage: Coverage = False,
    dry_run: DryRun = False,
    json_output: AsJson = False,
) -> int:
    """Run any MPI program and say where it spends its communication, on standard error.

    Nothing is relinked or changed: isobath profile mpirun -n 4 ./program its arguments. What stands
    behind the program is the program's. Ends with the exit status of the program, or 3 where its
    processes did not find each other.
    """
    if view not in KIND.views:
        raise UsageError(f"there is no view {view}; there are {', '.join(KIND.views)}")
    if coverage:
        print_coverage(Installation.here())
        return ExitCode.DONE
    if of is not None:
        if overhead is not None:
            _refuse_mixture(overhead=overhead)
        return _show_stored(given, of, view, output, trace, as_json=json_output)
    merged = given.merged()
    settings = ProfileSettings(**merged.values)
    command = list(settings.command)
    kept = {**merged.values, "command": stored_words(command)}
    kept |= {"timeline": True} if trace is not None else {}
    store = shelf(settings.store).folders[0]
    asked = Asked(settings.hang_seconds, settings.time_limit)
    with folder_of_ranks() as files:
        prepared = prepare(
            Installation.here(), command, files, abi=settings.abi, pcontrol=settings.pcontrol
        )
        if dry_run:
            return _show_plan(prepared, RunPaths(store, make_id("profile")), kept,
                              as_json=json_output)  # fmt: skip
        if overhead is not None:
            with Interrupts() as interrupts:
                rounds = measure_overhead(prepared, command, overhead, asked, interrupts)
            print(fill(overhead_text(rounds), 80))
            return ExitCode.DONE
        program = ProfiledProgram(
            prepared=prepared,
            typed=tuple(command),
            files=files,
            with_timeline=settings.timeline or trace is not None,
            level_site=settings.level_site,
            settings=stored_settings(PROFILE, kept, merged.origins),
        )
        with Interrupts() as interrupts:
            profiled = profile_program(
                program, store, interrupts, typed_command(), Driver(asked, say)
            )
    if isinstance(profiled, NothingRecorded):
        warn(profiled.sentence)
        return profiled.status or int(ExitCode.ENVIRONMENT)
    run = profiled.folder
    profiles = read_profile_file(run.path / "records.jsonl")
    whole = KIND.read(run.path)
    if json_output:
        show_found(KIND, run.path, whole, as_json=True)
    else:
        _summarise(whole, view, output)
    say(f"run {shown(run.path)}")
    if trace is not None:
        _write_traces(profiles, Path(trace))
    if profiled.limit:
        warn(profiled.limit)
    explain(f"it was {shlex.join(run.summary().launch_line)}")
    if profiled.complaint is not None:
        raise profiled.complaint
    return profiled.status


def _show_stored(
    given: Given, of: str, view: str, output: str | None, trace: str | None, *, as_json: bool
) -> int:
    """``--of``: what is stored, nothing started."""
    if given.options["command"] or given.file is not None:
        raise UsageError("--of prints what is stored; leave out the command, or --of")
    _refuse_mixture(**{name: value for name, value in given.options.items() if name != "store"})
    kept = RunFolder(shelf(given.afterwards()["store"]).find(of, ("profile",)).path)
    if trace is not None:
        _write_traces(read_profile_file(trusted_records(kept)), Path(trace))
        return ExitCode.DONE
    whole = KIND.read(kept.path)
    if output is not None and not as_json:
        _summarise(whole, view, output)
    else:
        show_found(KIND, kept.path, whole, view=view, as_json=as_json)
    return KIND.code(whole)


def _summarise(whole: ProfileFound, view: str, output: str | None) -> None:
    """Into a file, or on standard error: standard output is the program's own."""
    text = io.StringIO()
    print_view(KIND, whole, view, console_into(text))
    for sentence in KIND.problems(whole):
        warn(sentence)
    if output is not None:
        put(text.getvalue(), output)
    elif not is_quiet():
        sys.stderr.write(f"\n{text.getvalue()}")
        sys.stderr.flush()


def _show_plan(
    prepared: ProfiledCommand, run: RunPaths, kept: Mapping[str, Any], *, as_json: bool
) -> int:
    """``--dry-run``: what would be started, under which profiler."""
    words = f"ABI {prepared.abi}: {prepared.why}"
    if as_json:
        launch = {"name": run.run_id, "words": words, "command": list(prepared.command)}
        return print_dry_run("profile", written_settings(PROFILE, kept), [launch], run.sealed_path)
    print(fitted(words))
    print(fitted(f"run folder: {shown(run.sealed_path)}"))
    print(f"launch line: {LaunchLine(prepared.command, prepared.environment).text()}")
    return ExitCode.DONE


def _refuse_mixture(**options: object) -> None:
    for name, value in options.items():
        if value:
            raise UsageError(
                f"--{name.replace('_', '-')} is for a program that runs; profile it again with "
                "that option, or leave out one of it and --of"
            )


def _write_traces(profiles: tuple[Profile, ...], output: Path) -> None:
    for path in write_traces(profiles, output):
        say(f"trace {shown(path)}")
