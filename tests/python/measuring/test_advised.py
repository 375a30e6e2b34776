# SPDX-License-Identifier: Apache-2.0
"""What following advice costs, on settings whose times are known by construction."""

from dataclasses import replace
from pathlib import Path

import advised
import pytest
from advised_judged import (
    DRAWN,
    FOLLOWED,
    LEAST_SETTINGS,
    Picked,
    Regret,
    Setting,
    picked,
    regret,
    told,
)

from isobath.costmodel.grid import Grid
from isobath.prediction.advice import Advice, Choice, advise
from prediction.made_runs import made_run
from prediction.test_advice import costs

SETTING = Setting("net", 16, 18)


def choice(plan: str, grid: str) -> Choice:
    return Choice(plan, Grid.typed(grid), 1, "columns", "own")


FIRST, RULE, OTHER = choice("two-dim", "2x8"), choice("hybrid", "16x1"), choice("simple", "1x16")
PICKED = Picked(FIRST, RULE, (FIRST,), (RULE, OTHER), 3)


@pytest.fixture(scope="module")
def advice() -> Advice:
    runs = {"two-dim": made_run(Grid(2, 2), 1, scale=18)}
    return advise(runs, 18, 16, [1, 4], {"two-dim": costs(1e-8)})


def test_what_is_measured_can_be_run_and_is_the_same_every_time(advice: Advice) -> None:
    chosen = picked(advice, SETTING)

    assert chosen == picked(advice, SETTING)
    assert {one.mapping for one in chosen.every} == {"columns"}
    assert len(chosen.drawn) == len(set(chosen.drawn)) == DRAWN
    assert chosen.first == chosen.followed[0]
    assert len(chosen.followed) == FOLLOWED
    assert chosen.rule == advice.usual.choice
    assert chosen.there_are == sum(one.choice.mapping == "columns" for one in advice.ranked)
    others = [picked(advice, Setting("net", 16, scale)).drawn for scale in range(8)]
    assert len(set(others)) > 1


def test_regret_by_hand() -> None:
    """Best is 2 s: advice 10 % above, the rule 50 %, chance the mean of 50 % and 0."""
    seconds = {FIRST: 2.2, RULE: 3.0, OTHER: 2.0}

    row = regret(SETTING, PICKED, seconds, {FIRST: 2.2, RULE: 2.88})

    assert [row.advised, row.rule, row.random] == pytest.approx([0.1, 0.5, 0.25])
    assert row.moved == pytest.approx(-0.04)
    assert row.counts
    assert row.differs
    assert not regret(SETTING, PICKED, seconds, {FIRST: 2.4, RULE: 3.0}).counts


def rows(regrets: list[float], rule: float = 0.3, by_chance: float = 0.4) -> list[Regret]:
    return [Regret(SETTING, PICKED, one, rule, by_chance, 0.0) for one in regrets]


def test_promises_that_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(rows([0.0] * 9 + [0.2])) == 0
    said = capsys.readouterr().out
    assert "in 9 of 10 settings: kept" in said
    assert "advice +2.0 %, ADR 0022's rule +30.0 %, random choice +40.0 %: kept" in said


def test_promises_that_are_not_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(rows([0.0] * 8 + [0.2] * 2)) == 1
    assert "in 8 of 10 settings: NOT KEPT" in capsys.readouterr().out
    assert told(rows([0.05] * 10, rule=0.04)) == 1
    assert "ADR 0022's rule +4.0 %, random choice +40.0 %: NOT KEPT" in capsys.readouterr().out
    assert told(rows([0.05] * 10, by_chance=0.01)) == 1
    same = replace(PICKED, rule=FIRST)
    assert told([replace(row, picked=same) for row in rows([0.0] * 10)]) == 1
    assert "nothing is shown" in capsys.readouterr().out


def test_settings_that_a_processor_moves_are_judged_with_all_and_not_among_those_it_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    moved = [replace(row, moved=0.06) for row in rows([0.5] * 3)]

    assert told(rows([0.0] * LEAST_SETTINGS) + moved) == 1
    said = capsys.readouterr().out
    assert "; +6.0 % on one processor in the place of two" in said
    assert "in 10 of 13 settings: NOT KEPT" in said
    assert "in 10 of 10 settings: kept" in said
    assert told(rows([0.0] * (LEAST_SETTINGS - 1)) + moved[:1]) == 0
    assert "by less than 5 %: 9; nothing is told" in capsys.readouterr().out


def test_few_settings_show_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(rows([0.0] * (LEAST_SETTINGS - 1))) == 2
    assert "9 settings were measured; 10 are asked for" in capsys.readouterr().out


def test_settings_are_beyond_what_advice_sees_and_enough() -> None:
    found = list(advised.settings_of(["100mbit", "10mbit"], quick=False))

    assert len(found) > LEAST_SETTINGS
    assert all(setting.nodes > advised.SEEN_NODES for setting in found)
    assert not any(one.scale > 15 for one in found if one.network == "10mbit")
    names = {search.name for search in advised.seen_on("100mbit", quick=False)}
    assert len(names) == len(advised.SEEN)


def test_without_time_nothing_is_run_and_the_setting_is_left(tmp_path: Path) -> None:
    bench = advised.Bench(tmp_path, 0.0)

    assert advised.judge(bench, SETTING, quick=False) is None
    assert list(tmp_path.iterdir()) == []
    named = advised.search_of(SETTING, FIRST)
    assert bench.folder(named, one_processor=True).name == "net-16-18-two-dim-2x8-own-one"
