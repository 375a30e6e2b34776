# SPDX-License-Identifier: Apache-2.0
"""The simulation of regressions: it resamples launches whole, and can say no."""

from dataclasses import replace
from pathlib import Path

import guard_simulation
import numpy as np
import pytest
from guard_recorded import Recorded, guidelines_of, read_noise
from guard_simulation import (
    Alarms,
    archive,
    both_sides,
    bounds,
    breaks_a_guideline,
    differences,
    doubtful,
    draw_sittings,
    elsewhere,
    flagged,
    held_out,
    power,
    words_of,
)

from guard.made_regressions import BEGAN, HOUR, archive_of, baseline_of, sitting
from isobath.baseline.chain import digest_of
from isobath.baseline.entries import Broken, line_of
from isobath.baseline.gathering import cell_from
from isobath.baseline.portable import text_of
from isobath.guard.design import Design
from isobath.guard.needed import needed_pairs
from isobath.guard.noise import Noise, Scatter
from isobath.kinds.regress.guideline_checks import checks_between


def recorded(
    deviation: float, turns: int | None = None, between: float = 0.0, sittings: int = 2
) -> Recorded:
    rng = np.random.default_rng(1)
    blocks = []
    for _ in range(sittings):
        rows = deviation * rng.standard_normal((40, 3))
        rows[:, 1] = rows[:, 0]  # two cells that share what their launch drew
        blocks.append(rows + between * rng.standard_normal())
    noise = Noise(None, 0.0, 1, 0.0, 0, 1.0, (Scatter(deviation**2, 39),))
    asked = turns or needed_pairs(noise, 0.08, 3)
    return Recorded(("a", "b", "c"), tuple(blocks), (asked,) * 3)


def test_launches_are_drawn_whole() -> None:
    drawn = differences(recorded(0.02), 30, np.random.default_rng(2))

    assert drawn.shape == (30, 3)
    assert np.allclose(drawn[:, 0], drawn[:, 1])
    assert not np.allclose(drawn[:, 0], drawn[:, 2])


def test_a_sitting_that_is_held_out_has_no_part_in_what_is_asked_for() -> None:
    quiet, noisy = recorded(0.01), recorded(0.05)
    both = replace(quiet, sittings=(quiet.sittings[0], noisy.sittings[0]))

    first, second = held_out(both)

    assert first.sittings == (quiet.sittings[0],)
    assert (first.turns[0] or 0) > 2 * (second.turns[0] or 0), "the noisy one was learned from"
    rng = np.random.default_rng(5)
    assert power(first, 60, rng)[0] == 60
    assert power(second, 60, rng)[0] < 30, "a noisy hour that nobody had seen"


def test_other_baselines_are_drawn_from_in_the_cells_of_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = replace(recorded(0.01), turns=(15, 16, None))
    theirs = replace(recorded(0.05, sittings=3), cells=("b", "other", "a"))
    monkeypatch.setattr(guard_simulation, "read_noise", lambda _: theirs)

    several = elsewhere(ours, [Path("theirs.jsonl")])

    assert [(one.cells, one.turns) for one in several] == [(("b", "a"), (16, 15))] * 3
    for one, rows in zip(several, theirs.sittings, strict=True):
        assert np.array_equal(one.sittings[0], rows[:, [0, 2]])


def test_what_is_asked_for_finds_eight_per_cent_and_less_does_not() -> None:
    rng = np.random.default_rng(3)
    hits, of, _ = power(recorded(0.03), 150, rng)
    fewer, _, _ = power(recorded(0.03, turns=10), 150, rng)

    assert hits > 0.9 * of
    assert fewer < hits - 10


def test_no_change_raises_no_alarm_and_a_large_one_does() -> None:
    rng = np.random.default_rng(4)

    assert flagged(recorded(0.03), 20, 0.0, 60, rng).every <= 1
    assert flagged(recorded(0.03), 20, 0.30, 10, rng) == Alarms(10, 10, 0)


def test_guidelines_raise_alarms_as_cells_do() -> None:
    """A sitting whose halves are hours that differ in one cell: the newly broken guideline counts,
    also where cells stay silent.
    """
    rng = np.random.default_rng(11)
    design = Design(3, 40)
    quiet = 0.01 * rng.standard_normal((2, 40, 3))
    rises = quiet.copy()
    rises[0, :, 2] += 0.2  # the library of now takes 22 % longer there

    assert not breaks_a_guideline(quiet, [(2, (0,))], design)
    assert breaks_a_guideline(rises, [(2, (0,))], design)
    assert not breaks_a_guideline(rises, [(0, (2,))], design), "the other side is no guideline"
    assert not breaks_a_guideline(rises, [(2, (0, 1))], design), "two together take longer"
    broken_before = rises + np.array([0.0, 0.0, 0.3])
    assert not breaks_a_guideline(broken_before, [(2, (0,))], design), "that is nothing new"
    faults = sum(
        breaks_a_guideline(
            both_sides(recorded(0.03), 30, rng), [(2, (0,)), (0, (2,))], Design(3, 30)
        )
        for _ in range(200)
    )
    assert faults <= 1


