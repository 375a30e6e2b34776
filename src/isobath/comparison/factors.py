# SPDX-License-Identifier: Apache-2.0
"""What each thing that was varied brings, all else equal; and what cannot be told apart.

Values are told by *factors*: settings that were asked for, and facts that were found (a compiler).
Two cells that differ in one factor alone are a *contrast*. A factor's gain is the mean of its
contrasts on logarithms; a factor without one is confounded with what always changed with it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from isobath.comparison.measured import Cell, Launched, Side, Taken, words_of
from isobath.comparison.turns import pairs_of

NO_FACTORS = ("Isobath", "--launches", "--repeats")
"""Facts that say how much was measured, and by whom."""

DESCRIBING = ("MPI library", "compiler")
"""Facts that say what is behind a short name or a folder."""

Follows = Mapping[str, Collection[str]]
"""What comes with another value of a factor by itself, and is no factor then."""


@dataclass(frozen=True)
class Factor:
    """Something that was varied; several names where they always changed together."""

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    """values of the names, in the order in which they were met; the first is the reference"""

    @property
    def title(self) -> str:
        """Its name in tables."""
        return " + ".join(self.names)

    def referring_to(
        self, references: Mapping[str, str], described: Mapping[str, Mapping[str, str]]
    ) -> "Factor":
        """The same, its levels beginning with the one that is meant: by its own words, or by what
        was found with it.
        """
        for place, name in enumerate(self.names):
            wanted = references.get(name)
            for level in self.levels:
                known = described.get(name, {}).get(level[place])
                if wanted is not None and wanted in (level[place], known):
                    rest = (other for other in self.levels if other != level)
                    return replace(self, levels=(level, *rest))
        return self


@dataclass(frozen=True)
class Point:
    """One thing measured under one combination of all factors."""

    work: object
    """what was measured, apart from all factors"""
    values: Mapping[str, str]
    """by name of factor"""
    taken: tuple[Taken, ...]


@dataclass(frozen=True)
class Contrast:
    """Two points that differ in one factor alone."""

    first: Point
    """of the reference level"""
    second: Point
    launches: Mapping[str, Launched]

    @cached_property
    def pairs(self) -> tuple[tuple[Taken, Taken], ...] | None:
        """Launches that were taken in turns; None where they were not."""
        pairs = pairs_of(self.first.taken, self.second.taken, self.launches, self.launches)
        return None if pairs is None or len(pairs) < 2 else tuple(pairs)


@dataclass(frozen=True)
class Table:
    """All points of one measure, the factors that tell them apart, and what is none."""

    points: tuple[Point, ...]
    factors: tuple[Factor, ...]
    launches: Mapping[str, Launched]
    follows: Follows
    described: Mapping[str, Mapping[str, str]]
    """of a factor's levels what was found with them: the library behind its short name"""

    def referring_to(self, references: Mapping[str, str]) -> "Table":
        """The same with these levels as references, where there are such."""
        return replace(
            self,
            factors=tuple(
                factor.referring_to(references, self.described) for factor in self.factors
            ),
        )

    def contrasts(self, factor: Factor, level: tuple[str, ...]) -> tuple[Contrast, ...]:
        """Each pair of points of that level and of the reference, all else equal."""
        apart = {
            name for other in self.factors for name in other.names if name not in factor.names
        } - self._follow(factor)
        alike: dict[object, dict[tuple[str, ...], list[Point]]] = {}
        for point in self.points:
            others = tuple(point.values.get(name, "") for name in sorted(apart))
            of_level = alike.setdefault((point.work, others), {})
            of_level.setdefault(_level(point, factor), []).append(point)
        rows = []
        for levels in alike.values():
            first, second = levels.get(factor.levels[0], []), levels.get(level, [])
            if len(first) == len(second) == 1:  # several would differ in more than is told
                rows.append(Contrast(first[0], second[0], self.launches))
        return tuple(rows)

    def _follow(self, factor: Factor) -> set[str]:
        """What comes with it by itself, unless it was varied alone too."""
        followers = {name for leader in factor.names for name in self.follows.get(leader, ())}
        return {name for name in followers if not varies_alone(self.points, (name,))}

    def confounded_with(self, factor: Factor, level: tuple[str, ...]) -> tuple[str, ...]:
        """Factors that differ wherever this one does: those of the fewest that do."""
        rows = [
            point for point in self.points if _level(point, factor) in (factor.levels[0], level)
        ]
        fewest: tuple[str, ...] | None = None
        for place, point in enumerate(rows):
            for other in rows[place + 1 :]:
                if point.work != other.work or _level(point, factor) == _level(other, factor):
                    continue
                differ = tuple(
                    each.title
                    for each in self.factors
                    if each is not factor and _level(point, each) != _level(other, each)
                )
                if fewest is None or len(differ) < len(fewest):
                    fewest = differ
        return fewest or ()


def tables_of(side: Side, follows: Follows) -> dict[str, Table]:
    """By measure, what was varied. Cells without a result are left out."""
    measures: dict[str, list[Point]] = {}
    asked: dict[str, None] = {}
    for cell in side.cells:
        if cell.trouble:
            continue
        told = _told(cell, side)
        asked |= dict.fromkeys(told)
        work = _work(cell, told)
        for facts, taken in _by_facts(cell.taken, side.launches).items():
            others = {k: v for k, v in facts if k not in told and k not in NO_FACTORS}
            point = Point(work, told | others, tuple(taken))
            measures.setdefault(measure_of(cell), []).append(point)
    return {
        name: _table(_merged(points), side.launches, follows, asked)
        for name, points in measures.items()
    }


