# SPDX-License-Identifier: Apache-2.0
"""Seconds of what ranks do between calls, fitted to runs; and how wrong that was left out.

The fitted form is used only where it tells what was left out better than the null model: seconds in
proportion to arcs and tuples. The error of what was left out widens every interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from statistics import median

import numpy as np

from isobath.costmodel.arcs import Range
from isobath.costmodel.volume import OUTSIDE
from isobath.prediction.costs import DRAWS, between
from isobath.prediction.observed import Observed, ObservedSearch
from isobath.prediction.work import TERMS, LevelWork, work_of
from isobath.stats.estimates import FloatArray

GROWTH = Range(1.0, 1.12, 1.25)
"""Of the time of an arc where a rank has twice as many vertices: less of them stays in caches. The
middle is that of plan/duration.py; the ends are a guess that is said. Of runs of one size alone:
else it is fitted."""

GROWTHS = (1.0, 1.04, 1.08, 1.12, 1.16, 1.2, 1.25)
"""that are tried"""

VARIED = 3.9
"""times as many vertices a rank must some runs have for their growth to be fitted"""

VERTEX = TERMS.index("vertex")


GROWING = ("vertex", "arc top-down", "arc bottom-up", "tuple")
"""``TERMS`` that take longer where less of a rank's vertices stays in caches."""

FITTED, NULL = "fitted", "in proportion"

FORMS = {
    FITTED: tuple(tuple(int(term == own) for term in TERMS) for own in TERMS),
    NULL: (tuple(int(term.startswith(("arc", "tuple"))) for term in TERMS),),
}
"""Sums of ``TERMS`` that have a cost of their own. The second is the null model."""

LEAST_SHARE = 1e-6
"""of a search that computes nothing: it still is one"""

LITTLE = 0.05
"""of a search: computation of less is not worth an error"""

UNKNOWN = float(np.log(2))
"""Error where nothing could be left out."""


@dataclass(frozen=True)
class WorkCosts:
    """Seconds of each of ``TERMS``, and shares of waiting. With draws."""

    central: FloatArray
    """shape (7,)"""
    draws: FloatArray
    """shape (draws, 7)"""
    growth: float
    """of what grows (``GROWING``), for twice the vertices of a rank"""
    growth_draws: FloatArray
    vertices: float
    """of a rank, where growth is 1"""
    error: float
    """of computation that was left out: standard deviation of logarithms"""
    form: str
    """``fitted`` or ``in proportion``: what told better what was left out"""
    waiting: FloatArray
    """for each second of computation, of calls. Shape (2,)"""
    waiting_draws: FloatArray
    """shape (draws, 2)"""
    outside: float
    """seconds of a search outside of levels, for each vertex of a rank"""
    outside_draws: FloatArray
    searches: int = 0
    left_out: str = ""
    """what was left out to see how wrong it is: a scale, ranks or a search"""
    has_waited: bool = True
    """a run had several ranks; else nothing tells how long ranks wait for each other"""

    @property
    def words(self) -> str:
        """What it rests on."""
        if not self.searches:
            return "no run: no computation is predicted"
        form = "in proportion to arcs and tuples, which tells better what was left out"
        if self.form == FITTED:
            form = "by levels, vertices, arcs, tuples, frontiers and what is found"
        error = 100 * (float(np.exp(self.error)) - 1)
        wrong = f"{error:.0f} % off where {self.left_out} was left out" if self.left_out else (
            "nothing could be left out; taken to be wrong by a factor of 2"
        )  # fmt: skip
        return f"computation of {self.searches} searches, {form}; {wrong}"

    def seconds(self, work: LevelWork) -> tuple[float, FloatArray]:
        """Of computation of a level, central and draws, without the error of what was left out."""
        drawn = _grown(self.growth_draws, self._steps(work))
        draws: FloatArray = np.sum(self.draws * drawn * np.array(work.terms), axis=1)
        return self.central_seconds(work), draws

    def central_seconds(self, work: LevelWork) -> float:
        """Without draws."""
        grown = _grown(np.array(self.growth), self._steps(work))
        return float(np.array(work.terms) @ (self.central * grown))

    def knows_waiting(self, ranks: int) -> bool:
        """One rank waits for nobody."""
        return self.has_waited or ranks == 1

    def waits(self, computing: float, calls: float, ranks: int) -> float:
        """Seconds of a level: of more ranks the slowest is slower, by as much again for each
        doubling.
        """
        return float(log2(ranks) * self.waiting @ np.array([computing, calls]))

    def drawn_waits(self, computing: FloatArray, calls: FloatArray, ranks: int) -> FloatArray:
        """The same of draws."""
        first, second = self.waiting_draws.T
        waits: FloatArray = log2(ranks) * (first * computing + second * calls)
        return waits

    def _steps(self, work: LevelWork) -> float:
        return log2(max(work.vertices, 1.0) / self.vertices)


