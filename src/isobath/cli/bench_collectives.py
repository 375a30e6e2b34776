# SPDX-License-Identifier: Apache-2.0
"""isobath bench collectives: what the collectives of a machine and library cost."""

import os
from datetime import UTC, datetime
from typing import Annotated

import typer

from isobath.bench.folders import PLAN, BenchFolder
from isobath.bench.presets import DEFAULT, PRESETS
from isobath.cli.bench_views import BenchEnding, check_planned, check_view, show_plan
from isobath.cli.limit_options import HANG_WORDS, TIME_WORDS
from isobath.cli.planned import refuse_measuring
from isobath.cli.studies import perform
from isobath.cli.terminal import say
from isobath.disclosure.words import typed_command
from isobath.kinds.collectives.wanted import Request, plan_bench
from isobath.kinds.collectives.work import CollectivesWork
from isobath.kinds.replay.plan import ReplayFolder
from isobath.launch.limits import Asked
from isobath.report.wording import count_of
from isobath.settings.values import split_words, whole_numbers
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kind import ToDo
from isobath.study.kinds import entry_of
from isobath.study.shelf import StoredStudy

KIND = entry_of("bench collectives")
REPLAY = "bench replay"

WHAT, HOW, WHERE = "What is measured", "How it is measured", "Where it goes, what is shown"

Words = list[str] | None

