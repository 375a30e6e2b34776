# SPDX-License-Identifier: Apache-2.0
"""What isobath run prints: before, afterwards, and instead."""

import sys

from isobath.cli.live import Live
from isobath.cli.places import front_door, shown
from isobath.cli.planned import print_dry_run
from isobath.cli.run_summary_text import summary_sentences
from isobath.cli.streams import CLOSED_PIPE, OutputProblem, give_up_stdout
from isobath.cli.studies import Ending, show_found, try_report, typed_study
from isobath.cli.terminal import fitted, is_quiet, say, warn
from isobath.disclosure.words import typed_command
from isobath.errors import ExitCode
from isobath.kinds.run.kind import KIND
from isobath.kinds.run.preparation import PlannedRun
from isobath.kinds.run.session import execute_run, line_for, settings_of
from isobath.launch.interrupts import Interrupts
from isobath.report.plainest import read_plainest
from isobath.store.folders import OpenRun, RunPaths
from isobath.study.driver import Driver
from isobath.study.home import page_of
from isobath.study.ids import make_id
from isobath.study.sealing import EndedRun
from isobath.units import format_bytes, format_roughly, format_seconds


def show_plan(prepared: PlannedRun, *, as_json: bool = False) -> int:
    """``--dry-run``: launch line, memory, time and files on standard output."""
    run = RunPaths(prepared.store, make_id(f"s{prepared.scale}"))
    if as_json:
        words = f"scale {prepared.scale}, {prepared.layout.describe()}"
        line = list(line_for(prepared, run).command)
        launch = {"name": run.run_id, "words": words, "command": line}
        return print_dry_run("run", settings_of(prepared), [launch], run.sealed_path)
    memory, duration = prepared.memory, prepared.duration
    for note in prepared.notes:
        print(fitted(note))
    free = format_bytes(prepared.machine.available_bytes)
    peak = format_bytes(memory.peak_bytes)
    print(fitted(f"memory: {peak} at the peak ({memory.moment}), {free} free"))
    if memory.edge_file_bytes:
        print(f"edge files: {format_bytes(memory.edge_file_bytes)}")
    words = (
        "time: not known before a calibration, which a dry run does not start"
        if duration is None
        else f"time: about {format_roughly(duration.total)} (generation "
        f"{format_seconds(duration.generation)}, construction "
        f"{format_seconds(duration.construction)}, {duration.searches} searches of "
        f"{format_seconds(duration.search)} and validations of "
        f"{format_seconds(duration.validation)})"
    )
    print(fitted(words))
    print(fitted(f"run folder: {shown(run.sealed_path)}"))
    if prepared.settings.report:
        print(fitted(f"report: {shown(page_of(prepared.settings.reports, run.run_id))}"))
    print(f"launch line: {line_for(prepared, run).text()}")
    return int(ExitCode.DONE)


def perform(prepared: PlannedRun, *, as_json: bool = False) -> int:
    """Runs, seals, reports; returns the exit code."""
    assert prepared.duration is not None, "of a dry run"
    for note in prepared.notes:
        say(note)
    run = OpenRun(prepared.store, make_id(f"s{prepared.scale}"))
    memory, duration = prepared.memory, prepared.duration
    say(
        f"expecting {format_bytes(memory.peak_bytes)} of memory and "
        f"about {format_roughly(duration.total)}"
    )
    say(f"launching: {line_for(prepared, run).text()}")
    # To the last line: the second of two Ctrl-C shall not cut off what the first asked for.
    with Interrupts() as interrupts:
        driver = Driver(say=say, watching=Live)
        finished = execute_run(prepared, run, interrupts, typed_command(), driver)
        code = _show(finished, as_json=as_json)
        if prepared.settings.report and not interrupts.wants_end_now:
            code = _report(prepared, finished, code)
        which = typed_study(finished.folder.path)
        ours = front_door()
        say(f"next: {ours} show {which}, {ours} plan, {ours} doctor")
    return int(code)


def _show(finished: EndedRun, *, as_json: bool) -> int:
    """Prints the block, or the findings, and the summary; returns the exit code."""
    records = finished.records
    code: int = finished.exit_code
    try:
        if as_json:
            path = finished.folder.path
            show_found(KIND, path, KIND.read(path), as_json=True)
        else:
            _print_block(finished)
    except BrokenPipeError:
        give_up_stdout()
        code = code or CLOSED_PIPE
    except OutputProblem as problem:
        give_up_stdout()
        warn(
            f"the official block was not printed ({problem.reason}); it stands in "
            f"{shown(finished.folder.path / 'official-reference.txt')}"
        )
        code = code or ExitCode.ENVIRONMENT
    if records is not None and not is_quiet():
        print(file=sys.stderr)
        for sentence in summary_sentences(records):
            print(sentence, file=sys.stderr)
        if records.run.official and records.finish is not None:
            for words in records.finish.disclosures:
                print(f"disclosed: {words}", file=sys.stderr)
        second = read_plainest(finished.folder, records, finished.folder.summary())
        if second is not None:
            print(second.sentence[0].upper() + second.sentence[1:], file=sys.stderr)
        print(file=sys.stderr)
    if finished.message:
        warn(finished.message)
        tail = finished.folder.text("stderr.txt").strip().splitlines()[-5:]
        if records is None and tail:
            warn("the engine said last: " + " / ".join(tail))
    say(f"run {shown(finished.folder.path)}")
    return code


def _print_block(finished: EndedRun) -> None:
    """Raises: OutputProblem or BrokenPipeError where it does not reach standard output."""
    block = finished.folder.text("stdout.txt")
    if finished.records is None or not block:
        return
    if finished.records.verdict == "unvalidated":
        print("UNVALIDATED, no search of this run was validated")
    print(block, end="" if block.endswith("\n") else "\n", flush=True)


def _report(prepared: PlannedRun, finished: EndedRun, code: int) -> int:
    """Writes the report; a report that fails costs nothing that was sealed."""
    if finished.records is None:
        return code
    path = finished.folder.path
    written = try_report(KIND, path, Ending(reports=prepared.settings.reports))
    return code or int(written)
