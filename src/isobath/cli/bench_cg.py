# SPDX-License-Identifier: Apache-2.0
"""isobath bench cg: does pipelining conjugate gradients pay, and is it the overlap?"""

import json
import secrets
from datetime import UTC, datetime
from typing import Annotated

import typer

from isobath.cli.bench_collectives import refuse_mixture
from isobath.cli.cg_launches import describe, run_all, worst_of
from isobath.cli.cg_petsc import build_program
from isobath.cli.cg_plan import PRESETS, CgRequest, plan_cg
from isobath.cli.cg_profile import profile_arm
from isobath.cli.cg_text import as_json, print_cg
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.overlap_options import MODES
from isobath.cli.places import bench_report_file, benches_folder, reports_folder, shown
from isobath.cli.run_output import say
from isobath.errors import ExitCode
from isobath.krylov.measured import read_measured
from isobath.krylov.spec import CgFolder, resolve_cg_bench
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked

Preset = Annotated[str | None, typer.Option(metavar="NAME", help=f"{', '.join(PRESETS)}.")]
Elements = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Of a side of the mesh; else the preset's.")
]
Iterations = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=1_000_000, help="Of each solve.")
]
Repetitions = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=100_000, help="Solves of a cell.")
]
Launches = Annotated[int | None, typer.Option(metavar="N", min=1, help="Of every arm.")]
Ranks = Annotated[
    str | None, typer.Option(metavar="N,N,...", help="Ranks that compute; default: up to 2.")
]
Threads = Annotated[int | None, typer.Option(metavar="N", min=1, help="Of a rank; default: 1.")]
Progress = Annotated[
    str | None, typer.Option(metavar="A,B,...", help=f"Of: {', '.join(MODES)}; none. Default: all.")
]
Tests = Annotated[
    str | None,
    typer.Option(metavar="K,K,...", help="MPI_Test calls per covering step; default: 4."),
]
Aggregators = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=4096, help="Ranks for offload; default: 1.")
]
Mpi = Annotated[str | None, typer.Option(metavar="A,B,...", help="The MPI libraries.")]
WithPetsc = Annotated[
    bool | None,
    typer.Option("--petsc/--no-petsc", help="PETSc's methods beside ours, where it is."),
]
Profiled = Annotated[
    bool | None,
    typer.Option("--profile/--no-profile", help="One more launch, for shares of MPI calls."),
]
Seed = Annotated[int | None, typer.Option(metavar="N", min=0, help="Of all orders; else drawn.")]
Of = Annotated[str | None, typer.Option(metavar="ID", help="Show one that is stored: id, or last.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Benches = Annotated[str | None, typer.Option(metavar="DIR", help="Default: benches.")]
Reports = Annotated[str | None, typer.Option(metavar="DIR", help="Default: reports.")]
Report = Annotated[bool, typer.Option(help="Write the HTML report.")]


def cg(
    *,
    preset: Preset = None,
    elements: Elements = None,
    iterations: Iterations = None,
    repetitions: Repetitions = None,
    launches: Launches = None,
    ranks: Ranks = None,
    threads: Threads = None,
    progress: Progress = None,
    tests: Tests = None,
    aggregators: Aggregators = None,
    mpi: Mpi = None,
    petsc: WithPetsc = None,
    profile: Profiled = None,
    seed: Seed = None,
    of: Of = None,
    json_output: AsJson = False,
    benches: Benches = None,
    reports: Reports = None,
    report: Report = True,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Conjugate gradients against pipelined ones, on bilinear elements.

    Prints a table for each library, mesh and number of ranks: time of an iteration, what the
    algorithm does and what the overlap does, and where pipelining would break even.
    """
    request = CgRequest(
        preset=preset,
        elements=elements,
        iterations=iterations,
        repetitions=repetitions,
        launches=launches,
        ranks=ranks,
        threads=threads,
        progress=progress,
        tests=tests,
        aggregators=aggregators,
        mpi=mpi,
        petsc=petsc,
        profile=profile,
        seed=seed,
    )
    asked = Asked(hang_seconds, time_limit)
    if of is not None:
        refuse_mixture("--of shows what is stored", request, vars(asked))
        stored = resolve_cg_bench(benches_folder(benches), of)
        return _tell(stored, ExitCode.DONE, json_output, reports, report=False)
    spec, library = plan_cg(request)
    for sentence in spec.left_out:
        say(sentence)
    folder = CgFolder(
        benches_folder(benches) / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-cg-{secrets.token_hex(2)}"
    )
    folder.write_spec(spec)
    ready = (library, build_program(library, folder.path)) if library is not None else None
    with folder.locked(), Interrupts() as interrupts:
        code = run_all(folder, spec, ready, interrupts, say, asked=asked)
        for arm in spec.profiled_arms():
            if interrupts.wants_end:
                break
            came_to = profile_arm(folder, spec, arm, ready, interrupts, asked=asked)
            say(f"profile of {describe(arm)}: {came_to}")
    return _tell(folder, code, json_output, reports, report=report)


def _tell(
    folder: CgFolder, code: ExitCode, json_output: bool, reports: str | None, *, report: bool
) -> int:
    measured = read_measured(folder)
    if json_output:
        print(json.dumps(as_json(measured) | {"bench": folder.path.name}, indent=1))
        for sentence in measured.problems:
            say(sentence)
    else:
        print_cg(measured)
    if report:
        from isobath.report.cg_page import write_cg_report

        page = write_cg_report(
            folder.path, bench_report_file(reports_folder(reports), folder.path.name)
        )
        say(f"report {shown(page)}")
    return int(worst_of({code, *measured.codes}))
