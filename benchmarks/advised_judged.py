# SPDX-License-Identifier: Apache-2.0
"""What following `advise` would have cost, beside ADR 0022's rule and a random choice."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from isobath.prediction.advice import Advice, Choice

NEAR, MOSTLY = 0.10, 0.9
"""the first choice is to be this near to the best that was measured, in so many settings"""

LEAST_SETTINGS = 10
MOVED = 0.05
"""share by which one processor in the place of two may move a median"""

FOLLOWED, DRAWN = 3, 6
"""choices that are measured: the first of the advice, and so many drawn by chance"""


@dataclass(frozen=True, order=True)
class Setting:
    """What a person has: nodes on a network, and a graph."""

    network: str
    nodes: int
    scale: int

    def __str__(self) -> str:
        return f"{self.network}, {self.nodes} nodes, scale {self.scale}"


@dataclass(frozen=True)
class Picked:
    """Choices that are measured on a setting."""

    first: Choice
    rule: Choice
    """ADR 0022's, with the plan's own exchange"""
    followed: tuple[Choice, ...]
    drawn: tuple[Choice, ...]
    there_are: int
    """choices among which they were drawn"""

    @property
    def every(self) -> tuple[Choice, ...]:
        """Each once."""
        return tuple(dict.fromkeys((self.first, self.rule, *self.followed, *self.drawn)))


def picked(advice: Advice, setting: Setting) -> Picked:
    """The first choices and some drawn by chance from all, the same ones for a setting every time.

    A run cannot lay rows side by side, so choices of that mapping are left out.
    """
    can_run = [one.choice for one in advice.ranked if one.choice.mapping == "columns"]
    drawn = random.Random(str(setting)).sample(can_run, min(DRAWN, len(can_run)))
    rule = advice.usual.choice
    return Picked(can_run[0], rule, tuple(can_run[:FOLLOWED]), tuple(drawn), len(can_run))


@dataclass(frozen=True)
class Regret:
    """On a setting: times over the best that was measured, less 1."""

    setting: Setting
    picked: Picked
    advised: float
    rule: float
    random: float
    """mean of those drawn by chance"""
    moved: float
    """largest share by which one processor moved the median of the first choice or the rule's"""

    @property
    def counts(self) -> bool:
        """Processors are not what was measured."""
        return abs(self.moved) < MOVED

    @property
    def differs(self) -> bool:
        """Advice is not the rule."""
        return self.picked.first != self.picked.rule


def regret(
    setting: Setting,
    picked: Picked,
    seconds: Mapping[Choice, float],
    on_one: Mapping[Choice, float],
) -> Regret:
    """Args: seconds are measured medians of every choice; on_one of the first and the rule's."""
    best = min(seconds[choice] for choice in picked.every)
    moved = max(
        (on_one[choice] / seconds[choice] - 1 for choice in (picked.first, picked.rule)), key=abs
    )
    return Regret(
        setting,
        picked,
        seconds[picked.first] / best - 1,
        seconds[picked.rule] / best - 1,
        fmean(seconds[choice] / best - 1 for choice in picked.drawn),
        moved,
    )


def told(rows: Sequence[Regret]) -> int:
    """Prints misses first, then both promises: on all settings, for whoever asks on such nodes gets
    that advice and that time; then on those alone where processors are not what was measured.

    Returns 0, 1 where a promise is not kept on all settings, 2 where these are too few.
    """
    for row in sorted(rows, key=lambda row: -row.advised):
        said = "" if row.counts else f"; {_share(row.moved)} on one processor in the place of two"
        print(
            f"{row.setting}: measured regret of advice {_share(row.advised)} "
            f"({row.picked.first}), of the rule {_share(row.rule)}, of random choice "
            f"{_share(row.random)}; {len(row.picked.every)} of {row.picked.there_are} choices "
            f"measured{said}"
        )
    if len(rows) < LEAST_SETTINGS:
        print(f"{len(rows)} settings were measured; {LEAST_SETTINGS} are asked for")
        return 2
    kept = _told_promises("all settings", rows)
    counted = [row for row in rows if row.counts]
    if len(counted) < LEAST_SETTINGS:
        print(
            f"settings that one processor moves by less than 5 %: {len(counted)}; nothing is told"
        )
    else:
        _told_promises("settings that one processor moves by less than 5 %", counted)
    return int(not kept)


def _told_promises(which: str, rows: Sequence[Regret]) -> bool:
    print(f"{which}:")
    return all([_told_near(rows), _told_regret(rows)])


def _told_near(rows: Sequence[Regret]) -> bool:
    near = sum(row.advised <= NEAR for row in rows)
    kept = near >= MOSTLY * len(rows)
    print(
        f"the first choice is within {100 * NEAR:.0f} % of the best measured in {near} of "
        f"{len(rows)} settings: {_word(kept)}"
    )
    return kept


def _told_regret(rows: Sequence[Regret]) -> bool:
    apart = [row for row in rows if row.differs]
    if not apart:
        print("regret: advice is ADR 0022's rule on every setting; nothing is shown")
        return False
    advised, rule, by_chance = (
        fmean(getattr(row, way) for row in apart) for way in ("advised", "rule", "random")
    )
    kept = advised < min(rule, by_chance)
    print(
        f"mean regret on {len(apart)} settings where they differ: advice {_share(advised)}, "
        f"ADR 0022's rule {_share(rule)}, random choice {_share(by_chance)}: {_word(kept)}"
    )
    return kept


def _share(value: float) -> str:
    return f"{100 * value:+.1f} %"


def _word(kept: bool) -> str:
    return "kept" if kept else "NOT KEPT"
