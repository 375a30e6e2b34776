# SPDX-License-Identifier: Apache-2.0
"""The engine itself under SimGrid: validated, every byte as in the real run of the same grid."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isobath.costmodel.grid import Grid
from isobath.launch.simgrid import PROGRAM, EngineWords, SimGrid, Simulation
from isobath.prediction.calls import Layout
from isobath.records.codec import read_records
from isobath.simulation.platform import PLATFORMS, Platform
from isobath.simulation.segments import Segment
from isobath.simulation.simgrid import host_file, message_costs, options, platform_xml
from needs import require
from patience import patience
from system.laboratory import Laboratory, records_of

CROSSBAR = PLATFORMS["crossbar"]
COUNTED = ("calls", "traffic_matrix", "message_sizes", "level", "search", "construction", "finish")
"""Records that tell what was sent, and what was found."""

OF_A_MACHINE = (
    "seconds", "teps", "phases", "run_id", "origin", "page_faults", "peak_bytes",
    "peak_bytes_per_rank", "huge_pages_obtained_bytes", "disclosures",
)  # fmt: skip


def simulated(
    lab: Laboratory,
    folder: Path,
    grid: Grid,
    *words: object,
    cost: float = 0.0,
    per_node: int = 1,
    platform: Platform = CROSSBAR,
    costs_by_route: str = "",
) -> subprocess.CompletedProcess[str]:
    """So many ranks on a node; its records are in folder/engine.jsonl."""
    require("simgrid")
    folder.mkdir(exist_ok=True)
    (folder / "p.xml").write_text(platform_xml(platform), encoding="utf-8")
    (folder / "h.txt").write_text(host_file(Layout.even(grid, per_node)), encoding="utf-8")
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))
    asked = ("--grid", str(grid), *map(str, words))
    simulation = Simulation(
        folder / "unused", folder / "p.xml", folder / "h.txt", grid.size, options(platform), "x",
        engine=EngineWords(asked, folder / "engine.jsonl", cost),
        message_costs=costs_by_route or message_costs(platform),
    )  # fmt: skip
    line = simulation.line(simgrid)
    return subprocess.run(
        line.command, capture_output=True, text=True, check=False, timeout=patience(),
        env=lab.environment(**line.environment),
    )  # fmt: skip


def counted(path: Path) -> list[Any]:
    """What was sent and found, in order, without what times and machines differ by."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [_counted(row) for row in rows if row["kind"] in COUNTED]


def _counted(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _counted(inner)
            for name, inner in value.items()
            if name not in OF_A_MACHINE and "seconds" not in name
        }
    return [_counted(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("2x2", ("--scale", 10, "--plan", "hybrid", "--keys", 2)),
        pytest.param("16x1", ("--scale", 14, "--keys", 4), marks=pytest.mark.slow),
        pytest.param(
            "4x4", ("--scale", 14, "--plan", "hybrid", "--keys", 2), marks=pytest.mark.slow
        ),
        pytest.param(
            "2x2", ("--scale", 9, "--kernel", "both", "--keys", 2), marks=pytest.mark.slow
        ),
        *(
            pytest.param(
                "2x2", ("--scale", 9, "--plan", "hybrid", "--keys", 2, "--exchange", exchange),
                marks=pytest.mark.slow,
            )
            for exchange in ("pairwise", "sparse", "one-sided", "persistent", "two-level")
        ),
    ],
)  # fmt: skip
def test_every_record_of_what_was_sent_is_that_of_the_real_run(
    lab: Laboratory, tmp_path: Path, grid: str, words: tuple[object, ...]
) -> None:
    rows, columns = map(int, grid.split("x"))
    ranks = rows * columns
    real = tmp_path / "real.jsonl"
    nodes = ",".join(map(str, range(ranks)))

    here = lab.engine(
        *words, "--grid", grid, "--peer-records", "--record", real, ranks=ranks,
        ISOBATH_NODE_MAP=nodes,
    )  # fmt: skip
    there = simulated(lab, tmp_path / "sim", Grid(rows, columns), *words, "--peer-records")

    assert here.code == 0, here.err
    assert there.returncode == 0, there.stderr
    assert there.stdout.startswith("SIMULATED")
    records = read_records(tmp_path / "sim" / "engine.jsonl")
    assert {record.origin for record in records} == {"simulated"}
    assert counted(tmp_path / "sim" / "engine.jsonl") == counted(real)
    (finish,) = (record for record in records if record.kind == "finish")
    assert (finish.state, finish.violations) == ("complete", 0)


