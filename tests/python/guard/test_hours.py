# SPDX-License-Identifier: Apache-2.0
"""Hours that were not recorded: what is asked for finds a change there, too."""

import math

import numpy as np
import pytest

from isobath.guard.design import Design
from isobath.guard.hours import LEAST_LAUNCHES, draws_of, other_hours, typical_difference
from isobath.guard.judging import judge_pairs
from isobath.guard.needed import needed_pairs, reached_by_pairs
from isobath.guard.noise import Noise, noise_of, with_other_hours
from isobath.stats.estimates import FloatArray

CELLS, PAST, TRIES = 30, 3, 12

Hour = dict[str, list[float]]


def hour(rng: np.random.Generator, launches: int = LEAST_LAUNCHES) -> Hour:
    """Some cells are noisier in it than in others, and in some every eighth launch is late."""
    found = {}
    for number in range(CELLS):
        scale = 0.02 * math.exp(0.3 * rng.standard_normal())
        late = 0.3 * (rng.random(launches) < rng.choice([0.0, 0.0, 0.125]))
        found[f"c{number}"] = np.exp(scale * rng.standard_normal(launches) + late).tolist()
    return found


def by_cell(hours: list[Hour]) -> dict[str, list[list[float]]]:
    return {name: [one[name] for one in hours] for name in hours[0]}


def learned(hours: list[Hour]) -> dict[str, Noise]:
    return with_other_hours({name: noise_of(times) for name, times in by_cell(hours).items()},
                            by_cell(hours))  # fmt: skip


def is_found(times: list[float], pairs: int, rng: np.random.Generator) -> bool:
    """8 %, by so many pairs of launches."""
    first, second = np.log(times)[rng.integers(len(times), size=(2, pairs))]
    design = Design(CELLS, pairs)
    verdict = judge_pairs(list(first - second + math.log(1.08)), design, design.looks[-1])
    return verdict.outcome == "slower"


def share_found(now: Hour, turns: dict[str, int], rng: np.random.Generator) -> float:
    return float(np.mean([is_found(now[name], pairs, rng)
                          for name, pairs in turns.items() for _ in range(TRIES)]))  # fmt: skip


def test_what_is_asked_for_finds_eight_per_cent_in_an_hour_that_nobody_recorded() -> None:
    """Counted in the recorded hours alone it does not: one more is often noisier than they were."""
    rng = np.random.default_rng(1)
    noises = learned([hour(rng) for _ in range(PAST)])
    alone = {name: Noise(None, 0.0, 1, 0.0, 0, 1.0, one.scatters) for name, one in noises.items()}
    asked, before = (
        {name: pairs for name, one in each.items() if (pairs := needed_pairs(one, 0.08, CELLS))}
        for each in (noises, alone)
    )
    now = hour(rng, 500)
    quiet = {name: pairs for name, pairs in before.items() if pairs < 30}

    assert len(asked) > CELLS / 2, "most cells are within reach"
    assert share_found(now, asked, rng) > 0.95
    assert share_found(now, quiet, rng) < 0.95
    assert all(asked.get(name, math.inf) > pairs for name, pairs in quiet.items())


def test_a_sitting_is_taken_in_units_of_the_others() -> None:
    rng = np.random.default_rng(2)
    logs = 0.01 * rng.standard_normal(LEAST_LAUNCHES)
    times = [np.exp(factor * logs).tolist() for factor in (1, 1, 3)]

    hours = other_hours({"a": times})["a"].hours

    first, second, third = np.split(hours.launches, 3)
    own = logs / typical_difference(logs)
    assert third == pytest.approx(3 * (own - own.mean()))  # of those that knew of no such hour
    assert first == pytest.approx((own - own.mean()) / math.sqrt(3))
    assert second == pytest.approx(first)


def test_a_launch_is_never_its_own_partner_and_every_sitting_is_drawn_as_often() -> None:
    rng = np.random.default_rng(3)
    times = {"a": [np.exp(0.01 * rng.standard_normal(24 + 6 * n)).tolist() for n in range(3)]}
    hours = other_hours(times)["a"].hours

    drawn = hours.differences(40, 100)

    assert drawn.shape == (102, 40)  # of three sittings as many each
    assert np.all(drawn != 0)
    assert np.array_equal(drawn, hours.differences(40, 100))
    assert (draws_of(40, 2000), draws_of(400, 2000), draws_of(4000, 2000)) == (2000, 1000, 400)


def test_where_little_was_recorded_nothing_is_known_of_other_hours() -> None:
    rng = np.random.default_rng(4)
    enough, few = (np.exp(0.01 * rng.standard_normal(n)).tolist() for n in (24, 23))
    still = [1.0] * LEAST_LAUNCHES

    assert other_hours({"a": [enough], "b": [enough, few]}) == {}
    assert other_hours({"a": [still, still]}) == {}, "a clock that sees no noise"
    assert other_hours({"a": [enough, enough], "b": [enough]}).keys() == {"a"}
    noises = with_other_hours({"b": noise_of([enough])}, {"b": [enough]})
    assert noises["b"].other_hour is None


def test_late_launches_of_one_cell_are_foreseen_in_others_and_cost_pairs() -> None:
    rng = np.random.default_rng(5)

    def even(number: int) -> list[list[float]]:
        return [np.exp(0.01 * rng.standard_normal(24)).tolist() for _ in range(number)]

    late: FloatArray = np.where(np.arange(24) % 8 == 0, 1.3, 1.0)
    calm = {f"c{n}": even(3) for n in range(6)}
    spoiled = {**calm, "c5": [*even(2), (late * even(1)[0]).tolist()]}
    of_calm, of_spoiled = (
        with_other_hours({name: noise_of(one) for name, one in times.items()}, times)["c0"]
        for times in (calm, spoiled)
    )

    needs = [needed_pairs(one, 0.08, 60) for one in (of_calm, of_spoiled)]

    assert needs[0] == 15
    assert (needs[1] or 0) > 20
    reached = [reached_by_pairs(one, 20, 60) for one in (of_calm, of_spoiled)]
    assert (reached[0] or 9) < 0.08 < (reached[1] or 9)