NO_COSTS = WorkCosts(
    central=np.zeros(len(TERMS)),
    draws=np.zeros((DRAWS, len(TERMS))),
    growth=1.0,
    growth_draws=np.ones(DRAWS),
    vertices=1.0,
    error=0.0,
    form=FITTED,
    waiting=np.zeros(2),
    waiting_draws=np.zeros((DRAWS, 2)),
    outside=0.0,
    outside_draws=np.zeros(DRAWS),
)
"""Of no run."""


def work_costs(runs: Sequence[Observed], *, seed: int = 2) -> WorkCosts:
    """Of runs of one plan, the first of which is what a prediction starts from.

    Least squares over all levels, costs of 0 or more; searches of a run count alike, and runs by
    the share of a search that they compute. The form is that by which whole searches that were left
    out are told better, their calls as measured. Searches are drawn again.
    """
    searches = [_Searched.of(run, search) for run in runs for search in run.searches]
    if not searches:
        return NO_COSTS
    rng = np.random.default_rng(seed)
    vertices = runs[0].setting.blocks.vertices_per_rank
    left_out, groups = _groups(searches)
    errors = {name: _errors(form, searches, groups, vertices) for name, form in FORMS.items()}
    name = min(errors, key=lambda name: errors[name][1])
    form = FORMS[name]
    known = _growth(form, searches, vertices)
    growth = GROWTH.expected if known is None else known
    growths = (
        between(GROWTH, np.random.default_rng(3).standard_normal(DRAWS))
        if known is None
        else np.full(DRAWS, known)
    )
    picks = [[searches[place] for place in rng.integers(len(searches), size=len(searches))]
             for _ in range(DRAWS)]  # fmt: skip
    drawn = zip(picks, growths, strict=True)
    return WorkCosts(
        central=_solve(form, searches, vertices, growth),
        draws=np.array([_solve(form, pick, vertices, float(grown)) for pick, grown in drawn]),
        growth=growth,
        growth_draws=growths,
        vertices=vertices,
        error=errors[name][0],
        form=name,
        waiting=_waiting(searches),
        waiting_draws=np.array([_waiting(pick) for pick in picks]),
        outside=_outside(searches),
        outside_draws=np.array([_outside(pick) for pick in picks]),
        searches=len(searches),
        left_out=left_out,
        has_waited=any(search.ranks > 1 for search in searches),
    )


@dataclass(frozen=True)
class _Searched:
    """A search as rows of what it asked for and took."""

    scale: int
    ranks: int
    number: int
    terms: FloatArray
    """shape (levels, 7)"""
    vertices: float
    computing: FloatArray
    waiting: FloatArray
    calls: FloatArray
    outside: float
    share: float
    """of the median search of its run that is computation"""

    @classmethod
    def of(cls, run: Observed, search: ObservedSearch) -> "_Searched":
        """Of a run."""
        inside = {level.level: 0.0 for level in search.levels}
        for timed in search.calls:
            if timed.call.level in inside:
                inside[timed.call.level] += timed.seconds
        return cls(
            run.setting.scale,
            run.layout.grid.size,
            run.searches.index(search),
            np.array([work.terms for work in work_of(run, search)]),
            run.setting.blocks.vertices_per_rank,
            np.array([level.computing for level in search.levels]),
            np.array([level.waiting for level in search.levels]),
            np.array(list(inside.values())),
            search.outside,
            _computed_share(run),
        )

    @property
    def beside(self) -> float:
        """Seconds of its calls and of waiting."""
        return float((self.calls + self.waiting).sum()) + 1e-9


def _computed_share(run: Observed) -> float:
    """Medians: a search that was disturbed is not to count for more."""
    computing = median(sum(level.computing for level in one.levels) for one in run.searches)
    beside = median(
        sum(level.waiting for level in one.levels)
        + sum(timed.seconds for timed in one.calls if timed.call.level != OUTSIDE)
        for one in run.searches
    )
    return max(computing / max(computing + beside, 1e-12), LEAST_SHARE)


Form = Sequence[Sequence[int]]