def test_computation_is_told_and_two_simulations_are_alike(lab: Laboratory, tmp_path: Path) -> None:
    """A rank computes for its arcs: the slowest of four has at least a quarter of them."""
    words = ("--scale", 9, "--plan", "two-dim", "--exchange", "alltoallv", "--root", 1)
    seconds, arcs = {}, 0
    for name, cost in (("free", 0.0), ("told", 1e-6), ("again", 1e-6)):
        done = simulated(lab, tmp_path / name, Grid(2, 2), *words, "--warmup", 0, cost=cost)
        assert done.returncode == 0, done.stderr
        records = read_records(tmp_path / name / "engine.jsonl")
        (seconds[name],) = (one.seconds for one in records if one.kind == "search")
        arcs = sum(one.arcs_scanned for one in records if one.kind == "level")

    assert seconds["told"] == seconds["again"]
    computed = seconds["told"] - seconds["free"]
    assert arcs * 1e-6 / 4 <= computed <= arcs * 1e-6


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--scale", 9, "--plan", "hybrid", "--exchange", "neighbour"),
            "needs neighbourhood collectives",
        ),
        (("--scale", 9, "--threads", 2), "a simulated rank has one thread; leave --threads out"),
        (("--scale", 16, "--official"), "a simulated run is not official"),
    ],
)
def test_what_a_simulation_lacks_is_named_in_one_sentence(
    lab: Laboratory, tmp_path: Path, words: tuple[object, ...], sentence: str
) -> None:
    done = simulated(lab, tmp_path / "sim", Grid(2, 2), *words)

    said = [line for line in done.stderr.splitlines() if line.startswith("isobath: ")]
    assert done.returncode == 2, done.stderr
    assert len(said) == 1
    assert sentence in said[0]


def test_a_wrong_cost_of_an_arc_is_refused(lab: Laboratory, tmp_path: Path) -> None:
    done = simulated(lab, tmp_path / "sim", Grid(2, 2), "--scale", 9, cost=-1.0)

    assert done.returncode == 2
    assert "ISOBATH_ARC_SECONDS is '-1.0'; set it to the seconds" in done.stderr


def test_messages_between_nodes_cost_ranks_what_the_platform_says(
    lab: Laboratory, tmp_path: Path
) -> None:
    """10 ms for each that is sent to another node, nothing where both ranks are on one."""
    free, told = Segment(0, 0.0, 0.0, 0.0, 0.0), Segment(0, 0.01, 0.0, 0.0, 0.0)
    platform = replace(CROSSBAR, segments=(told,), node_segments=(free,))
    seconds = {}
    for per_node in (1, 2):
        folder = tmp_path / str(per_node)
        words = ("--scale", 8, "--plan", "two-dim", "--root", 1, "--warmup", 0)

        done = simulated(
            lab, folder, Grid(2, 1), *words, per_node=per_node, platform=platform
        )  # fmt: skip

        assert done.returncode == 0, done.stderr
        records = read_records(folder / "engine.jsonl")
        (seconds[per_node],) = (one.seconds for one in records if one.kind == "search")
    assert seconds[1] > 0.01
    assert seconds[2] < 1e-3


def test_wrong_costs_of_messages_are_refused(lab: Laboratory, tmp_path: Path) -> None:
    done = simulated(lab, tmp_path / "sim", Grid(2, 2), "--scale", 9, costs_by_route="0:1:1")

    said = [line for line in done.stderr.splitlines() if line.startswith("isobath: ")]
    assert done.returncode == 2
    assert len(said) == 1
    assert "ISOBATH_MESSAGE_COSTS is '0:1:1'; it has seven lists of" in said[0]


def test_a_run_is_simulated_by_the_engine_as_people_do_it(lab: Laboratory) -> None:
    require("simgrid")
    words = ("--scale", 9, "--keys", 2, "--threads", 1, "--plan", "two-dim", "--peer-records")
    records = records_of(lab.run(*words, "--ranks", 4, "--grid", "2x2"))
    ledger = {
        (cell.level, str(cell.phase), str(cell.call)): cell.bytes_sent
        for calls in records.calls
        for cell in calls.cells
        if calls.search == 1
    }

    done = lab.isobath("simulate", "last:run", "--engine", "--search", 1, "--no-report")

    assert done.code == 0, done.err
    assert "SIMULATED: the engine searched and validated" in " ".join(done.out.split())
    shown = json.loads(lab.isobath("show", "last:simulate", "--json").out)
    sent = {(one["level"], one["phase"], one["call"]): one["bytes_sent"] for one in shown["steps"]}
    assert {place: size for place, size in sent.items() if size} == {
        place: size for place, size in ledger.items() if size
    }
    assert shown["engine"] is True
    assert 0 < shown["simulated_seconds"] < 1
