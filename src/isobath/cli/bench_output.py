# SPDX-License-Identifier: Apache-2.0
"""What isobath bench collectives prints: before, while and after the launches."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isobath.bench.design import WITHOUT_SIZE
from isobath.bench.findings import sizes_of_switches, switches_of
from isobath.bench.flagged import file_name, flagged_cells
from isobath.bench.folders import BenchFolder, resolve_bench
from isobath.bench.measured import Measured, MeasuredCell, read_measured
from isobath.bench.reproducer import reproducer
from isobath.bench.spec import Arm, BenchSpec
from isobath.bench.wish_checks import is_planned
from isobath.cli.bench_cross_check import run_imb
from isobath.cli.bench_execution import run_bench
from isobath.cli.places import shown, typed_bench
from isobath.cli.run_output import say
from isobath.cli.studies import Ending, show_found, try_report
from isobath.errors import ExitCode, UsageError
from isobath.kinds.collectives.kind import KIND
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.report.wording import count_of

REPRODUCER = "reproducer:"
JSON = "json"
REPRODUCERS = "reproducers"


@dataclass(frozen=True)
class Places:
    """Where a benchmark and its report go, and how long its launches may take."""

    benches: Path
    reports: Path
    with_report: bool
    asked: Asked = NOTHING_ASKED


def start(places: Places, spec: BenchSpec, view: str, *, rounds: int, dry_run: bool) -> int:
    """A new benchmark, from its plan to its table; returns the exit code."""
    _check_view(view)
    _check_planned(view, spec)
    folder = BenchFolder(places.benches / spec.bench_id)
    if dry_run:
        return _show_plan(spec, folder)
    cells = count_of(sum(len(arm.cells) for arm in spec.arms), "cell")
    say(
        f"{count_of(spec.launches, 'launch', 'launches')} of {count_of(len(spec.arms), 'arm')} "
        f"with {cells}, in random order (seed {spec.seed}), at most "
        f"{spec.stop.budget_seconds:g} s a cell and launch"
    )
    folder.write_spec(spec)
    return _perform(places, folder, view, rounds)


def go_on(places: Places, wanted: str, view: str, *, rounds: int, dry_run: bool) -> int:
    """What is left of a benchmark; returns the exit code."""
    _check_view(view)
    folder = resolve_bench(places.benches, wanted)
    spec = folder.spec()
    _check_planned(view, spec)
    if dry_run:
        return _show_plan(spec, folder)
    left, total = len(folder.to_do(spec)), len(spec.arms) * spec.launches
    say(f"benchmark {spec.bench_id}: {total - left} of {total} launches are done, going on")
    return _perform(places, folder, view, rounds)


def show(places: Places, wanted: str, view: str) -> int:
    """What is stored, nothing started."""
    _check_view(view)
    return _print(resolve_bench(places.benches, wanted), view)


def _perform(places: Places, folder: BenchFolder, view: str, rounds: int) -> int:
    with folder.locked(), Interrupts() as interrupts:
        spec = folder.spec()
        asked = places.asked
        imb = run_imb(folder, spec, interrupts, say, asked=asked) if spec.cross_check else None
        outcome = run_bench(folder, spec, interrupts, say, after=imb, asked=asked)
        for _ in range(rounds):
            if interrupts.wants_end or not _refine(folder):
                break
            outcome = run_bench(folder, folder.spec(), interrupts, say, asked=asked)
        code = int(outcome.exit_code)
        if outcome.done:
            altered = _print(folder, view)
            code = code or altered
            if places.with_report and not interrupts.wants_end_now:
                ending = Ending(reports=str(places.reports))
                found = KIND.read(folder.path)
                written = int(try_report(KIND, folder.path, found, ending))
                code = code or written
        if outcome.interrupted:
            say(
                f"interrupted after {outcome.done} of {outcome.total} launches; they are kept: go "
                f"on with ./isobath bench collectives --resume {typed_bench(folder)}"
            )
        say(f"benchmark {shown(folder.path)}")
    return code


def _refine(folder: BenchFolder) -> bool:
    """Adds arms with sizes inside the intervals of switch points; whether there are any."""
    measured = read_measured(folder)
    added: dict[str, list[MeasuredCell]] = defaultdict(list)
    sizes: dict[str, list[int]] = defaultdict(list)
    for switch in switches_of(measured):
        for size in sizes_of_switches(switch):
            added[switch.curve.first.arm.arm].append(switch.curve.first)
            sizes[switch.curve.first.arm.arm].append(size)
    arms = {arm.arm: arm for arm in measured.spec.arms}
    number = folder.refinements() + 1
    fresh: list[Arm] = []
    for name, ones in added.items():
        cells = dict.fromkeys(
            one.cell.model_copy(update={"size_bytes": size})
            for one, size in zip(ones, sizes[name], strict=True)
        )
        told = {"arm": f"{name}r{number}", "cells": tuple(cells)}
        fresh.append(arms[name].model_copy(update=told))
    if fresh:
        added_sizes = count_of(sum(len(arm.cells) for arm in fresh), "size")
        say(f"round {number}: {added_sizes} at switch points")
        folder.add_arms(fresh)
    return bool(fresh)


def _show_plan(spec: BenchSpec, folder: BenchFolder) -> int:
    """``--dry-run``: every launch in its order, and what is in each arm."""
    for arm in spec.arms:
        names = dict.fromkeys(cell.collective for cell in arm.cells)
        forced = " ".join(f"{name}={value}" for name, value in sorted(arm.environment.items()))
        ranks, cells = count_of(arm.ranks, "rank"), count_of(len(arm.cells), "cell")
        print(f"{arm.arm}  {arm.mpi}, {ranks}, {cells}  {forced}".rstrip())
        print(f"      {', '.join(names)}")
    print("order: " + " ".join(f"{arm.arm}-{launch}" for arm, launch in folder.to_do(spec)))
    print(f"benchmark folder: {shown(folder.path)}")
    return int(ExitCode.DONE)


def _check_view(view: str) -> None:
    if view in (*KIND.views, JSON, REPRODUCERS) or view.startswith(REPRODUCER):
        return
    there = ", ".join((*KIND.views, JSON, REPRODUCERS, f"{REPRODUCER}CELL"))
    raise UsageError(f"there is no view {view}; there are {there}")


def _check_planned(view: str, spec: BenchSpec) -> None:
    """Raises: UsageError for the reproducer of a cell that will not be measured."""
    wanted = view.removeprefix(REPRODUCER)
    if view.startswith(REPRODUCER) and not is_planned(spec, wanted):
        raise UsageError(
            f"--view {view}: no such cell is in this benchmark; write for example "
            f"{REPRODUCER}alltoall:4096 with a collective and size that are measured"
        )


def _print(folder: BenchFolder, view: str) -> int:
    """Shows a view. Returns 3 where a launch is not as it was sealed."""
    found = KIND.read(folder.path)
    measured = found.measured
    if view.startswith(REPRODUCER):
        one = find_cell(measured.cells, view.removeprefix(REPRODUCER))
        print(_program(measured, one), end="")
    elif view == REPRODUCERS:
        _write_reproducers(measured, folder.path / REPRODUCERS)
    else:
        is_json = view == JSON
        show_found(KIND, folder.path, found, view=None if is_json else view, as_json=is_json)
        if not is_json and KIND.views[view].has_places:
            print(f"bench   {shown(folder.path)}")
    return int(KIND.code(found))


def _program(measured: Measured, one: MeasuredCell) -> str:
    """The reproducer of a cell. Raises: UsageError where it cannot be written as a file."""
    libraries = {row.run_id: row.mpi.library_version for row in measured.launch_records}
    library = libraries.get(one.first.run_id, one.arm.mpi)
    return reproducer(one, library, measured.spec.matrices)


def _write_reproducers(measured: Measured, folder: Path) -> None:
    """A program for every cell that some finding is about; prints their paths."""
    flagged = flagged_cells(measured)
    if not flagged:
        say("no cell is flagged: there is nothing to measure again")
    for one in flagged:
        try:
            text = _program(measured, one)
        except UsageError as problem:
            say(f"left out: {problem}")
            continue
        folder.mkdir(exist_ok=True)
        path = folder / file_name(one)
        path.write_text(text, encoding="utf-8")
        print(shown(path))


def find_cell(cells: Sequence[MeasuredCell], wanted: str) -> MeasuredCell:
    """The cell that ``COLLECTIVE[:SIZE[:ALGORITHM]]`` names; the first where several are alike.

    Raises: UsageError where there is none.
    """
    words = wanted.split(":")
    for one in cells:
        named = [one.cell.collective, str(one.cell.size_bytes), one.choice]
        if words == named[: len(words)] and (len(words) > 2 or one.cell.algorithm is None):
            if len(words) < 2 and one.cell.collective not in WITHOUT_SIZE:
                continue
            return one
    raise UsageError(
        f"there is no cell {wanted}; write for example {REPRODUCER}alltoall:4096 with a size that "
        "was measured"
    )
