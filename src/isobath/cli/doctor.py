# SPDX-License-Identifier: Apache-2.0
"""isobath doctor: what works here, and what to fix."""

import json
import textwrap
from dataclasses import asdict
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import typed_here
from isobath.cli.store_options import Reports, StoreOrOlder
from isobath.cli.terminal import columns
from isobath.doctor.finding import Finding
from isobath.doctor.machine_findings import machine_findings
from isobath.doctor.tool_findings import mpi_finding, tool_findings
from isobath.errors import ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.limits import Asked
from isobath.launch.mpi_library import choose_library, inventory
from isobath.machine.facts import read_machine

MARKS = {"good": "ok", "warning": "!!", "bad": "NO"}

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")]
Quick = Annotated[bool, typer.Option("--quick", help="Do only a tiny validated search on 2 ranks.")]
Limits = Annotated[
    bool,
    typer.Option(
        "--limits", help="Only measure bandwidth and latency of the memory, for later reports."
    ),
]
Libraries = Annotated[
    bool, typer.Option("--libraries", help="Only list the MPI libraries of this machine.")
]
MpiOnly = Annotated[
    bool, typer.Option("--mpi", hidden=True, help="Name of --libraries in earlier versions.")
]
Studies = Annotated[
    bool, typer.Option("--studies", help="Only look for credentials that stored studies hold.")
]
TakeOut = Annotated[
    list[str] | None,
    typer.Option(
        "--take-out",
        autocompletion=completion.studies,
        metavar="ID",
        help="Rewrite this study without its credentials; repeatable, or all.",
    ),
]


def doctor(
    *,
    as_json: Json = False,
    quick: Quick = False,
    limits: Limits = False,
    libraries: Libraries = False,
    mpi: MpiOnly = False,
    studies: Studies = False,
    take_out: TakeOut = None,
    store: StoreOrOlder = None,
    reports: Reports = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Say what works on this machine and what to fix; ends with 3 where something does not work.

    Looks at compiler, MPI libraries, processors, memory and its limits, huge pages, /dev/shm, load,
    network namespaces and noise, runs a tiny validated search, and says of the profiler and of
    every benchmark whether it works. Names stored studies that hold a credential; --take-out
    rewrites one without it.
    """
    from isobath.cli.take_out import take_out_of
    from isobath.doctor.study_findings import study_findings
    from isobath.study.home import reports_folder, shelf

    installation = Installation.here()
    studies_here, pages = shelf(store), reports_folder(reports)
    if take_out:
        return take_out_of(studies_here, pages, take_out)
    asked = Asked(hang_seconds, time_limit)
    findings: list[Finding] = []
    if libraries or mpi:
        findings = [mpi_finding(library, installation) for library in inventory(installation)]
    elif quick:
        findings = [_quick(installation, asked)]
    elif limits:
        findings = _limits(installation, asked)
    elif studies:
        findings = study_findings(studies_here, pages)
    else:
        from isobath.doctor.namespace_finding import namespace_finding
        from isobath.doctor.noise import measure_noise, noise_finding

        findings = tool_findings(installation) + machine_findings(read_machine())
        findings.append(namespace_finding())
        findings += [noise_finding(measure_noise()), _quick(installation, asked)]
        findings += _laboratories(installation)
        findings += study_findings(studies_here, pages)
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        _show(findings)
    if any(finding.timed_out for finding in findings):
        return int(ExitCode.TIMEOUT)
    bad = any(finding.status == "bad" for finding in findings)
    return int(ExitCode.ENVIRONMENT if bad else ExitCode.DONE)


def _quick(installation: Installation, asked: Asked) -> Finding:
    from isobath.doctor.quick_run import quick_run

    try:
        library = choose_library(installation, None)
    except IsobathError as error:
        return Finding("quick run", "bad", str(error), "./isobath setup")
    return quick_run(library, read_machine().usable_cpus, asked)


def _laboratories(installation: Installation) -> list[Finding]:
    """Nothing without an MPI: that is said already."""
    from isobath.doctor.laboratory_findings import laboratory_findings

    try:
        library = choose_library(installation, None)
    except IsobathError:
        return []
    return laboratory_findings(installation, library, read_machine())


def _limits(installation: Installation, asked: Asked) -> list[Finding]:
    from isobath.doctor.limit_findings import limit_findings
    from isobath.launch.memory_limits import PROGRAM, keep_limits, measure_limits

    program = choose_library(installation, None).program(PROGRAM)
    measured = measure_limits(program, read_machine(), asked=asked)
    keep_limits(installation.state_folder, measured)
    return limit_findings(measured)


def _show(findings: list[Finding]) -> None:
    name_width = max((len(finding.name) for finding in findings), default=0)
    for finding in findings:
        _print(f"{MARKS[finding.status]}  {finding.name:{name_width}}  ", finding.words)
        if finding.remedy and finding.status != "good":
            _print(f"    {'':{name_width}}  ", f"remedy: {finding.remedy}")
    if not findings:
        print(typed_here("no MPI was found; the default comes with ./isobath setup"))


def _print(first: str, words: str) -> None:
    """In a terminal on as many lines as they need there; on one for other programs."""
    words = typed_here(words)
    wide = columns()
    if wide is None:
        print(f"{first}{words}")
        return
    # A path is not broken, for who copies it; names as wide as half of the line leave no room.
    indent = " " * (len(first) if len(first) <= wide // 2 else 4)
    print(textwrap.fill(words, wide, initial_indent=first, subsequent_indent=indent,
                        break_long_words=False, break_on_hyphens=False))  # fmt: skip
