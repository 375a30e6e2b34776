# SPDX-License-Identifier: Apache-2.0
"""Sittings of another build, kernel or nodes are no reference, nor is what went wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from baseline.made_baselines import FACTS
from guard.made_regressions import (
    BCAST,
    BEGAN,
    HOUR,
    archive_of,
    baseline_of,
    found_of,
    side_of,
    sitting,
    times,
)
from isobath.baseline.chain import BaselineFolder
from isobath.baseline.entries import Sitting, line_of
from isobath.compared.launch_facts import BUILD
from isobath.errors import UsageError
from isobath.kinds.regress.concluding import concluded, sitting_of
from isobath.kinds.regress.facts import facts_of
from isobath.kinds.regress.outcome import outcome_of
from isobath.kinds.regress.reading import RegressFound
from isobath.kinds.regress.sitting import planned_sitting
from isobath.kinds.regress.sittings_kept import left_out_sittings, of_archive, valid_sittings
from isobath.launch.mpi_library import MpiLibrary
from isobath.study.planned import Planning
from isobath.study.shelf import Shelf

OWN = FACTS | {BUILD: "aa", "kernel": "6.1"}


def of_noise(level: float = 1e-6, **update: str) -> RegressFound:
    """A sitting, as it is read."""
    first = archive_of({BCAST: times(1e-6, 4)})
    (member,) = first.members
    launches = {name: launch.model_copy(update={"facts": OWN})
                for name, launch in member.launches.items()}  # fmt: skip
    told = member.model_copy(update={"launches": launches})
    side = side_of("new", first.cells, {BCAST: times(level, 24)}, facts=OWN | update)
    made = first.model_copy(update={"members": (told,)})
    return found_of(baseline_of(made), {"new": side}, purpose="noise")


def sittings(facts: dict[str, tuple[str, ...]]) -> list[Sitting]:
    return [
        sitting({BCAST: times(1e-6, 24, seed=10 + place)}, BEGAN + (10 + place) * HOUR, 3e4)
        .model_copy(update={"facts": facts, "study": f"noise-{place}"})
        for place in range(3)
    ]  # fmt: skip


def test_a_sitting_keeps_what_it_was_taken_under() -> None:
    reading = of_noise()
    kept = sitting_of(reading)

    assert kept.facts == {BUILD: ("aa",), "kernel": ("6.1",), "nodes": ("n1",)}
    assert reading.baseline is not None
    assert kept.facts == of_archive(reading.baseline)
    assert '"facts"' not in line_of(kept.model_copy(update={"facts": {}})), "as it was of before"


@pytest.mark.parametrize(
    ("name", "now", "words"),
    [
        (BUILD, "bb", "another MPI build (bb; the baseline has aa)"),
        ("kernel", "6.2", "another kernel (6.2; the baseline has 6.1)"),
        ("nodes", "n2", "another nodes (n2; the baseline has n1)"),
    ],
)
def test_sittings_of_something_else_are_no_reference(name: str, now: str, words: str) -> None:
    reading = of_noise()
    plan = reading.plan.model_copy(update={"purpose": "regression"})
    assert reading.baseline is not None
    archive = reading.baseline.archive
    own = dict(of_archive(reading.baseline))
    same, other, unknown = (
        replace(reading, plan=plan, baseline=baseline_of(archive, *sittings(facts)))
        for facts in (own, own | {name: (now,)}, {})
    )

    assert outcome_of(same).cells[0].word == outcome_of(unknown).cells[0].word == "the same"
    outcome = outcome_of(other)
    assert outcome.cells[0].word == "cannot tell"
    assert f"left out noise-0: {words}" in outcome.cells[0].reason
    assert facts_of(outcome)["sittings"]["left_out"][0] == f"noise-0: {words}"
    assert other.baseline is not None
    assert valid_sittings(other.baseline, other.measured_at) == ()
    assert len(left_out_sittings(other.baseline, other.measured_at)) == 3


def test_made_up_nodes_are_told_by_their_number() -> None:
    """Their names are drawn for every launch."""
    names = [{"nodes": f"isobath-{drawn}-node0, isobath-{drawn}-node1"} for drawn in ("a1", "b2")]

    kept = [sitting_of(of_noise(nodes=told["nodes"])).facts["nodes"] for told in names]

    assert kept == [("made-up node0, made-up node1",)] * 2


def trouble(reading: RegressFound, what: str) -> RegressFound:
    if what == "wrong":
        return replace(reading, wrong_by={"new": ("rank 1 has 3, not 7",)})
    if what == "changed":
        return replace(reading, is_altered=True, problems=("a launch was changed",))
    return replace(reading, **{what: ("a01-3: no result",)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("", ""), ("wrong", "rank 1 has 3, not 7"), ("failed", "a01-3: no result"),
        ("unaudited", "a01-3: no result"), ("changed", "a launch was changed"),
    ],
)  # fmt: skip
def test_a_sitting_that_went_wrong_is_not_added(what: str, words: str, tmp_path: Path) -> None:
    reading = of_noise()
    assert reading.baseline is not None
    folder = BaselineFolder(tmp_path / "studies" / "baselines" / "mpi")
    folder.begin(reading.baseline.archive)
    reading = replace(reading, baseline=folder.read())
    reading = trouble(reading, what) if what else reading
    path = tmp_path / "studies" / reading.folder.study_id

    told = concluded(path, outcome_of(reading))

    kept = folder.read().sittings
    assert len(kept) == (not what)
    if what:
        assert told == (f"nothing is added to mpi: {words}; that is no noise",)


def test_noise_is_not_learned_under_another_build(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    where = "isobath.kinds.regress.sitting."
    library = MpiLibrary(id="wheel", kind="mpich", mpicxx="", mpiexec="", version="5.0.2",
                         healthy=True, standard_abi=True)  # fmt: skip
    monkeypatch.setattr(where + "check_machine", lambda _: None)
    monkeypatch.setattr(where + "choose_library", lambda *_: library)
    monkeypatch.setattr(where + "build_of", lambda _: "bb")
    baseline = of_noise().baseline
    assert baseline is not None

    with pytest.raises(UsageError, match=r"wheel is another build of 5\.0\.2 than the one of mpi"):
        planned_sitting(baseline, 2, "full", 30, None, Planning(tmp_path, Shelf((tmp_path,))))
