# SPDX-License-Identifier: Apache-2.0
"""Studies inside a regression: each with its own settings, launches and cells."""

from dataclasses import replace
from pathlib import Path

import pytest

from baseline.made_baselines import FACTS
from guard.made_regressions import (
    BCAST,
    archive_of,
    baseline_of,
    found_of,
    in_turns,
    side_of,
    times,
)
from isobath.baseline.gathering import cell_from, check_one_library, names_of
from isobath.compared.launch_facts import BUILD
from isobath.comparison.matching import match
from isobath.comparison.measured import Cell, Side, Taken
from isobath.errors import UsageError
from isobath.kinds.regress.members import told_apart
from isobath.kinds.regress.outcome import outcome_of
from isobath.kinds.regress.plan import MemberPlan, RegressFolder, turn_of
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import RegressFound, turns_done, zip_members
from isobath.store.folders import MANIFEST


def sealed(folder: RegressFolder, member: MemberPlan, *names: str) -> None:
    for name in names:
        run = folder.member(member).runs / name
        run.mkdir(parents=True)
        (run / MANIFEST).touch()


@pytest.mark.parametrize(
    ("launches", "names", "turns"),
    [
        ((2, 2), ["a01-1"], 0),
        ((2, 2), ["a01-1", "a02-1"], 1),
        ((2, 2), ["a01-1", "a02-1", "a02-2"], 1),
        ((2, 1), ["a01-1", "a02-1", "a02-2"], 2),  # one is launched in the first turn alone
        ((2, 2), ["a01-1", "a02-1", "a01-2", "a02-2", "a01-profile"], 2),
        (None, ["a01-1", "a01-2"], 2),  # of plans of before
    ],
)
def test_a_turn_is_done_when_all_of_its_launches_are(
    launches: tuple[int, int] | None, names: list[str], turns: int, tmp_path: Path
) -> None:
    folder = RegressFolder(tmp_path)
    found = in_turns({BCAST: times(1e-6)}, {BCAST: times(1e-6)})
    members = tuple(one.model_copy(update={"launches": launches}) for one in found.plan.members)
    for member in members:
        sealed(folder, member, *names)

    assert turns_done(folder, found.plan.model_copy(update={"members": members})) == turns
    assert [turn_of(name) for name in ("a01-12", "c2-0", "a01-profile")] == [12, 0, 0]


def test_two_studies_of_one_kind_are_two_members() -> None:
    (first,) = archive_of({BCAST: times(1e-6)}).members
    second = first.model_copy(update={"settings": {"ranks": [4]}})

    assert told_apart([first, second], [first, second]) == [(0, "bench"), (1, "bench-2")]
    assert told_apart([first, second], [second]) == [(1, "bench")]
    archive = archive_of({BCAST: times(1e-6)})
    baseline = baseline_of(archive.model_copy(update={"members": (first, second)}))
    plans = [MemberPlan(side="new", kind=first.kind, word=f"bench{place}", settings={}, plan={},
                        place=place) for place in (1, 0)]  # fmt: skip
    sides = [Side(f"of {place}", ("s",), first.kind, ()) for place in (1, 0)]

    together = [(one.settings, side.name) for one, side in zip_members(baseline, plans, sides)]

    assert together == [({"ranks": [4]}, "of 1"), ({"ranks": [2]}, "of 0")]


def twice(found: RegressFound, *names: SideName) -> RegressFound:
    """Launches of a second arm are of the same cell, and take four times as long."""
    (cell,) = found.cells
    sides = dict(cell.sides)
    for name in names:
        first = sides[name]
        more = tuple(Taken(4 * taken.value, f"a02-{turn_of(taken.launch)}")
                     for taken in first.taken[:-1])  # fmt: skip
        sides[name] = replace(first, taken=(*first.taken, *more))
    return replace(found, cells=(replace(cell, sides=sides),))