PresetName = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help=f"A prepared choice: {', '.join(PRESETS)}; default {DEFAULT}.",
    ),
]
Collectives = Annotated[
    Words,
    typer.Option(
        metavar="NAME,..",
        rich_help_panel=WHAT,
        help="Collectives to measure; default: the preset's.",
    ),
]
Forms = Annotated[
    Words,
    typer.Option(
        metavar="F,..",
        rich_help_panel=WHAT,
        help="How they are called: blocking, nonblocking, persistent.",
    ),
]
Sizes = Annotated[
    str | None,
    typer.Option(
        metavar="A:B[:F]",
        rich_help_panel=WHAT,
        help="Sizes in bytes: 8,100,64K, or 1:1M to double from 1 to 1M.",
    ),
]
Ranks = Annotated[
    Words,
    typer.Option(
        metavar="N,..",
        rich_help_panel=WHAT,
        help="Numbers of MPI ranks; default: as many as processors.",
    ),
]
Shapes = Annotated[
    Words,
    typer.Option(
        metavar="RxC,..",
        rich_help_panel=WHAT,
        help="Grids that the ranks are laid out in: 2x2, 2x2x2.",
    ),
]
Along = Annotated[
    Words,
    typer.Option(
        metavar="A,..",
        rich_help_panel=WHAT,
        help="Which ranks take part: world, row, col, or dimension 0, 1, 2.",
    ),
]
Together = Annotated[
    bool | None,
    typer.Option(rich_help_panel=WHAT, help="Let all rows, or all columns, run at once."),
]
Counts = Annotated[
    Words,
    typer.Option(
        metavar="D,..",
        rich_help_panel=WHAT,
        help="Who sends how much: uniform, zipf:S, sparse:K, block:B.",
    ),
]
Datatypes = Annotated[
    Words,
    typer.Option(
        metavar="T,..", rich_help_panel=WHAT, help="Types of the elements: byte, int32, double, ..."
    ),
]
Operations = Annotated[
    Words,
    typer.Option(
        metavar="OP,..",
        rich_help_panel=WHAT,
        help="Operations of reductions: sum, min, max, band, ...",
    ),
]
RootRanks = Annotated[
    Words,
    typer.Option(
        "--root-ranks",
        metavar="N,..",
        rich_help_panel=WHAT,
        help="Ranks that broadcast or gather; default: 0.",
    ),
]
Algorithms = Annotated[
    Words,
    typer.Option(
        metavar="NAME,..",
        rich_help_panel=WHAT,
        help="Algorithms to force beside the library's choice; or all.",
    ),
]
Mpi = Annotated[
    Words,
    typer.Option(
        metavar="NAME,..",
        rich_help_panel=WHAT,
        help="MPI libraries to measure: wheel, system, ..., or all.",
    ),
]
Buffers = Annotated[
    Words,
    typer.Option(
        metavar="B,..", rich_help_panel=HOW, help="State of the buffers: warm, offcache, dirty."
    ),
]
Cadence = Annotated[
    Words,
    typer.Option(
        metavar="C,..",
        rich_help_panel=HOW,
        help="Calls one by one (isolated) or back to back (streaming).",
    ),
]
Alignment = Annotated[
    Words,
    typer.Option(
        metavar="A,..",
        rich_help_panel=HOW,
        help="How ranks start together: barrier:dissemination, roundtime.",
    ),
]
Arrival = Annotated[
    Words,
    typer.Option(
        metavar="P,..",
        rich_help_panel=HOW,
        help="Delays before the call: zero, linear:T, one-late:T.",
    ),
]
Launches = Annotated[
    int | None,
    typer.Option(metavar="N", rich_help_panel=HOW, help="How often everything is launched again."),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", rich_help_panel=HOW, help="Seed of all orders; default: drawn."),
]
HalfWidth = Annotated[
    float | None,
    typer.Option(
        metavar="X", rich_help_panel=HOW, help="Stop where the median is known to this share, 0.02."
    ),
]
Least = Annotated[
    int | None,
    typer.Option(metavar="N", rich_help_panel=HOW, help="Repeat each cell at least so often."),
]
Most = Annotated[
    int | None,
    typer.Option(metavar="N", rich_help_panel=HOW, help="Repeat each cell at most so often."),
]
Budget = Annotated[
    float | None,
    typer.Option(
        metavar="S", rich_help_panel=HOW, help="Seconds that a cell may take in a launch."
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="B",
        rich_help_panel=HOW,
        help="Memory for the buffers of a node, for example 4G.",
    ),
]
Stacks = Annotated[
    bool | None,
    typer.Option("--stacks/--no-stacks", rich_help_panel=HOW,
                 help="Look at stacks to tell which algorithm ran."),
]  # fmt: skip
Offload = Annotated[
    Words,
    typer.Option(
        metavar="O,..",
        rich_help_panel=WHAT,
        help="Offloads to switch on and off: hcoll, sharp, ucc, all.",
    ),
]
CrossCheck = Annotated[
    str | None,
    typer.Option(
        "--cross-check",
        metavar="imb",
        rich_help_panel=HOW,
        help="Launch the Intel MPI Benchmarks (imb) in turns, and compare.",
    ),
]
Imb = Annotated[
    str | None,
    typer.Option(
        metavar="PATH", rich_help_panel=HOW, help="The IMB-MPI1 that --cross-check imb launches."
    ),
]
Refine = Annotated[
    int | None,
    typer.Option(metavar="N", rich_help_panel=HOW, help="Rounds that narrow switch points."),
]
Resume = Annotated[
    str | None,
    typer.Option(
        metavar="ID", rich_help_panel=WHERE, help="Go on with a benchmark: its id, a path, or last."
    ),
]
Of = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        rich_help_panel=WHERE,
        help="Show a stored benchmark: its id, a path, or last.",
    ),
]
View = Annotated[
    str,
    typer.Option(
        metavar="VIEW",
        rich_help_panel=WHERE,
        help="What to print: summary, sizes, algorithms, regret, rules, guidelines, imb, osu, "
        "json, reproducers, or reproducer:CELL.",
    ),
]
Hang = Annotated[
    float | None,
    typer.Option("--hang-seconds", metavar="S", rich_help_panel=HOW, help=HANG_WORDS),
]
Limit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="S", rich_help_panel=HOW, help=TIME_WORDS),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        "--benches",
        metavar="DIR",
        rich_help_panel=WHERE,
        help="Folder of studies; default: studies.",
    ),
]
Reports = Annotated[
    str | None,
    typer.Option(metavar="DIR", rich_help_panel=WHERE, help="Folder of reports; default: reports."),
]
Report = Annotated[bool, typer.Option(rich_help_panel=WHERE, help="Write the HTML report.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", rich_help_panel=WHERE, help="Print the plan, and stop.")
]


