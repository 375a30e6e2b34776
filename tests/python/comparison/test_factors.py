# SPDX-License-Identifier: Apache-2.0
"""Gains of factors where truth is known: crossed, confounded, following, interacting."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pytest

from isobath.comparison.factors import Table, tables_of
from isobath.comparison.gains import Gain, effect_of, gains_of, interactions_of
from isobath.comparison.measured import Cell, Launched, Scale, Side, Taken, Value

SETS = 400
Levels = Mapping[str, tuple[str, ...]]
CROSSED: Levels = {"plan": ("simple", "hybrid"), "mpi": ("mpich", "openmpi")}


def point(settings: Mapping[str, str], values: list[float], *, turns: bool = True) -> Cell:
    of = ("ranks", "plan")
    rest: dict[str, Value] = {name: one for name, one in settings.items() if name not in of}
    return Cell(
        "search",
        "TEPS",
        {},
        {name: settings[name] for name in of if name in settings},  # type: ignore[misc]
        rest,
        tuple(
            Taken(one, f"l{place}", place if turns else None) for place, one in enumerate(values)
        ),
    )


def every(levels: Levels) -> Iterator[dict[str, str]]:
    for values in itertools.product(*levels.values()):
        yield dict(zip(levels, values, strict=True))


def table(cells: list[Cell], **follows: tuple[str, ...]) -> Table:
    (found,) = tables_of(Side("all", ("s",), "race", tuple(cells)), follows).values()
    return found


def gains(cells: list[Cell], **follows: tuple[str, ...]) -> dict[str, Gain]:
    return {one.factor.title: one for one in gains_of(table(cells, **follows))}


def drawn(
    rng: np.random.Generator,
    seconds: Callable[[dict[str, str]], float],
    levels: Levels = CROSSED,
    launches: int = 4,
) -> list[Cell]:
    """What a turn does to all cells alike is large; what is a launch's own is small."""
    hours = rng.lognormal(0.0, 0.3, launches)
    return [
        point(one, [float(seconds(one) * hour * rng.lognormal(0.0, 0.02)) for hour in hours])
        for one in every(levels)
    ]


def of_both(one: dict[str, str]) -> float:
    """hybrid is 1.5 times as fast, openmpi 0.9 times."""
    return (1 / 1.5 if one["plan"] == "hybrid" else 1.0) / (0.9 if one["mpi"] == "openmpi" else 1)


def test_crossed_factors_are_told_apart() -> None:
    found = gains(drawn(np.random.default_rng(2), of_both))

    assert found.keys() == {"plan", "mpi"}
    for name, speed in (("plan", 1.5), ("mpi", 0.9)):
        one = found[name]
        assert one.speed == pytest.approx(speed, rel=0.05)
        assert one.bounds is not None
        assert one.bounds[0] < speed < one.bounds[1]
        assert one.effect is not None
        assert (one.effect.over, len(one.contrasts), one.confounded) == ("turns", 2, ())


def test_contrasts_are_those_that_a_slow_twin_finds() -> None:
    levels: Levels = {"plan": ("a", "b", "c"), "mpi": ("x", "y"), "fold": ("p", "q")}
    cells = [point(one, [1.0]) for one in every(levels)]
    del cells[5], cells[2]  # not all of them
    found = table(cells)

    for factor in found.factors:
        (name,) = factor.names
        for level in factor.levels[1:]:
            slow = {
                (id(one), id(other))
                for one, other in itertools.permutations(found.points, 2)
                if one.values[name] == factor.levels[0][0]
                and other.values[name] == level[0]
                and all(one.values[k] == other.values[k] for k in levels if k != name)
            }
            fast = {(id(one.first), id(one.second)) for one in found.contrasts(factor, level)}
            assert fast == slow
            assert slow


def test_intervals_cover_and_false_interactions_are_as_seldom_as_they_say() -> None:
    rng = np.random.default_rng(3)
    covered = wrong = 0
    for _ in range(SETS):
        cells = drawn(rng, of_both)
        bounds = gains(cells)["plan"].bounds
        assert bounds is not None
        covered += bounds[0] < 1.5 < bounds[1]
        sure, tried = interactions_of(table(cells))
        assert tried == 1
        wrong += bool(sure)
    assert 0.92 <= covered / SETS <= 0.98
    assert wrong / SETS <= 0.08


def test_without_turns_the_interval_is_over_launches_and_covers() -> None:
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(SETS):
        cells = [
            point(
                one, [float(of_both(one) * rng.lognormal(0, 0.05)) for _ in range(3)], turns=False
            )
            for one in every(CROSSED)
        ]
        found = gains(cells)["mpi"]
        assert found.effect is not None
        assert found.effect.over == "launches"
        assert found.bounds is not None
        covered += found.bounds[0] < 0.9 < found.bounds[1]
    assert 0.92 <= covered / SETS <= 0.98


def test_a_gain_that_depends_on_another_factor_is_named() -> None:
    def seconds(one: dict[str, str]) -> float:
        return 0.5 if one == {"plan": "hybrid", "mpi": "openmpi"} else 1.0

    (found,), tried = interactions_of(table(drawn(np.random.default_rng(5), seconds)))

    assert tried == 1
    assert (found.factor.title, found.by.title) == ("plan", "mpi")
    assert found.first == pytest.approx(1.0, rel=0.05)
    assert found.second == pytest.approx(2.0, rel=0.05)
    assert found.p < 0.01


def test_what_always_changed_together_is_one_factor_and_confounded() -> None:
    cells = [
        point({"plan": plan, "mpi": mpi}, [1.0, 1.1])
        for plan, mpi in (("simple", "mpich"), ("hybrid", "openmpi"))
    ]

    (found,) = gains_of(table(cells))

    assert found.factor.names == ("plan", "mpi")
    assert found.confounded == ("mpi",)