def _told(cell: Cell, side: Side) -> dict[str, str]:
    """What was asked for: settings, and of what is bound that which may be a factor."""
    graphs = {cell.bound.get("graph") for cell in side.cells}
    told: dict[str, str] = {}
    for name, words in cell.bound.items():
        # A search of another graph has other keys and is told by its rate; seconds of one are those
        # of other work.
        is_of_graph = name == "keys" and len(graphs) > 1
        if not is_of_graph and (cell.scale == "TEPS" or name not in ("graph", "keys")):
            told[name] = words
    return told | {name: words_of(value) for name, value in cell.settings.items()}


def _work(cell: Cell, told: Mapping[str, str]) -> object:
    rest = tuple(
        words
        for name, words in cell.bound.items()
        if name not in told and not (name == "keys" and cell.scale == "TEPS")
    )
    return (cell.title, tuple(sorted(map(repr, cell.identity.items()))), rest)


def measure_of(cell: Cell) -> str:
    """Of searches each part by itself; of benchmarks all cells of one unit together."""
    is_of_search = cell.scale == "TEPS" or cell.title.startswith("construction")
    return cell.title if is_of_search else f"all cells in {cell.scale}"


def _by_facts(
    taken: Iterable[Taken], launches: Mapping[str, Launched]
) -> dict[tuple[tuple[str, str], ...], list[Taken]]:
    by_facts: dict[tuple[tuple[str, str], ...], list[Taken]] = {}
    for sample in taken:
        known = launches.get(sample.launch)
        facts = tuple(known.facts.items()) if known else ()
        by_facts.setdefault(facts, []).append(sample)
    return by_facts


def _merged(points: Iterable[Point]) -> tuple[Point, ...]:
    alike: dict[object, list[Point]] = {}
    for point in points:
        alike.setdefault((point.work, tuple(sorted(point.values.items()))), []).append(point)
    return tuple(
        Point(same[0].work, same[0].values, tuple(t for point in same for t in point.taken))
        for same in alike.values()
    )


def _table(
    points: tuple[Point, ...],
    launches: Mapping[str, Launched],
    follows: Follows,
    asked: Collection[str],
) -> Table:
    varied = [name for name, several in _levels(points).items() if len(several) > 1]
    followers = {name for leader in varied for name in follows.get(leader, ())}
    wanted = [
        name
        for name in varied
        if name in asked and (name not in followers or varies_alone(points, (name,)))
    ]
    facts = [name for name in varied if name not in asked]
    described = {name: _described(points, name, facts) for name in wanted}
    # What was found wherever the same was asked for is explained by that, and no factor.
    explaining = [name for name in varied if name in asked]
    facts = [name for name in facts if not _is_function(points, name, explaining)]
    factors = tuple(_factor(points, names) for names in _together(points, [*wanted, *facts]))
    words = {name: words for name, words in described.items() if words}
    return Table(points, factors, launches, follows, words)


def varies_alone(points: Sequence[Point], names: tuple[str, ...]) -> bool:
    """Whether two points differ in these and in nothing else."""
    seen: dict[object, set[tuple[str, ...]]] = {}
    for point in points:
        others = tuple(sorted((k, v) for k, v in point.values.items() if k not in names))
        level = tuple(point.values.get(name, "") for name in names)
        seen.setdefault((point.work, others), set()).add(level)
    return any(len(levels) > 1 for levels in seen.values())


def _levels(points: Iterable[Point]) -> dict[str, dict[str, None]]:
    """All values of every name, in their order; a name that some points lack has the empty one."""
    rows = list(points)
    names = dict.fromkeys(name for point in rows for name in point.values)
    return {name: dict.fromkeys(point.values.get(name, "") for point in rows) for name in names}


def _level(point: Point, factor: Factor) -> tuple[str, ...]:
    return tuple(point.values.get(name, "") for name in factor.names)


def _is_function(points: Iterable[Point], name: str, of: Sequence[str]) -> bool:
    seen: dict[tuple[str, ...], str] = {}
    for point in points:
        key = tuple(point.values.get(each, "") for each in of)
        value = point.values.get(name, "")
        if seen.setdefault(key, value) != value:
            return False
    return bool(of)


def _together(points: Sequence[Point], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Names that cut the points alike: each value of the one goes with one value of the other."""
    by_cut: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        numbers: dict[str, int] = {}
        cut = tuple(
            numbers.setdefault(point.values.get(name, ""), len(numbers)) for point in points
        )
        by_cut.setdefault(cut, []).append(name)
    return [tuple(several) for several in by_cut.values()]


def _factor(points: Iterable[Point], names: tuple[str, ...]) -> Factor:
    levels = dict.fromkeys(tuple(point.values.get(name, "") for name in names) for point in points)
    return Factor(names, tuple(levels))


def _described(points: Sequence[Point], name: str, facts: Sequence[str]) -> dict[str, str]:
    """Of each level what a library or compiler says of itself, where that says the same."""
    for fact in (fact for fact in DESCRIBING if fact in facts):
        words = {point.values.get(name, ""): point.values.get(fact, "") for point in points}
        is_one_to_one = len(set(words.values())) == len(words)
        if is_one_to_one and all(
            words[point.values.get(name, "")] == point.values.get(fact, "") for point in points
        ):
            return words
    return {}
