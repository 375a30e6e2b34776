# SPDX-License-Identifier: Apache-2.0
"""The skeleton of real runs, under MPI and under SimGrid: what the ledger counted, to the byte."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.kinds.race.walk import lines_of, walked
from isobath.kinds.simulate.walked import walked_steps, words_of
from isobath.launch.launcher import launch_line
from isobath.launch.limits import NOTHING_ASKED, of_walk
from isobath.launch.simgrid import PROGRAM, SimGrid, Simulation
from isobath.machine.facts import read_machine
from isobath.prediction.calls import Layout
from isobath.simulation.from_run import PASSIVE, chosen_search, schedule_of_run
from isobath.simulation.from_volumes import Wanted, schedule_of_volumes
from isobath.simulation.from_walk import schedule_of_walk
from isobath.simulation.platform import PLATFORMS, Platform
from isobath.simulation.schedule import Parcel, Schedule, Step, group_size
from isobath.simulation.simgrid import host_file, options, platform_xml
from needs import require
from system.laboratory import Laboratory, records_of

Counts = dict[tuple[int, str, str, str], tuple[int, int]]
CROSSBAR = PLATFORMS["crossbar"]


def skeleton(lab: Laboratory, schedule: Path, ranks: int) -> subprocess.CompletedProcess[str]:
    """On the real MPI."""
    line = launch_line(
        lab.mpi, lab.mpi.program("isobath-skeleton"), [str(schedule)], ranks=ranks, threads=1,
        cpus=read_machine().usable_cpus,
    )  # fmt: skip
    return subprocess.run(
        line.command, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, **line.environment},
    )  # fmt: skip


def simulated(
    lab: Laboratory,
    schedule: Schedule,
    folder: Path,
    *,
    platform: Platform = CROSSBAR,
    algorithms: tuple[str, ...] = (),
) -> str:
    """Standard output under SimGrid, every rank on a node of its own."""
    require("simgrid")
    folder.mkdir(exist_ok=True)
    files = {
        "s.txt": schedule.text(),
        "p.xml": platform_xml(platform),
        "h.txt": host_file(Layout.even(schedule.grid, 1)),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))
    simulation = Simulation(
        folder / "s.txt", folder / "p.xml", folder / "h.txt", schedule.grid.size,
        options(platform, algorithms=algorithms), "x",
    )  # fmt: skip
    done = subprocess.run(
        simulation.line(simgrid).command, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def counts(text: str) -> Counts:
    found: Counts = {}
    for row in rows_of(text):
        if row["call"] != "compute":
            key = (row["level"], row["phase"], row["call"], row["communicator"])
            messages, sent = found.get(key, (0, 0))
            found[key] = (messages + row["messages"], sent + row["bytes_sent"])
    return found


@pytest.mark.parametrize(
    ("plan", "grid"),
    [
        ("two-dim", "2x2"),
        pytest.param("two-dim", "2x3", marks=pytest.mark.slow),
        ("hybrid", "3x2"),
    ],
)
def test_calls_of_a_real_run_are_played_to_the_byte(
    lab: Laboratory, tmp_path: Path, plan: str, grid: str
) -> None:
    rows, columns = map(int, grid.split("x"))
    words = ("--scale", 9, "--keys", 3, "--threads", 1, "--plan", plan, "--peer-records")
    records = records_of(lab.run(*words, "--ranks", rows * columns, "--grid", grid))
    search = chosen_search(records)
    cells = next(one.cells for one in records.calls if one.search == search.index)
    ledger: Counts = {
        (one.level, one.phase, one.call, one.communicator): (one.messages, one.bytes_sent)
        for one in cells
        if one.call not in PASSIVE
    }
    schedule = schedule_of_run(records)
    file = tmp_path / "schedule.txt"
    file.write_text(schedule.text(), encoding="utf-8")

    done = skeleton(lab, file, rows * columns)

    assert done.returncode == 0, done.stderr
    assert counts(done.stdout) == ledger
    assert {row["origin"] for row in rows_of(done.stdout)} == {"measured"}
    first = simulated(lab, schedule, tmp_path / "simulated")
    assert counts(first) == ledger
    assert {row["origin"] for row in rows_of(first)} == {"simulated"}
    assert simulated(lab, schedule, tmp_path / "simulated") == first, "two simulations differ"


@pytest.mark.parametrize(
    ("plan", "grid", "exchange"),
    [("two-dim", "2x3", "own"), ("two-dim", "2x3", "eager"), ("replicated-csr", "3x1", "own")],
)
def test_a_walk_says_what_each_rank_of_a_real_run_sends(
    lab: Laboratory, plan: str, grid: str, exchange: str
) -> None:
    """By level, phase and rank; nothing of the run but the root of its search is told."""
    shape = Grid.typed(grid)
    words = ("--scale", 9, "--keys", 1, "--threads", 1, "--plan", plan, "--peer-records")
    grid_words = ("--ranks", shape.size, "--grid", grid, "--exchange", exchange)
    records = records_of(lab.run(*words, *grid_words))
    root = chosen_search(records).root
    wanted = Wanted(9, Switches.of(plan, exchange=exchange), shape)
    search = json.dumps({"search": 0, "root": root}) + "\n"
    program = lab.mpi.program("isobath-audit")

    done = walked(program, words_of(wanted), search, of_walk(NOTHING_ASKED, 16 << 9, 1))
    found = schedule_of_walk(wanted, root, walked_steps(lines_of(done)))

    assert sent_by_rank(found) == sent_by_rank(schedule_of_run(records, computes=False))


def sent_by_rank(schedule: Schedule) -> dict[tuple[int, str], list[int]]:
    """Bytes of each rank to all others, by level and phase in which any is sent."""
    found: dict[tuple[int, str], list[int]] = {}
    for step in schedule.steps:
        sent = [0] * schedule.grid.size
        others = group_size(schedule.grid, step.along) - 1
        for rank in range(schedule.grid.size):
            to_all = step.by_rank.get(rank, step.each or Parcel(0, 0))
            sent[rank] = to_all.units * others * step.unit
        for (sender, _), parcel in step.by_pair.items():
            sent[sender] += parcel.units * step.unit
        before = found.setdefault((step.level, step.phase), [0] * schedule.grid.size)
        found[step.level, step.phase] = [sum(pair) for pair in zip(before, sent, strict=True)]
    return {place: sent for place, sent in found.items() if any(sent)}


@pytest.mark.parametrize("size", [64, 100_000])
def test_an_alltoall_by_pairs_on_a_crossbar_is_its_arithmetic(
    lab: Laboratory, tmp_path: Path, size: int
) -> None:
    """(p - 1) (2 latency + m / rate): a message crosses two links, and waits for the one before."""
    ranks = 8
    schedule = Schedule(Grid(1, ranks), (Step(0, "fold", "alltoall", "row", each=Parcel(size)),))

    (row,) = rows_of(simulated(lab, schedule, tmp_path, algorithms=("alltoall:pair",)))

    one = 2 * CROSSBAR.latency + size / CROSSBAR.bandwidth
    assert row["seconds_max"] == pytest.approx((ranks - 1) * one, rel=0.01)


def test_gibibytes_to_each_other_are_carried(lab: Laboratory, tmp_path: Path) -> None:
    """Put together they are 2 to 4 GiB for a pair, of which SimGrid died."""
    wanted = Wanted(29, Switches.of("two-dim"), Grid(4, 4))

    rows = rows_of(simulated(lab, schedule_of_volumes(wanted), tmp_path))

    folds = [row for row in rows if row["phase"] == "fold"]
    assert max(row["bytes_sent"] for row in folds) <= 48 << 30
    taken = sum(row["seconds_max"] for row in folds)
    sent = sum(row["bytes_sent"] for row in folds) / 16
    assert taken == pytest.approx(sent / CROSSBAR.bandwidth, rel=0.01)


def test_computation_takes_as_long_as_it_was_told(lab: Laboratory, tmp_path: Path) -> None:
    steps = (
        Step(0, "top_down", "compute", seconds=0.25),
        Step(0, "reduce", "allreduce", "world", each=Parcel(8)),
    )
    row = rows_of(simulated(lab, Schedule(Grid(2, 2), steps), tmp_path))[0]
    assert row["seconds_max"] == pytest.approx(0.25, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nothing\n", "line 1: it does not begin with 'isobath-schedule 1'"),
        ("isobath-schedule 1\ngrid 2 2\n", "it is for 4 ranks, and 1 were started"),
        ("isobath-schedule 1\ngrid 1 1\n", "it has no step"),
        ("isobath-schedule 1\ngrid 1 1\nstep 0 fold put row 1 0 0 0\nend\n", "no call 'put'"),
        ("isobath-schedule 1\ngrid 1 1\nstep 0 fold isend row 1 0 0 0\neach 3 4\nend\n",
         "line 4: 3 units do not make 4 messages"),
        ("isobath-schedule 1\ngrid 1 1\nstep 0 fold isend row 1 0 0 0\npair 0 0 3 1\nend\n",
         "ranks 0 and 0 are no pair"),
        ("isobath-schedule 1\ngrid 1 1\nstep 0 fold isend row 1 0 0 0\neach 3000000000 1\nend\n",
         "it must be 0 to 2147483647"),
        ("isobath-schedule 1\ngrid 1 1\nstep 0 fold isend row 1 0 0 0\n", "the step has no end"),
        ("isobath-schedule 1\ngrid 1 1\nstep 0 fold compute row 1 0 0 0\nseconds -1\nend\n",
         "no number of 0 or more"),
    ],
)  # fmt: skip
def test_what_is_no_schedule_ends_in_a_sentence(
    lab: Laboratory, tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "schedule.txt"
    file.write_text(text, encoding="utf-8")

    done = skeleton(lab, file, 1)

    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_a_plan_is_simulated_as_people_do_it(lab: Laboratory) -> None:
    require("simgrid")

    plan = ("--plan", "two-dim", "--grid", "2x4", "--scale", 16, "--exchange", "alltoallv")
    done = lab.isobath("simulate", *plan, "--nodes", 4, "--platform", "tsubame2", "--no-report")

    assert done.code == 0, done.err
    found = json.loads(lab.isobath("show", "last:simulate", "--json").out)
    assert 0 < found["simulated_seconds"] < 1
    assert "works here, SimGrid" in lab.isobath("doctor").out
