# SPDX-License-Identifier: Apache-2.0
"""Races with the real engine: every plan validated, every byte accounted for, one table."""

from pathlib import Path

import pytest

from isobath.plan.search_plans import EXCHANGES, PLANS, SWITCHES, option_of, takes_grid, values_of
from isobath.race.folders import RaceFolder
from isobath.race.ladder import OWN_GRID, STEP_NAMES
from isobath.race.results import RaceResults, read_results
from isobath.study.shelf import Shelf
from system.laboratory import Laboratory, ranks_for

SMALL = ("--keys", "4", "--threads", "1", "--no-report")


def the_race(races: Path) -> RaceFolder:
    (race,) = (RaceFolder(one.path) for one in Shelf((races,)).studies())
    return race


def bytes_of(results: RaceResults) -> dict[str, list[int]]:
    """Bytes of every search by cell, in words."""
    found = {}
    for one in results.cells:
        assert one.cell is not None
        name = one.cell.step or f"{one.cell.settings['plan']} {one.cell.settings['grid']}"
        found[name] = [search.bytes_sent for search in one.searches]
    return found


def by_level(results: RaceResults, step: str) -> dict[tuple[int, int], int]:
    """Bytes by search and level."""
    (cell,) = (one for one in results.cells if one.cell is not None and one.cell.step == step)
    return {
        (level.search, level.level): sum(level.bytes_sent.values()) for level in cell.runs[0].levels
    }


def test_every_plan_is_raced_and_the_ladder_climbed(lab: Laboratory, tmp_path: Path) -> None:
    said = lab.isobath("race", "--scale", 10, "--ranks", "1,4", "--races", tmp_path, *SMALL)

    assert said.code == 0, said.err
    results = read_results(the_race(tmp_path))
    assert all(one.validated and one.audited for one in results.cells)
    assert len(results.matrix) == 2 * len(PLANS)
    assert tuple(one.cell.step for one in results.ladder if one.cell) == (*STEP_NAMES, OWN_GRID)
    for one in results.cells:
        assert one.cell is not None
        run = one.runs[0].run
        assert run.plan == one.cell.settings["plan"]
        assert f"{run.grid_rows}x{run.grid_cols}" == one.cell.settings["grid"]
        assert run.switches is not None
        for name in SWITCHES:
            assert getattr(run.switches, name) == one.cell.settings[name], (one.cell, name)
    table = [line for line in said.out.splitlines() if str(tmp_path) not in line]
    assert all(len(line) <= 80 for line in table)


def test_the_first_step_of_hybrid_moves_what_the_last_of_two_dim_moves(
    lab: Laboratory, tmp_path: Path
) -> None:
    words = ("--plans", "two-dim,hybrid", "--ranks", "4", "--scale", "10")
    said = lab.isobath("race", *words, "--races", tmp_path, *SMALL)

    assert said.code == 0, said.err
    results = read_results(the_race(tmp_path))
    sent = bytes_of(results)
    # But for the sums, eight bytes by rows, then columns of 2x2 ranks, not over all of them; and
    # for the last level, which finds nothing, and which hybrid does not search.
    over_all, by_grid = 8 * 4 * 3, 8 * 4 * (1 + 1)
    found = by_level(results, "hybrid, all off")
    expected = by_level(results, "frontier smaller")
    last = {search: max(level for one, level in found if one == search) for search, _ in found}
    assert found.keys() == expected.keys()
    for (search, level), bytes_sent in found.items():
        is_searched = level < last[search]
        grown = bytes_sent + over_all - by_grid
        assert (grown if is_searched else bytes_sent) == (
            expected[search, level] if is_searched else 0
        )
    # And where the root is, of which component and degree: 48 bytes from its owner to each other.
    outside = [
        total - sum(of for (one, _), of in found.items() if one == search)
        for search, total in zip(sorted(last), sent["hybrid, all off"], strict=True)
    ]
    assert set(outside) == {48 * 3}
    assert sum(sent["ids 32"]) < sum(sent["exchange alltoallv"])
    assert sum(sent["dedup local"]) < sum(sent["duplicates drop"])


def test_one_command_races_every_mpi(laboratories: dict[str, Laboratory], tmp_path: Path) -> None:
    import json

    together = Laboratory(tmp_path, next(iter(laboratories.values())).mpi)
    states = {
        name: json.loads((lab.prefix / ".isobath/state.json").read_text("utf-8"))["mpi"][name]
        for name, lab in laboratories.items()
        if 4 in ranks_for(lab.mpi)
    }
    (tmp_path / ".isobath").mkdir()
    state = {"mpi": states, "default_mpi": together.mpi.id, "prefix": str(tmp_path)}
    (tmp_path / ".isobath/state.json").write_text(json.dumps(state), encoding="utf-8")

    words = ("--plans", "one-sided,hybrid", "--ranks", "4", "--scale", "10", "--mpi", "all")
    said = together.isobath("race", *words, "--no-ladder", *SMALL)

    assert said.code == 0, said.err
    results = read_results(the_race(tmp_path / "studies"))
    used = {one.cell.settings["mpi"] for one in results.matrix if one.cell}
    assert used == set(states)
    assert all(one.validated and one.audited for one in results.matrix)
    of_plan: dict[object, list[list[int]]] = {}
    for one in results.matrix:
        assert one.cell is not None
        sent = [search.bytes_sent for search in one.searches]
        of_plan.setdefault(one.cell.settings["plan"], []).append(sent)
    assert all(each == sent[0] for sent in of_plan.values() for each in sent), (
        "bytes are those that operations need, whatever the library"
    )


def pairs_with_each_once() -> list[tuple[str, str]]:
    """Pairs of a plan and its exchange: few, with every plan and every exchange among them."""
    pairs: list[tuple[str, str]] = []
    for exchange in EXCHANGES:
        takers = [plan for plan in PLANS if exchange in values_of("exchange", plan)]
        used = [plan for plan, _ in pairs]
        pairs.append((min(takers, key=used.count), exchange))
    used = [plan for plan, _ in pairs]
    rest = [(plan, str(values_of("exchange", plan)[0])) for plan in PLANS if plan not in used]
    return pairs + rest


def test_every_plan_and_every_exchange_has_a_search_of_two_threads(lab: Laboratory) -> None:
    pairs = pairs_with_each_once()
    assert {plan for plan, _ in pairs} == set(PLANS)
    assert {exchange for _, exchange in pairs} == set(EXCHANGES)
    for plan, exchange in pairs:
        grid = "1x2" if takes_grid(plan, 1, 2) else "2x1"
        words = ("--scale", 8, "--keys", 2, "--grid", grid, "--plan", plan)

        done = lab.engine(*words, "--exchange", exchange, ranks=2, threads=2)

        assert done.code == 0, (plan, exchange, done.err)


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_the_engine_takes_what_the_table_says_and_nothing_else(lab: Laboratory, plan: str) -> None:
    for name, switch in SWITCHES.items():
        folds = name == "exchange"  # along a grid row, and there two threads may meet
        in_a_row = takes_grid(plan, 1, 2) and (folds or not takes_grid(plan, 2, 1))
        grid, threads = "1x2" if in_a_row else "2x1", 2 if folds else 1
        words = ("--scale", 8 if folds else 5, "--keys", 1, "--grid", grid, "--plan", plan)
        for value in switch.values:
            done = lab.engine(*words, option_of(name), value, ranks=2, threads=threads)
            expected = 0 if value in values_of(name, plan) else 2
            assert done.code == expected, (name, value, done.err)
