# SPDX-License-Identifier: Apache-2.0
"""isobath test: everything that proves this checkout on this machine."""

import itertools
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.suite_results import Results, results_of
from isobath.cli.suites import (
    Suite,
    cross_suites,
    engine_suites,
    left_out_engine,
    not_covered,
    python_suites,
    run_suite,
    slow_suites,
    style_suites,
    thread_suites,
)
from isobath.cli.terminal import say
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.machine.facts import read_machine
from isobath.settings.values import no_choice
from isobath.units import format_seconds

PARTS = ("engine", "style", "python")
SUITE_SECONDS = 4 * 3600.0
"""Each test has a limit of its own; this one is for machines with other work. What had passed by
then counts."""
SHOWN_LINES = 40
COMPLETE = "ISOBATH_TEST_COMPLETE"
"""Set to 1: what is left out for want of a package has failed."""

Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PART",
        autocompletion=completion.one_of(("engine", "style", "python")),
        help="Run only this part: engine, style or python; repeatable.",
    ),
]
Mpi = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="Run only the engine tests of this MPI.",
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="WORDS", help="Arguments for pytest, for example a file."),
]


Slow = Annotated[
    bool, typer.Option("--slow", help="Run only tests that take long: 64 ranks, all grids, races.")
]
Cross = Annotated[
    bool, typer.Option("--cross", help="Run only the engine for 64-bit ARM, emulated.")
]


def run_tests(
    words: Words = None,
    *,
    only: Only = None,
    mpi: Mpi = None,
    slow: Slow = False,
    cross: Cross = False,
) -> int:
    """Run all test suites of this checkout: engine under every MPI, style, Python, whole system.

    With --slow alone, every plan on 64 ranks, on every grid with several threads, and under the
    sanitizer of threads instead; with --cross alone, the engine built for 64-bit ARM against the
    golden facts under an emulator. Ends with 1 where a test failed. What is left out for want of a
    package, and what this machine cannot cover, is named at the end.
    """
    parts = only or ([] if slow or cross else list(PARTS))
    for part in parts:
        if part not in PARTS:
            raise no_choice("--only", part, PARTS)
    installation = Installation.here()
    machine = read_machine()
    suites: list[Suite] = []
    if "engine" in parts:
        suites += engine_suites(installation, mpi, machine.usable_cpus)
        if not suites:
            raise EnvironmentProblem(
                "there is no test build of the engine; ./isobath test of the checkout makes it"
            )
        suites += thread_suites(installation, machine.usable_cpus) if mpi is None else []
    if "style" in parts:
        suites += style_suites(installation)
    if "python" in parts:
        suites += python_suites(installation, words or [])
    if slow:
        suites += engine_suites(installation, mpi, machine.usable_cpus, slow=True)
        suites += slow_suites(installation, words or [])
    if cross:
        suites += cross_suites(installation)
    logs = _log_folder(installation)
    total = Results()
    if "engine" in parts and not mpi:
        total += Results(left_out=tuple(left_out_engine(installation)))
    started = time.monotonic()
    for suite_results in results(suites, logs, machine.usable_cpus):
        total += suite_results
    # For anything less, set-up may not have looked at the MPI libraries.
    gaps = not_covered(installation, machine) if {"engine", "python"} & set(parts) else []
    omissions = total.omissions()
    if os.environ.get(COMPLETE, "0") not in ("", "0"):
        total = total.complete()
    _close(total, time.monotonic() - started, omissions, gaps, logs)
    return 1 if total.failed else 0


def results(suites: list[Suite], logs: Path, cpus: int) -> Iterator[Results]:
    """One suite after the other; those of style, each a program of one thread, side by side."""
    for part, together in itertools.groupby(suites, key=lambda suite: suite.part):
        with ThreadPoolExecutor(cpus if part == "style" else 1) as pool:
            yield from pool.map(_run, together, itertools.repeat(logs))


def _run(suite: Suite, logs: Path) -> Results:
    log = logs / f"{suite.name.replace(' ', '-').replace(',', '')}.txt"
    say(f"{suite.name} ...")
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="isobath-test-") as folder:
        junit = Path(folder) / "junit.xml"
        status = run_suite(suite, junit, log, SUITE_SECONDS)
        suite_results = results_of(suite.name, status, junit if suite.junit else None)
    took = format_seconds(time.monotonic() - begin)
    say(f"{suite.name}: {suite_results.sentence()} in {took}")
    if suite_results.failed:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        for line in lines[-SHOWN_LINES:]:
            print(f"    {line}", file=sys.stderr)
        say(f"all of it: {log}")
    return suite_results


def _close(
    total: Results, seconds: float, omissions: list[str], gaps: list[str], logs: Path
) -> None:
    for name in total.failed:
        print(f"FAILED   {name}")
    for name in total.skipped:
        print(f"skipped  {name}")
    for line in omissions:
        print(line)
    if gaps:
        print("this machine cannot cover:")
    for gap in gaps:
        print(f"  {gap}")
    print(f"{total.sentence()} in {format_seconds(seconds)} (logs in {logs})")


def _log_folder(installation: Installation) -> Path:
    folder = installation.state_folder / "test-log"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