def test_several_launches_of_a_turn_are_one_value() -> None:
    """Only those of the last counted, or each by itself, as if they were independent."""
    found = in_turns({BCAST: times(1e-6)}, {BCAST: times(1e-6, seed=2)})

    both = twice(found, "old", "new")
    (cell,) = both.cells

    assert sorted(cell.by_turn("new")) == list(range(1, 20)), "the last turn lacks a launch"
    first = cell.sides["new"].taken[0].value
    assert cell.by_turn("new")[1].value == pytest.approx(2 * first)
    (judged,) = outcome_of(both).cells
    assert judged.word == "the same"
    (uneven,) = outcome_of(twice(found, "new")).cells
    assert (uneven.word, uneven.reason) == (
        "cannot tell", "both libraries do not have the same number of launches of it in a turn",
    )  # fmt: skip


def test_what_pools_two_places_is_named_where_it_is_not_found_again() -> None:
    found = in_turns({BCAST: times(1e-6)}, {BCAST: times(1e-6, seed=2)})
    (cell,) = found.cells
    samples = (*cell.kept.samples, *cell.kept.samples)
    kept = cell.kept.model_copy(update={"samples": samples})

    (pooled,) = outcome_of(replace(found, cells=(replace(cell, kept=kept, sides={}),))).cells
    (plain,) = outcome_of(replace(found, cells=(replace(cell, sides={}),))).cells

    assert pooled.word == plain.word == "cannot tell"
    assert "several nodes or transports are one cell" in pooled.reason
    assert plain.reason == "it was not measured"


@pytest.mark.parametrize("fact", ["MPI library", BUILD])
def test_a_baseline_is_of_one_library(fact: str) -> None:
    first = archive_of({BCAST: times(1e-6)})
    one, same, other = (
        side_of("new", first.cells, {BCAST: times(1e-6)}, facts=FACTS | {fact: words})
        for words in ("MPICH 5.0.2", "MPICH 5.0.2", "MPICH 5.0.3")
    )

    check_one_library([one, same])
    with pytest.raises(UsageError, match=r"this is of 2 \(MPICH 5.0.2, MPICH 5.0.3\): keep each"):
        check_one_library([one, other])


def test_a_regression_that_was_planned_before_reads_as_it_did() -> None:
    sides: dict[SideName, Side] = {}
    first = archive_of({BCAST: times(1e-6)})
    for name in ("old", "new"):
        side: SideName = "old" if name == "old" else "new"
        sides[side] = side_of(side, first.cells, {BCAST: times(1e-6)})
    found = found_of(baseline_of(first), sides)

    assert [member.place for member in found.plan.members] == [None, None]
    ((member, side_found),) = found.measured_again("new")
    assert (member, side_found) == (first.members[0], sides["new"])


def placed(cells: tuple[Cell, ...], *transports: str) -> tuple[Cell, ...]:
    """The same as a benchmark of today tells them: with transport and ranks a node."""
    return tuple(
        replace(cell, settings={**cell.settings, "transport": transport, "ranks per node": 2})
        for cell in cells
        for transport in transports
    )


def test_cells_of_a_baseline_of_before_are_found_where_places_are_told_now() -> None:
    kept = archive_of({BCAST: times(1e-6)}).cells
    now = side_of("new", kept, {BCAST: times(1e-6)})
    before = replace(now, cells=tuple(map(cell_from, kept)))

    (pair,) = match(before, replace(now, cells=placed(now.cells, "tcp"))).pairs

    assert (pair.words, pair.other.settings["transport"]) == ("bcast, 8 B, 2 ranks", "tcp")
    assert names_of(placed(now.cells, "tcp")) == names_of(now.cells), "names stay as they were"
    both = placed(now.cells, "shared-memory", "tcp")
    assert names_of(both) == [
        "bcast, 8 B, 2 ranks, transport shared-memory", "bcast, 8 B, 2 ranks, transport tcp",
    ]  # fmt: skip
    assert not match(before, replace(now, cells=both)).pairs, "which of them, nobody knows"
    placed_before = replace(now, cells=both)
    assert len(match(placed_before, placed_before).pairs) == 2
