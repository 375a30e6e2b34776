# SPDX-License-Identifier: Apache-2.0
"""Whoever measures from Python is told when a launch begins, what goes on, and how it ended."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout, checkout
from isobath import api
from isobath.errors import ExitCode, UsageError
from isobath.launch.engine_run import Progress
from isobath.launch.interrupts import NeverStop
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.ids import make_id
from isobath.study.sealing import LIBRARY, EndedRun, Origin, seal_launch

__all__ = ["checkout"]

Told = list[str]


@pytest.fixture(autouse=True)
def two_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SEARCHES", "2")


def test_a_run_tells_its_beginning_phases_and_end(checkout: Checkout) -> None:
    told: Told = []

    made = api.run(scale=10, ranks=2, threads=1, keys=2, progress=told.append)

    assert any(line.startswith(f"{made.id} begins: scale 10, 2 ranks") for line in told)
    first = next(k for k, line in enumerate(told) if " begins: " in line)
    assert told[-1] == f"{made.id} ended well"
    assert len(told) > first + 2, "and what went on between"


@pytest.mark.parametrize(
    "measure",
    [
        lambda progress: api.bench("cg", elements=8, ranks=2, petsc=False, profile=False,
                                   progress=progress, launches=1),
        lambda progress: api.race(plan=["simple", "two-dim"], ranks=2, scale=10, threads=1,
                                  ladder=False, progress=progress),
    ],
    ids=["bench", "race"],
)  # fmt: skip
def test_a_study_tells_of_every_launch(
    checkout: Checkout, measure: Callable[[Callable[[str], None]], api.Study]
) -> None:
    told: Told = []

    made = measure(told.append)

    numbers = [line.partition(" ")[0] for line in told if line.startswith("[")]
    count = made.resume().total
    assert numbers == [f"[{k}/{count}]" for k in range(1, count + 1)]


def launched(store: Path) -> RunFolder:
    """A launch that ended well, without a program."""
    run = OpenRun(store, make_id("search"))
    seal_launch(
        run, None, Origin("fake", LIBRARY), elapsed_seconds=0.0, code=ExitCode.DONE, message="",
        verdict="unvalidated",
    )  # fmt: skip
    return RunFolder(run.sealed_path)


def test_a_search_tells_its_beginning_phases_and_end(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "graph.el").write_text("0 1\n", encoding="utf-8")
    told: Told = []

    def search(_: Any, store: Path, *__: Any, watch: Callable[[Progress], None], **___: Any) -> Any:
        for phase in ("start", "generate", "generate", "top_down", "bottom_up", "write"):
            watch(Progress(0.1, phase, -1))
        return EndedRun(launched(store), None, ExitCode.DONE, None)

    monkeypatch.setattr("isobath.api.measure.search_file", search)

    made = api.search(tmp_path / "graph.el", progress=told.append, stop=NeverStop())

    assert told == [
        "search begins: graph.el", "starting", "generating edges", "searching", "writing results",
        f"{made.id} ended well",
    ]  # fmt: skip


def test_a_profile_tells_its_beginning_and_end(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: Told = []

    class Profiled:
        folder = launched(checkout.prefix / "studies")

    asked: dict[str, Any] = {}
    monkeypatch.setattr("isobath.api.measure.prepare", lambda *_, **more: asked.update(more))
    monkeypatch.setattr("isobath.api.measure.profile_program", lambda *_: Profiled)

    made = api.profile(["mpirun", "-n", "2", "./program"], progress=told.append, abi="ompi")

    assert asked == {"abi": "ompi", "pcontrol": "isobath"}
    with pytest.raises(UsageError, match="level_sites"):
        api.profile(["./program"], level_sites="x")

    assert told == ["profile begins: mpirun -n 2 ./program", f"{made.id} ended well"]
