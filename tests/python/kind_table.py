# SPDX-License-Identifier: Apache-2.0
"""How tests try every kind of study: the one place of tests that a new kind enters.

What the registry says of a kind, and what follows from its names, stands there alone: its whole
study is tests/data/studies/WORD-whole, of bench cg cg-whole; its program's records that nobody
sealed bare-PROGRAM; the program of the fake MPI fake_mpi/PROGRAM.py.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from interchange.foreign_outputs import osu
from isobath.bench.facts import json_text
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import read_measured as read_bench
from isobath.cli.main import main
from isobath.kinds.cg.facts import facts_of as cg_json
from isobath.kinds.cg.measured import read_measured as read_cg
from isobath.kinds.overlap.facts import facts_of as overlap_json
from isobath.kinds.replay.plan import ReplayFolder
from isobath.kinds.simulate.stored import result_of
from isobath.overlap.folders import OverlapFolder, read_overlap
from isobath.profile.profile import read_profile_file
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.report.run_data import read_run
from isobath.study.folder import StudyFolder
from isobath.study.kinds import KINDS, KindEntry, entry_of

STORED = Path(__file__).resolve().parents[1] / "data" / "studies"

Numbers = dict[str, float]
"""What is read of a study, by the names that tools/study_numbers.py gives it."""


def _nothing(_: Path) -> tuple[str, ...]:
    """Of commands that need nothing else."""
    return ()


def _no_numbers(_: Path) -> Numbers:
    """Of kinds without records of their own."""
    return {}


@dataclass(frozen=True)
class Tried:
    """What only tests know of a kind."""

    compared: frozenset[str]
    """what is held against another study, of its whole one: how names of cells begin"""
    quick: tuple[str, ...]
    """options that make it small, of two ranks"""
    record: str = ""
    """the kind of record that holds its times; empty where it is made of other studies or files"""
    numbers: Callable[[Path], Numbers] = _no_numbers
    """what it reads of a study, where it has records of its own"""
    code: int = 0
    """what its quick command ends with"""
    processes: int = 3
    """that it starts at once: a launcher and two ranks"""
    prepare: Callable[[Path], tuple[str, ...]] = _nothing
    """lays in a checkout what its command names; returns these words"""
    alone: tuple[str, ...] = ()
    """words that its engine program accepts when it is started by itself, where it has one"""
    program: Callable[[Path], tuple[str, ...]] = _nothing
    """of a checkout, what stands at the end of its command"""


def _rates(folder: Path) -> Numbers:
    """The headline of a run, and the number of searches that count."""
    data = read_run(folder)
    kernel = data.records.kernels[0]
    assert data.teps is not None
    return {f"{kernel} searches": len(data.searches), f"{kernel} teps": data.teps.value}


def _rates_of_cells(folder: Path) -> Numbers:
    """Of every cell of a race that has a run."""
    cells = read_results(RaceFolder(folder)).cells
    return {
        f"{one.cell.cell} teps": one.teps.value
        for one in cells
        if one.cell is not None and one.teps is not None
    }


def _calls(folder: BenchFolder) -> Numbers:
    told = {}
    for row in json.loads(json_text(read_bench(folder)))["cells"]:
        cell = row["cell"]
        size = "" if cell["counts"].startswith("recorded:") else f" {cell['size_bytes']}"
        told[f"{cell['collective']}{size} {cell['counts']}"] = row["median_seconds"]
    return told


def _overlaps(folder: Path) -> Numbers:
    groups = overlap_json(read_overlap(OverlapFolder(folder)))["groups"]
    return {
        f"{group['collective']} {group['size_bytes']} {group['ranks']} {row['aggregators']} "
        f"{row['progress']} {row['tests']} {row['work']} {row['work_ratio']}": row["seconds"][
            "overlap"
        ]
        for group in groups
        for row in group["rows"]
    }


def _iterations(folder: Path) -> Numbers:
    groups = cg_json(read_cg(StudyFolder(folder)))["groups"]
    return {
        f"{group['elements']} {row['method']} {row['progress']} {row['tests']}": row[
            "seconds_per_iteration"
        ]
        for group in groups
        for row in group["rows"]
    }


def _of_profile(folder: Path) -> Numbers:
    (world,) = read_profile_file(folder / "records.jsonl")
    return {"ranks": world.whole.ranks, "calls": world.whole.calls}


def _of_simulation(folder: Path) -> Numbers:
    found = result_of(folder)
    return {
        "steps": len(found.steps),
        "bytes sent": sum(one.bytes_sent for one in found.steps),
        "simulated seconds": found.simulated_seconds,
    }


def _a_run(prefix: Path) -> tuple[str, ...]:
    """The run that the stored replay replays."""
    (run,) = (STORED / "replay-whole" / "runs").iterdir()
    shutil.copytree(run, prefix / "runs" / run.name, dirs_exist_ok=True)
    return (run.name,)


def _an_output(prefix: Path) -> tuple[str, ...]:
    """Of the OSU micro-benchmarks."""
    file = prefix / "osu.txt"
    file.write_text(osu(), encoding="utf-8")
    return (str(file),)


def _a_baseline(prefix: Path) -> tuple[str, ...]:
    """Of a benchmark that lies in a store of its own, with a suite of one of its cells."""
    store, suite = prefix / "runs" / "before", prefix / "suite.toml"
    if not (prefix / "baselines").is_dir():
        bench = quick("bench collectives", prefix, "--store", str(store), "--quiet", once=True)
        assert main(list(bench)) == 0
        (study,) = (path for path in store.iterdir() if (path / "study.json").is_file())
        assert main(["baseline", "set", "mpi", str(study)]) == 0
    suite.write_text('cells = ["bcast"]\n', encoding="utf-8")
    return ("mpi", "--suite", str(suite))


def _a_graph(prefix: Path) -> tuple[str, ...]:
    """A path of four vertices."""
    file = prefix / "graph.el"
    file.write_text("0 1\n1 2\n2 3\n", encoding="utf-8")
    return (str(file),)


def _a_program(prefix: Path) -> tuple[str, ...]:
    """What fake_mpi.install lays there."""
    return ("--", str(prefix / "mpiexec"), "-n", "2", str(prefix / "profiled"))


TRIED = {
    "run": Tried(
        record="search",
        numbers=_rates,
        compared=frozenset({"search", "construction"}),
        quick=("--scale", "12", "--ranks", "2", "--threads", "1"),
        alone=("--scale", "8", "--keys", "2"),
    ),
    "search": Tried(
        record="search",
        numbers=_rates,
        compared=frozenset({"search", "construction"}),
        quick=("--ranks", "2", "--threads", "1"),
        alone=("no-such-graph.mtx",),
        prepare=_a_graph,
    ),
    "race": Tried(
        record="search",
        numbers=_rates_of_cells,
        compared=frozenset({"search", "construction"}),
        quick=("--plans", "simple,two-dim", "--ranks", "2", "--scale", "12", "--no-ladder",
               "--threads", "1"),
    ),
    "profile": Tried(
        record="profile",
        numbers=_of_profile,
        compared=frozenset({"program", "time in MPI"}),
        quick=("--abi", "mpich"),
        program=_a_program,
    ),
    "bench replay": Tried(
        record="collective",
        numbers=lambda folder: _calls(ReplayFolder(folder)),
        compared=frozenset({"allgatherv"}),
        quick=("--launches", "3"),
        prepare=_a_run,
    ),
    "bench collectives": Tried(
        record="collective",
        numbers=lambda folder: _calls(BenchFolder(folder)),
        compared=frozenset({"bcast", "allreduce"}),
        quick=("--collectives", "barrier,bcast", "--sizes", "16", "--ranks", "2",
               "--launches", "3", "--algorithms", "none", "--forms", "blocking"),
        alone=("--collective", "allreduce", "--sizes", "8", "--most", "20"),
    ),
    "bench overlap": Tried(
        record="overlap",
        numbers=_overlaps,
        compared=frozenset({"allreduce"}),
        quick=("--progress", "library", "--ranks", "2", "--launches", "3", "--collectives",
               "allreduce", "--sizes", "16", "--tests", "0", "--ratios", "1"),
        alone=("--sizes", "8", "--repetitions", "1", "--collectives", "barrier"),
    ),
    "bench cg": Tried(
        record="krylov",
        numbers=_iterations,
        compared=frozenset({"cg", "single", "gropp", "pipelined"}),
        quick=("--elements", "8", "--progress", "library", "--no-petsc", "--no-profile",
               "--ranks", "2", "--launches", "3"),
        alone=("--elements", "4", "--iterations", "2", "--repetitions", "1"),
    ),
    "model fit": Tried(
        compared=frozenset(),
        quick=("--formula", "alpha + beta*bytes", "--only", "reduce, all calls", "--no-families",
               "--resamples", "40"),
        prepare=_a_run,
    ),
    "simulate": Tried(
        record="skeleton",
        numbers=_of_simulation,
        compared=frozenset(),
        quick=("--plan", "two-dim", "--grid", "1x2", "--scale", "12"),
        processes=2,  # smpirun and the simulator, which has all ranks in it
    ),
    "import": Tried(
        compared=frozenset({"allreduce"}), quick=("--ranks", "4"), prepare=_an_output
    ),
    "regress": Tried(
        compared=frozenset({"bcast", "allreduce"}),
        quick=("--variables", "FAKE_OTHER=1", "--turns", "1"),
        code=6,  # one turn tells nothing
        prepare=_a_baseline,
    ),
}  # fmt: skip

OF_OTHERS = tuple(name for name, tried in TRIED.items() if not tried.record)
"""Kinds made of other studies or of foreign files, without records of their own."""

TIMED = tuple(name for name in TRIED if name not in OF_OTHERS)
"""Kinds whose programs write records."""

SEVERAL = tuple(entry.name for entry in KINDS if not entry.has_one_launch and entry.name in TIMED)
"""Kinds of several launches of their own; those of a regression lie in the studies inside it."""

BENCHES = tuple(name for name in SEVERAL if name.startswith("bench "))

MEASURED = TIMED
"""Kinds that start programs of their own, each under the fake MPI."""

READING = {entry.kind: entry.name for entry in reversed(KINDS) if entry.program}
"""A kind for each way to read what programs wrote by themselves."""

BARE = tuple(READING.values())


def whole(kind: str) -> str:
    """The stored study of a kind in which nothing is missing."""
    return f"{kind.rpartition(' ')[2]}-whole"


def bare(kind: str) -> str:
    """The stored file of records that its program wrote by itself."""
    return f"bare-{program(entry_of(kind))}"


def program(entry: KindEntry) -> str:
    """graph500 of isobath-graph500."""
    return entry.program.removeprefix("isobath-")


def has(kind: str, setting: str) -> bool:
    """Whether a kind has a setting of that name."""
    return setting in entry_of(kind).declaration().by_name


def quick(
    kind: str,
    prefix: Path,
    *more: str,
    seed: int | None = 7,
    once: bool = False,
    with_page: bool = False,
) -> tuple[str, ...]:
    """The command that measures a small study of a kind.

    Args: prefix is the checkout; more are options; once does a single launch of every arm.
    """
    tried = TRIED[kind]
    words = (*kind.split(), *tried.prepare(prefix), *tried.quick)
    if once and has(kind, "launches"):
        words += ("--launches", "1")
    if seed is not None and has(kind, "seed"):
        words += ("--seed", str(seed))
    if not with_page and has(kind, "report"):
        words += ("--no-report",)
    return (*words, *more, *tried.program(prefix))