def _grown(growth: FloatArray, steps: float) -> FloatArray:
    """Factors of the costs of ``TERMS``. Shape (..., 7)."""
    factor = growth**steps
    factors = np.ones((*factor.shape, len(TERMS)))
    factors[..., [TERMS.index(term) for term in GROWING]] = factor[..., None]
    return factors


def _solve(form: Form, searches: Sequence[_Searched], vertices: float, growth: float) -> FloatArray:
    from scipy.optimize import nnls

    rows, seconds = [], []
    for search in searches:
        whole = max(float(search.computing.sum()), 1e-12) / search.share
        steps = log2(search.vertices / vertices)
        rows.append(search.terms * _grown(np.array(growth), steps) / whole)
        seconds.append(search.computing / whole)
    groups = np.array(form, dtype=np.float64)
    columns = np.concatenate(rows) @ groups.T
    if len(form) > 1 and len({search.vertices for search in searches}) == 1:
        columns[:, VERTEX] = 0.0  # nothing tells it from a level
    scale = np.maximum(columns.max(axis=0), 1e-300)
    found, _ = nnls(columns / scale, np.concatenate(seconds))
    costs: FloatArray = (found / scale) @ groups
    return costs


def _said(search: _Searched, costs: FloatArray, vertices: float, growth: float) -> float:
    steps = log2(search.vertices / vertices)
    return float(np.sum(search.terms @ (costs * _grown(np.array(growth), steps))))


def _growth(form: Form, searches: Sequence[_Searched], vertices: float) -> float | None:
    """None where runs are too much alike to tell."""
    own = [search.vertices for search in searches]
    if max(own) < VARIED * min(own):
        return None

    def off(growth: float) -> float:
        costs = _solve(form, searches, vertices, growth)
        return sum(_off(search, costs, vertices, growth) ** 2 for search in searches)

    return min(GROWTHS, key=off)


def _off(search: _Searched, costs: FloatArray, vertices: float, growth: float) -> float:
    """Logarithm of what is said over what a search computed; of both what is too little to matter
    is not looked at.
    """
    least = LITTLE * float(search.computing.sum() + search.beside)
    return _logarithm(search, _said(search, costs, vertices, growth), least)


def _logarithm(search: _Searched, said: float, beside: float) -> float:
    return float(np.log((said + beside) / (float(search.computing.sum()) + beside)))


def _groups(searches: Sequence[_Searched]) -> tuple[str, Sequence[int]]:
    """What is left out one after the other: scales where there are several, else numbers of ranks,
    else searches.
    """
    ways = {
        "a scale": [search.scale for search in searches],
        "a number of ranks": [search.ranks for search in searches],
        "a search": [search.number for search in searches],
    }
    return next(
        ((name, groups) for name, groups in ways.items() if len(set(groups)) > 1),
        ("", [0] * len(searches)),
    )


def _errors(
    form: Form, searches: Sequence[_Searched], groups: Sequence[int], vertices: float
) -> tuple[float, float]:
    """Of searches that were left out, roots of the mean square of logarithms: of computation, and
    of the whole search.
    """
    if len(set(groups)) == 1:
        return UNKNOWN, UNKNOWN
    squares = []
    for out in dict.fromkeys(groups):
        kept = [search for search, group in zip(searches, groups, strict=True) if group != out]
        growth = _growth(form, kept, vertices) or GROWTH.expected
        costs = _solve(form, kept, vertices, growth)
        for search, group in zip(searches, groups, strict=True):
            if group == out:
                said = _said(search, costs, vertices, growth)
                own = _off(search, costs, vertices, growth)
                squares.append((own**2, _logarithm(search, said, search.beside) ** 2))
    computation, whole = np.sqrt(np.mean(squares, axis=0))
    return float(computation), float(whole)


def _outside(searches: Sequence[_Searched]) -> float:
    return float(np.mean([search.outside / search.vertices for search in searches]))


def _waiting(searches: Sequence[_Searched]) -> FloatArray:
    """For each second of computation and of calls: over whole searches, each counting alike."""
    from scipy.optimize import nnls

    rows, seconds = [], []
    for search in searches:
        whole = max(float((search.computing + search.calls + search.waiting).sum()), 1e-12)
        doubled = log2(search.ranks)
        rows.append(
            [doubled * search.computing.sum() / whole, doubled * search.calls.sum() / whole]
        )
        seconds.append(search.waiting.sum() / whole)
    shares: FloatArray = nnls(np.array(rows), np.array(seconds))[0]
    return shares
