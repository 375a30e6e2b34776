# SPDX-License-Identifier: Apache-2.0
"""simulate --engine without SimGrid: what the engine is asked, what its records have to tell."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compared.test_compare_command import Store, store
from isobath.costmodel.grid import Grid
from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.simulate import session
from isobath.kinds.simulate.engine import (
    arc_seconds,
    differences,
    engine_words,
    searched,
    words_of_plan,
)
from isobath.launch.plain_run import PlainOutcome
from isobath.launch.simgrid import (
    ARC_SECONDS,
    ENGINE,
    MESSAGE_COSTS,
    EngineWords,
    SimGrid,
    Simulation,
)
from isobath.records.codec import read_records
from isobath.records.communication import CallCell
from isobath.records.run_records import RunRecords

__all__ = ["store"]

RUNS = Path(__file__).resolve().parents[2] / "data" / "studies" / "run-whole" / "runs"
(RECORDS,) = RUNS.glob("*/records.jsonl")
PLAN = ("--engine", "--plan", "two-dim", "--grid", "2x2", "--scale", "12", "--no-report")


def told(change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> str:
    """The records of a run, each changed or left out."""
    rows = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    changed = [change(row | {"origin": "simulated"}) for row in rows]
    return "".join(json.dumps(row) + "\n" for row in changed if row is not None)


def as_it_is(row: dict[str, Any]) -> dict[str, Any]:
    return row


def cells() -> tuple[CallCell, ...]:
    return RunRecords.of(read_records(RECORDS)).calls[0].cells


def test_what_changes_what_is_sent_is_asked_again_and_nothing_else() -> None:
    argv = (
        "/bin/isobath-graph500", "--scale", "9", "--threads", "2", "--plan", "hybrid", "--fold",
        "plain", "--record", "r.jsonl", "--no-validation",
    )  # fmt: skip
    assert engine_words(argv, 5) == (
        "--scale", "9", "--plan", "hybrid", "--fold", "plain", "--root", "5", "--warmup", "0",
    )  # fmt: skip
    assert "--exchange" not in words_of_plan(9, "replicated-csr", Grid(4, 1), None)
    assert words_of_plan(9, "two-dim", Grid(2, 2), "pairwise")[4:8] == (
        "--grid", "2x2", "--exchange", "pairwise",
    )  # fmt: skip


def test_an_arc_costs_the_time_outside_of_calls_by_the_arcs_of_a_rank() -> None:
    records = RunRecords.of(read_records(RECORDS))
    index = records.calls[0].search
    levels = [level for level in records.levels if level.search == index]
    inside = sum(cell.seconds_mean for cell in records.calls[0].cells if cell.level >= 0)
    arcs = sum(level.arcs_scanned for level in levels)
    seconds = sum(level.seconds for level in levels) - inside

    cost = arc_seconds(records, index)

    assert cost >= seconds * records.run.ranks / arcs * (1 - 1e-9)
    assert cost <= sum(level.seconds for level in levels) * records.run.ranks / arcs


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda row: row | {"origin": "measured"}, "built with another MPI than SimGrid's"),
        (lambda row: None if row["kind"] == "finish" else row, "did not come to its end"),
        (lambda row: None if row["kind"] == "calls" else row, "did not come to its end"),
        (lambda row: None, "what is no record"),
        (lambda row: row | {"kind": "nothing"}, "what is no record"),
    ],
)
def test_records_that_do_not_tell_a_simulated_search_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None], sentence: str
) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(told(change), encoding="utf-8")
    nothing, wrong = searched(file, ())
    assert nothing is None
    assert sentence in wrong


def test_bytes_of_every_call_have_to_be_those_of_the_run(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(told(as_it_is), encoding="utf-8")
    measured = cells()
    search, wrong = searched(file, measured)
    assert search is not None
    assert wrong == ""
    steps = list(search.steps(measured))
    assert [step.bytes_sent for step in steps] == [cell.bytes_sent for cell in measured]
    assert [step.measured_seconds_max for step in steps] == [one.seconds_max for one in measured]

    place = next(n for n, cell in enumerate(measured) if cell.bytes_sent and cell.level >= 0)
    one = measured[place]
    more = one.model_copy(update={"bytes_sent": one.bytes_sent + 1})
    other = (*measured[:place], more, *measured[place + 1 :])

    _, wrong = searched(file, other)

    assert f"{one.call} in {one.phase} of level {one.level} sent {one.bytes_sent:,} bytes" in wrong
    assert "and in the run nothing" in differences(measured, measured[:place])


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[Simulation]]:
    """In the place of SimGrid: writes the records of another run as the engine's."""

    def set_up(change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> list[Simulation]:
        asked = []

        def pretended(simulation: Simulation, _: SimGrid, **given: Any) -> tuple[PlainOutcome, int]:
            assert simulation.engine is not None
            asked.append(simulation)
            text = told(lambda row: change(row | {"run_id": simulation.run_id}))
            simulation.engine.records.write_text(text, encoding="utf-8")
            given["stdout"].write_text("", encoding="utf-8")
            given["stderr"].write_text("", encoding="utf-8")
            return PlainOutcome(ExitCode.DONE, "", 0.5), 10**8

        simgrid = SimGrid("3.32", "smpirun", tmp_path / "isobath-skeleton-smpi")
        simgrid.skeleton.with_name(ENGINE).touch()
        monkeypatch.setattr(session, "find_simgrid", lambda: simgrid)
        monkeypatch.setattr(session, "simulate", pretended)
        return asked

    return set_up


def test_a_search_by_the_engine_is_kept_validated_and_marked(
    store: Store, pretend: Callable[..., list[Simulation]]
) -> None:
    asked = pretend(as_it_is)

    said = store.isobath("simulate", *PLAN, "--arcs-per-second", "1e8")

    assert said.code == 0, said.err
    assert "simulates the engine itself, 4 ranks on 4 nodes" in " ".join(said.err.split())
    assert "SIMULATED: the engine searched and validated" in " ".join(said.out.split())
    assert "not validated" not in " ".join(said.out.split())
    (simulation,) = asked
    assert simulation.engine is not None
    assert simulation.engine.arc_seconds == pytest.approx(1e-8)
    assert not simulation.schedule.exists()
    shown = store.isobath("show", "last:simulate", "--json").found
    assert (shown["engine"], shown["flows"]) == (True, 0)
    basis = store.isobath("show", "last:simulate", "--view", "basis").out
    assert "those of the engine itself" in " ".join(basis.split())


def test_records_of_a_measured_engine_are_no_simulation(
    store: Store, pretend: Callable[..., list[Simulation]]
) -> None:
    pretend(lambda row: row | {"origin": "measured"})
    said = store.isobath("simulate", *PLAN)
    assert said.code == ExitCode.INTERNAL
    assert "built with another MPI than SimGrid's" in said.err


def test_goal_is_of_calls_that_are_played(store: Store, tmp_path: Path) -> None:
    said = store.isobath("simulate", *PLAN, "--goal", str(tmp_path / "g.goal"))
    assert (said.code, "leave --engine out" in said.err) == (ExitCode.USAGE, True)


def test_the_launch_line_has_the_words_of_the_engine_and_what_an_arc_costs(tmp_path: Path) -> None:
    engine = EngineWords(("--scale", "9"), Path("/r.jsonl"), 2e-9)
    simulation = Simulation(Path("/s"), Path("/p"), Path("/h"), 2, ("--cfg=a:b",), "x",
                            engine=engine)  # fmt: skip
    simgrid = SimGrid("3.32", "smpirun", tmp_path / "isobath-skeleton-smpi")
    with pytest.raises(EnvironmentProblem, match=f"{ENGINE} is not built"):
        simulation.line(simgrid)
    (tmp_path / ENGINE).touch()

    line = simulation.line(simgrid)

    assert list(line.command[-8:]) == [
        str(tmp_path / ENGINE), "--scale", "9", "--record", "/r.jsonl", "--run-id", "x",
        "--cfg=a:b",
    ]  # fmt: skip
    assert line.environment == {ARC_SECONDS: "2e-09", MESSAGE_COSTS: ""}