def test_an_alarm_of_cells_and_guidelines_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hit = iter([False, True, True, False])
    monkeypatch.setattr(guard_simulation, "breaks_a_guideline", lambda *_: next(hit))
    monkeypatch.setattr(guard_simulation, "doubtful", lambda *_: np.ones((4, 3), dtype=bool))
    called = iter(["slower", "the same", "the same", "the same", "cannot tell"] + ["faster"] * 9)
    monkeypatch.setattr(guard_simulation, "words_of", lambda *_: next(called))

    assert flagged(recorded(0.03), 20, 0.0, 4, np.random.default_rng(1)) == Alarms(4, 3, 2)


def test_what_is_not_looked_at_exactly_is_never_flagged() -> None:
    """The screen is far below what a look needs, also of heavy tails."""
    rng = np.random.default_rng(5)
    design = Design(1, 24)
    rows = 0.03 * rng.standard_t(2, size=(400, 24, 1)) + 0.05
    may_be = doubtful(rows, design)

    words = [words_of(one[:, 0], design) for one in rows]

    flagged_places = {place for place, word in enumerate(words) if word in ("slower", "faster")}
    assert flagged_places
    assert flagged_places <= set(np.flatnonzero(may_be[:, 0]))
    assert not may_be.all()


def test_sittings_are_drawn_as_blocks_with_what_they_share() -> None:
    blocks = recorded(0.001, between=0.2, sittings=4)
    drawn = draw_sittings(blocks, 12, np.random.default_rng(6))

    means = [rows.mean() for rows in (*drawn.before, drawn.now)]
    assert (len(drawn.before), drawn.now.shape) == (3, (12, 3))
    assert len({round(float(mean), 6) for mean in means}) == 4  # none twice
    assert np.std(means) > 0.05
    assert all(rows[:, 0].std() < 0.01 for rows in drawn.before)


def test_sittings_that_differ_raise_no_alarm_against_the_archive() -> None:
    rng = np.random.default_rng(7)

    assert archive(recorded(0.02, between=0.05, sittings=5), 20, 60, rng) == (0, 0)
    jumped = recorded(0.001, between=0.0, sittings=20)
    rows = (jumped.sittings[0] + 0.3, *jumped.sittings[1:])  # a sitting unlike all others
    alarms, _ = archive(Recorded(jumped.cells, rows, jumped.turns), 20, 100, rng)
    assert 0 < alarms < 30


def test_noise_is_read_as_calibrate_takes_it(tmp_path: Path) -> None:
    """Expired sittings are out of launches and noise alike; close ones are one."""
    rng = np.random.default_rng(8)

    def times(number: int) -> dict[tuple[str, int], list[float]]:
        return {("bcast", 8): list(1e-6 * np.exp(0.01 * rng.standard_normal(number)))}

    kept = [sitting(times(24), BEGAN + gap * HOUR, keep_days=3e4) for gap in (10, 10.1, 20)]
    expired = sitting(times(10), BEGAN + 30 * HOUR, keep_days=-9e3)
    baseline = baseline_of(archive_of(times(5)), *kept, expired)
    lines: list[str] = []
    for entry in baseline.entries:
        previous = digest_of(lines[-1]) if lines else ""
        lines.append(line_of(entry.model_copy(update={"previous": previous})))
    file = tmp_path / "mpi.jsonl"
    file.write_text(text_of(replace(baseline, lines=tuple(lines))), encoding="utf-8")

    found = read_noise(file)

    assert found.cells == ("bcast, 8 B",)
    assert [len(one) for one in found.sittings] == [5, 48, 24]
    assert found.turns[0] is not None
    assert found.guidelines == ()
    assert guard_simulation.main([str(file), "--part", "alarms", "--regressions", "20"]) == 1


def test_guidelines_are_those_that_regress_looks_at() -> None:
    """Without those that the baseline broke already, and of cells that all sittings have."""
    names = [("allgather", 8), ("alltoall", 8), ("bcast", 8), ("bcast", 64)]
    archive = archive_of({name: [1e-6, 1.1e-6] for name in names})
    cells = [f"{name}, {size} B" for name, size in names]

    found = guidelines_of(baseline_of(archive), cells)

    assert set(found) == {(0, (1,)), (2, (3,))}
    assert guidelines_of(baseline_of(archive), cells[1:]) == ((1, (2,)),)
    words = next(words for words, *_ in checks_between(map(cell_from, archive.cells)))
    broken = archive.model_copy(update={"guidelines": (Broken(words=words, factor=1.2),)})
    assert guidelines_of(baseline_of(broken), cells) == ((2, (3,)),)


def test_whole_regressions_have_the_turns_of_the_noisiest_cell_within_reach(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    noisy = replace(recorded(0.03), turns=(15, 150, None))
    monkeypatch.setattr(guard_simulation, "read_noise", lambda _: noisy)

    guard_simulation.main(["mpi.jsonl", "--part", "alarms", "--regressions", "2"])

    assert "2 cells within 200 pairs; whole regressions of 150 turns" in capsys.readouterr().out


def test_bounds_are_those_of_counts() -> None:
    low, high = bounds(0, 5000)
    assert low == 0.0
    assert high == pytest.approx(0.000599, rel=0.01)
    assert bounds(5000, 5000)[1] == 1.0
    assert guard_simulation.REGRESSIONS == 5000