def collectives(
    context: typer.Context,
    *,
    preset: PresetName = None,
    collectives: Collectives = None,
    forms: Forms = None,
    sizes: Sizes = None,
    ranks: Ranks = None,
    shapes: Shapes = None,
    along: Along = None,
    together: Together = None,
    counts: Counts = None,
    datatypes: Datatypes = None,
    operations: Operations = None,
    root_ranks: RootRanks = None,
    algorithms: Algorithms = None,
    mpi: Mpi = None,
    buffers: Buffers = None,
    cadence: Cadence = None,
    alignment: Alignment = None,
    arrival: Arrival = None,
    launches: Launches = None,
    seed: Seed = None,
    half_width: HalfWidth = None,
    least: Least = None,
    most: Most = None,
    budget: Budget = None,
    memory_limit: Memory = None,
    stacks: Stacks = None,
    offload: Offload = None,
    cross_check: CrossCheck = None,
    imb: Imb = None,
    refine: Refine = None,
    resume: Resume = None,
    of: Of = None,
    view: View = "summary",
    store: Store = None,
    reports: Reports = None,
    report: Report = True,
    hang_seconds: Hang = None,
    time_limit: Limit = None,
    dry_run: DryRun = False,
) -> int:
    """Measure the collectives of an MPI library: medians over launches, in random order.

    Every option that takes several values is a factor. Data are checked after every repetition.
    """
    request = Request(
        preset=preset,
        collectives=_words(collectives),
        forms=_words(forms),
        sizes=sizes,
        ranks=_numbers(ranks, "--ranks"),
        shapes=_words(shapes),
        along=_words(along),
        together=together,
        counts=_words(counts),
        datatypes=_words(datatypes),
        operations=_words(operations),
        root_ranks=_numbers(root_ranks, "--root-ranks"),
        algorithms=_words(algorithms),
        mpi=_words(mpi),
        buffers=_words(buffers),
        cadence=_words(cadence),
        alignment=_words(alignment),
        arrival=_words(arrival),
        launches=launches,
        seed=seed,
        half_width=half_width,
        least=least,
        most=most,
        budget=budget,
        memory_limit=memory_limit,
        stacks=stacks,
        offload=_words(offload),
        cross_check=cross_check,
        imb=imb,
    )
    asked = Asked(hang_seconds, time_limit)
    check_view(view)
    kinds = (KIND.name, REPLAY)
    if of is not None:
        started = ("resume", "refine", "dry_run", "hang_seconds", "time_limit")
        refuse_measuring(context, "--of shows what is stored", started)
        stored = shelf(store).find(of, kinds)
        kind = stored.entry.load()
        found = kind.read(stored.path)
        BenchEnding(view=view).show(kind, stored.path, found)
        return int(kind.code(found))
    ending = BenchEnding(view=view, with_report=report, reports=reports, asked=asked)
    if resume is not None:
        refuse_measuring(context, "--resume goes on with a benchmark as it was planned")
        stored = shelf(store).find(resume, kinds)
        return _go_on(stored, ending, refine or 0, dry_run=dry_run)
    spec = plan_bench(request, dict(os.environ))
    check_planned(view, spec)
    created = datetime.now(UTC)
    folder = BenchFolder(shelf(store).folders[0] / make_id(KIND.word, created))
    if dry_run:
        return show_plan(folder, spec)
    cells = count_of(sum(len(arm.cells) for arm in spec.arms), "cell")
    say(
        f"{count_of(spec.launches, 'launch', 'launches')} of {count_of(len(spec.arms), 'arm')} "
        f"with {cells}, in random order (seed {spec.seed}), at most "
        f"{spec.stop.budget_seconds:g} s a cell and launch"
    )
    PLAN.begin(folder, spec, created=created, command=typed_command())
    work = CollectivesWork(folder, ending.driver, refine or 0)
    return perform(KIND, folder, ending, ToDo(work))


def _go_on(stored: StoredStudy, ending: BenchEnding, rounds: int, *, dry_run: bool) -> int:
    """What is left of a benchmark, or of a replay."""
    is_replay = stored.entry.name == REPLAY
    folder = ReplayFolder(stored.path) if is_replay else BenchFolder(stored.path)
    check_planned(ending.view or "", folder.spec())
    if dry_run:
        return show_plan(folder, folder.spec())
    work = CollectivesWork(folder, ending.driver, rounds)
    return perform(stored.entry, folder, ending, ToDo(work))


def _words(words: Words) -> tuple[str, ...] | None:
    return split_words(words) or None


def _numbers(words: Words, option: str) -> tuple[int, ...] | None:
    return whole_numbers(option, words, 0) or None