def test_a_level_that_was_not_crossed_is_confounded_and_says_with_what() -> None:
    cells = [point(one, [1.0, 1.1]) for one in every(CROSSED)]
    cells.append(point({"plan": "one-sided", "mpi": "intel"}, [0.5, 0.6]))

    found = {(one.factor.title, one.level[0]): one for one in gains_of(table(cells))}

    assert found["plan", "hybrid"].speed is not None
    assert found["plan", "one-sided"].speed is None
    assert found["plan", "one-sided"].confounded == ("mpi",)
    assert found["mpi", "intel"].confounded == ("plan",)


def test_what_comes_by_itself_is_no_factor_unless_it_was_varied_alone() -> None:
    rows = [("1 rank", "1x1"), ("2 ranks", "2x1"), ("4 ranks", "2x2")]
    cells = [point({"ranks": ranks, "grid": grid}, [1.0, 1.1]) for ranks, grid in rows]

    followed = gains_of(table(cells, ranks=("grid",)))
    assert [one.factor.names for one in followed] == [("ranks",), ("ranks",)]
    assert all(one.speed is not None and not one.confounded for one in followed)
    cells.append(point({"ranks": "4 ranks", "grid": "4x1"}, [1.0, 1.1]))
    assert {one.factor.title for one in gains_of(table(cells, ranks=("grid",)))} >= {"grid"}


def found_side(facts: list[dict[str, str]], values: list[float], *, apart: float = 1.0) -> Side:
    """A run for each: what differs was found, not asked for."""
    cells = tuple(
        Cell("search", "TEPS", {}, {}, {"threads": 1}, (Taken(one, f"s{place}"),))
        for place, one in enumerate(values)
    )
    launches = {f"s{place}": Launched(place * apart, one) for place, one in enumerate(facts)}
    return Side("all", ("s",), "run", cells, launches)


def test_facts_that_were_found_are_factors_and_turns_are_seen_in_time() -> None:
    facts = [{"compiler": one, "kernel": "6.1"} for one in ("GNU 12", "Clang 16") * 4]
    values = [factor * hour for hour in (1.0, 2.0, 1.5, 3.0) for factor in (1.0, 1.25)]

    (found,) = tables_of(found_side(facts, values), {}).values()
    (gain,) = gains_of(found)

    assert (gain.factor.names, gain.level) == (("compiler",), ("Clang 16",))
    assert gain.speed == pytest.approx(0.8)
    assert gain.effect is not None
    assert (gain.effect.over, gain.other_sitting) == ("turns", False)
    later = [*facts[::2], *facts[1::2]]
    (other,) = tables_of(found_side(later, [*values[::2], *values[1::2]]), {}).values()
    (gain,) = gains_of(other)
    assert gain.effect is not None
    assert (gain.effect.over, gain.other_sitting) == ("launches", True)


def test_a_fact_that_follows_from_what_was_asked_is_no_factor_but_describes_it() -> None:
    cells = tuple(
        Cell("search", "TEPS", {}, {}, {"mpi": name}, (Taken(1.0, name),))
        for name in ("wheel", "system")
    )
    launches = {
        "wheel": Launched(0, {"MPI library": "MPICH 5.0.2", "variable FI_PROVIDER": "tcp"}),
        "system": Launched(1, {"MPI library": "Open MPI v4.1.4"}),
    }

    (found,) = tables_of(Side("all", ("s",), "race", cells, launches), {}).values()

    assert [one.names for one in found.factors] == [("mpi",)]
    assert found.described == {"mpi": {"wheel": "MPICH 5.0.2", "system": "Open MPI v4.1.4"}}
    turned = found.referring_to({"mpi": "Open MPI v4.1.4"})
    assert turned.factors[0].levels == (("system",), ("wheel",))


def test_one_launch_each_has_an_interval_over_settings_or_none() -> None:
    levels: Levels = {"plan": ("a", "b"), "mpi": ("x", "y", "z")}
    cells = [point(one, [1.0 + 0.01 * n], turns=False) for n, one in enumerate(every(levels))]

    found = {(one.factor.title, one.level[0]): one for one in gains_of(table(cells))}

    assert found["plan", "b"].effect is not None
    assert found["plan", "b"].effect.over == "settings"
    effect = found["mpi", "y"].effect  # two contrasts tell no scatter
    assert effect is not None
    assert (effect.error, effect.bounds, effect.p) == (None, None, None)


def test_the_mean_of_contrasts_is_that_of_their_logarithms() -> None:
    cells = [point(one, [of_both(one), 2 * of_both(one)]) for one in every(CROSSED)]
    found = table(cells)
    (plan,) = (one for one in found.factors if one.title == "plan")

    effect = effect_of(found.contrasts(plan, plan.levels[1]))

    assert effect.mean == pytest.approx(math.log(1.5))
    assert effect.error == pytest.approx(0.0, abs=1e-12)


def test_seconds_of_another_graph_are_those_of_other_work() -> None:
    def of(title: str, scale: Scale) -> list[Cell]:
        return [
            Cell(title, scale, {}, {"graph": graph, "keys": f"64 keys ({n})"}, {},
                 (Taken(1.0 + n, f"l{n}"), Taken(1.1 + n, f"m{n}")))
            for n, graph in enumerate(("scale 16", "scale 17"))
        ]  # fmt: skip

    cells = (*of("search", "TEPS"), *of("construction", "seconds"))

    found = tables_of(Side("all", ("s",), "race", cells), {})

    assert [one.names for one in found["search"].factors] == [("graph",)]
    assert found["construction"].factors == ()
