# SPDX-License-Identifier: Apache-2.0
"""Studies that Python asks for, under the real engine; the notebook of the documentation."""

import ast
import json
import signal
from pathlib import Path
from typing import Any

import pytest

from isobath import api
from isobath.errors import UsageError
from system.laboratory import Laboratory

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebooks" / "first-study.ipynb"


@pytest.fixture(autouse=True)
def place(lab: Laboratory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The engine of the laboratory; studies of its own."""
    monkeypatch.setenv("ISOBATH_STORE", str(tmp_path))
    return tmp_path


def test_the_notebook_runs_a_study_reads_tables_and_draws(place: Path) -> None:
    cells = [one for one in json.loads(NOTEBOOK.read_text())["cells"] if one["cell_type"] == "code"]
    assert len(cells) == 5
    names: dict[str, Any] = {}

    shown = [_value_of("".join(cell["source"]), names) for cell in cells]

    assert "<table>" in shown[0]._repr_html_()
    assert len(shown[1]) == 8
    assert shown[2] == "nothing is wrong with it"
    assert shown[3].sum() > 0
    assert shown[4].to_dict()["mark"]["type"] == "bar"
    (found,) = api.studies("run")
    assert found == names["run"]
    assert json.loads((found.path / "run.json").read_text())["command"] == ["library"]


def _value_of(source: str, names: dict[str, Any]) -> Any:
    """Of the last line of a cell, as a notebook shows it."""
    *before, last = ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_a_race_and_a_search_are_stored_and_nothing_is_caught(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    handlers = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    (place / "graph.el").write_text("0 1\n1 2\n2 3\n")

    raced = api.race(
        scale=8, keys=2, ranks=[1], threads=1, plan=["hybrid", "simple"], audit=False, seed=1
    )
    told: list[str] = []
    searched = api.search(place / "graph.el", roots=(0,), ranks=1, threads=1, progress=told.append)

    assert (raced.kind, len(raced.table("cells")), raced.problems) == ("race", 2, ())
    assert (searched.kind, searched.problems) == ("search", ())
    assert told[0] == "search begins: graph.el"
    assert told[-1] == f"{searched.id} ended well"
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert capfd.readouterr() == ("", "")


def test_a_benchmark_is_stored(place: Path) -> None:
    told: list[str] = []

    found = api.bench(
        "collectives",
        collectives=("bcast",),
        sizes="64",
        ranks=(2,),
        launches=1,
        budget=0.1,
        progress=told.append,
    )

    assert found.kind == "bench collectives"
    assert found.row.state == "complete"
    assert set(found.table("cells")["cell_collective"]) == {"bcast"}
    assert any(line.startswith("[1/1]") for line in told)


def test_what_there_is_not_is_said_with_what_is_near() -> None:
    with pytest.raises(UsageError, match="there is no setting scal of run; did you mean scale"):
        api.run(scal=8)
    with pytest.raises(UsageError, match="report is of the command alone"):
        api.run(scale=8, report=True)
    with pytest.raises(
        UsageError, match="there is no setting launch of bench overlap; did you mean"
    ):
        api.bench("overlap", launch=1)
    with pytest.raises(UsageError, match="there is no setting scal"):
        api.race(scal=8)
