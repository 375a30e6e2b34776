# SPDX-License-Identifier: Apache-2.0
"""What calls cost: fitted to calls that were measured, or told by a network file. With draws.

Fitted are the costs of ``calls.COSTS``, 0 or more, of each kind of call by itself where it was
measured often enough; else those of all calls together, by a factor of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from isobath.costmodel.arcs import Range
from isobath.errors import UsageError
from isobath.prediction.calls import (
    BYTE_BETWEEN,
    BYTE_BEYOND,
    COSTS,
    PATTERNS,
    TOLD,
    TURN,
    Call,
    Layout,
)
from isobath.prediction.links import Links
from isobath.stats.estimates import FloatArray

DRAWS = 400
ROUNDS = 6
NORMAL = 1.6449
"""half the width of a 90 % interval, in standard deviations"""

SPARE_POINTS = 3
"""so many more points than costs must a kind of call have for costs of its own"""

BETTER, CLEARLY = 0.9, 0.01
"""A bend must make errors so much smaller, and by a hundredth at least."""

LEAST_BEND = 8
"""of 256 bytes, a power of two"""

HUBER = 1.5
"""robust deviations beyond which a point counts less"""


@dataclass(frozen=True)
class Timed:
    """A call that was measured, without waiting for ranks that came late."""

    call: Call
    seconds: float


@dataclass(frozen=True)
class CallCosts:
    """What a kind of call costs, and how sure that is."""

    central: FloatArray
    """seconds each, shape (9,)"""
    draws: FloatArray
    """shape (draws, 9)"""
    known: tuple[bool, ...]
    """by cost of ``TOLD``: whether anything that was measured depends on it"""
    scatter: float
    """standard deviation of logarithms of single calls about what the costs say"""
    of: str
    """what they were fitted to, or told by"""
    points: int
    most_ranks: int
    most_bytes: float
    """of a rank"""
    most_between: float = 0.0
    """bytes between nodes of one call"""
    bend: float = 0.0
    """bytes between nodes of one call beyond which a byte may take longer"""
    bend_draws: FloatArray = field(default_factory=lambda: np.zeros(DRAWS))
    """the same, chosen again by the points of each draw. Shape (draws,)"""

    def seconds(self, call: Call) -> float:
        """Central."""
        return float(self.terms(call) @ self.central)

    def terms(self, call: Call) -> FloatArray:
        """Those of ``terms_of``, and the bytes beyond the bend."""
        terms = call.terms.copy()
        terms[BYTE_BEYOND] = _bytes_beyond(terms, call.calls, self.bend)
        return terms

    def drawn_terms(self, terms: FloatArray, calls: float) -> FloatArray:
        """Those of ``terms_of``, shape (draws, 9) or (1, 9), with the bytes beyond each draw's
        bend. Shape (draws, 9).
        """
        drawn = np.repeat(terms, DRAWS // len(terms), axis=0)
        drawn[:, BYTE_BEYOND] = np.maximum(0.0, drawn[:, BYTE_BETWEEN] - calls * self.bend_draws)
        return drawn

    def lacks(self, call: Call) -> str:
        """A cost that this call has and nothing tells; empty where all are known. Turns that were
        not measured are left out, with a banner (``reach``).
        """
        for name, is_needed, is_known in zip(TOLD, call.needs, self.known, strict=True):
            if is_needed and not is_known:
                return name
        return ""


@dataclass(frozen=True)
class Costs:
    """Of every kind of call, with what stands in for those that nothing was measured of."""

    by_call: Mapping[str, CallCosts]
    fallback: CallCosts | None
    """a network file's, or those of all calls together"""
    links: Links | None = None
    """a network file's: what no call is faster than"""
    _known: dict[tuple[str, tuple[bool, ...]], CallCosts] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """by name of a call and what it needs to be known: searches have thousands of few kinds"""

    def of(self, call: Call) -> CallCosts:
        """The costs that a call is predicted by. Raises: UsageError where nothing tells them."""
        key = (call.name, call.needs)
        if key not in self._known:
            self._known[key] = self._found(call)
        return self._known[key]

    def _found(self, call: Call) -> CallCosts:
        same = [one for one in PATTERNS if PATTERNS[one] == call.pattern]
        candidates = [self.by_call.get(call.name), *(self.by_call.get(one) for one in same)]
        known = [one for one in (*candidates, self.fallback) if one is not None]
        for costs in known:
            if not costs.lacks(call):
                return costs
        lacking = known[0].lacks(call) if known else "within or between"
        raise UsageError(
            f"nothing tells the cost of {call.name} in {call.phase} ({lacking} nodes); give "
            "--network a benchmark of collectives over such nodes, or a file"
        )

    def over_links(self, call: Call, layout: Layout, communicator: str) -> float:
        """Seconds of its busiest link beyond those of the adapters of nodes; 0 where there is no
        topology, or adapters are the limit. Raises: UsageError for more nodes than it has.
        """
        if self.links is None:
            return 0.0
        own = self.of(call)
        parts = own.terms(call) * own.central
        adapters = float(parts[BYTE_BETWEEN] + parts[BYTE_BEYOND])
        load = self.links.load(call, layout, communicator)
        return max(0.0, load * self.links.cost.expected - adapters)


def fitted_costs(
    timed: Sequence[Timed],
    of: str,
    fallback: CallCosts | None = None,
    *,
    links: Links | None = None,
    seed: int = 1,
) -> Costs:
    """Raises: UsageError where no call that was measured says anything."""
    useful = [one for one in timed if one.seconds > 0 and one.call.terms.any()]
    if not useful:
        if fallback is None:
            raise UsageError(
                f"{of} has no call between ranks whose time could be predicted from; give "
                "--network a benchmark of collectives, or a file"
            )
        return Costs({}, fallback, links)
    rng = np.random.default_rng(seed)
    together = _fit(useful, of, rng)
    by_call = {}
    for name in dict.fromkeys(one.call.name for one in useful):
        own = [one for one in useful if one.call.name == name]
        by_call[name] = _own_costs(own, name, of, together, rng)
    furthest = max(by_call.values(), key=lambda costs: costs.most_between)
    by_call = {name: _with_bytes_beyond(own, furthest) for name, own in by_call.items()}
    return Costs(by_call, fallback or _with_bytes_beyond(together, furthest), links)


def told_costs(costs: Sequence[Range | None], of: str, *, seed: int = 1) -> CallCosts:
    """Of a network file, in the order of ``TOLD``; the ends of each range are taken for those of a
    90 % interval. No file tells turns.
    """
    rng = np.random.default_rng(seed)
    draws = np.zeros((DRAWS, len(COSTS)))
    for place, cost in enumerate(costs):
        if cost is not None:
            draws[:, place] = between(cost, rng.standard_normal(DRAWS))
    central = np.zeros(len(COSTS))
    central[: len(costs)] = [0.0 if cost is None else cost.expected for cost in costs]
    known = tuple(cost is not None for cost in costs)
    return CallCosts(central, draws, known, 0.0, of, 0, 0, 0.0)


def between(cost: Range, normal: FloatArray) -> FloatArray:
    """Draws of a value whose interval is that of 90 %, from those of a standard normal one."""
    up, down = cost.high - cost.expected, cost.expected - cost.low
    found = cost.expected + np.where(normal > 0, up, down) * normal / NORMAL
    return np.maximum(found, 0.0)


def _with_bytes_beyond(costs: CallCosts, furthest: CallCosts) -> CallCosts:
    """Beyond all that was measured of a kind of call a byte takes no less than in those that were
    measured furthest. Where a bend was found, what it takes in large calls is known already.
    """
    central = _raised(costs.central, furthest.central, np.array(costs.bend >= costs.most_between))
    draws = _raised(costs.draws, furthest.draws, costs.bend_draws >= costs.most_between)
    return replace(costs, central=central, draws=draws)


def _raised(own: FloatArray, far: FloatArray, is_unknown: NDArray[np.bool_]) -> FloatArray:
    """Costs with the last of ``far`` where bytes beyond are unknown. Shape (..., 9)."""
    raised = own.copy()
    last = far[..., BYTE_BETWEEN] + far[..., BYTE_BEYOND]
    beyond = np.maximum(0.0, last - own[..., BYTE_BETWEEN])
    raised[..., BYTE_BEYOND] = np.where(is_unknown, beyond, own[..., BYTE_BEYOND])
    return raised


def _bytes_beyond(terms: FloatArray, calls: float, bend: float) -> float:
    return max(0.0, float(terms[BYTE_BETWEEN]) - calls * bend)


def _between_of_one(call: Call) -> float:
    """Bytes of one call between nodes, as they are counted there."""
    return float(call.terms[BYTE_BETWEEN]) / max(call.calls, 1.0)


def _own_costs(
    own: Sequence[Timed], name: str, of: str, together: CallCosts, rng: np.random.Generator
) -> CallCosts:
    terms = _terms(own)
    varied = len(np.unique(np.round(terms, 6), axis=0))
    if varied >= int(terms.any(axis=0).sum()) + SPARE_POINTS:
        return _fit(own, f"{name} of {of}", rng)
    logs = np.log([one.seconds / max(together.seconds(one.call), 1e-12) for one in own])
    factor = float(np.exp(np.median(logs)))
    picks = rng.integers(len(own), size=(DRAWS, len(own)))
    factors = np.exp(np.median(logs[picks], axis=1))
    return CallCosts(
        together.central * factor,
        together.draws * factors[:, None],
        together.known,
        float(np.std(logs)) if len(own) > 1 else together.scatter,
        f"all calls of {of}, by a factor of {factor:.2g} for {name}",
        len(own),
        *_reach(own),
        bend=together.bend,
        bend_draws=together.bend_draws,
    )


def _fit(timed: Sequence[Timed], of: str, rng: np.random.Generator) -> CallCosts:
    seconds = np.array([one.seconds for one in timed])
    bends = _bends(timed, seconds)
    errors = np.array([each.errors for each in bends])
    best = bends[_clearly_best(errors.mean(axis=1))]
    central = _costs(best.terms, seconds)
    draws, bend_draws = [], []
    for _ in range(DRAWS):
        pick = rng.integers(len(timed), size=len(timed))
        drawn = bends[_clearly_best(errors[:, pick].mean(axis=1))]
        draws.append(_costs(drawn.terms[pick], seconds[pick]))
        bend_draws.append(drawn.bend)
    said = np.maximum(best.terms @ central, 1e-12)
    freedom = max(1, len(timed) - int((central > 0).sum()))
    scatter = float(np.sqrt(np.sum(np.log(said / seconds) ** 2) / freedom))
    known = tuple(bool(column.any()) for column in best.terms.T[: len(TOLD)])
    return CallCosts(
        central, np.array(draws), known, scatter, of, len(timed), *_reach(timed),
        bend=best.bend, bend_draws=np.array(bend_draws),
    )  # fmt: skip


@dataclass(frozen=True)
class _Bend:
    """A bend that may be, with how wrong costs fitted with it are."""

    bend: float
    terms: FloatArray
    """of all points, shape (points, 9)"""
    errors: FloatArray
    """sizes of logarithms, shape (points,)"""


def _bends(timed: Sequence[Timed], seconds: FloatArray) -> list[_Bend]:
    """At the largest call first, which is none; then between the smallest and the largest calls. In
    calls of a few kilobytes a byte may take less: a link that has rested sends its first frames at
    once, and a library the first bytes with the envelope.
    """
    straight = _terms(timed)
    sizes = np.array([_between_of_one(each.call) for each in timed])
    bends = [_Bend(float(sizes.max()), straight, _off(straight, seconds))]
    for tried in 2.0 ** np.arange(LEAST_BEND, 40):
        if min((sizes <= tried).sum(), (sizes >= 2 * tried).sum()) < SPARE_POINTS:
            continue
        terms = straight.copy()
        terms[:, BYTE_BEYOND] = [
            _bytes_beyond(own, each.call.calls, tried)
            for own, each in zip(straight, timed, strict=True)
        ]
        bends.append(_Bend(float(tried), terms, _off(terms, seconds)))
    return bends


def _clearly_best(off: FloatArray) -> int:
    """Which bend, by mean errors: the first, none, unless another is clearly better."""
    best = int(np.argmin(off))
    return best if off[best] < min(BETTER * off[0], off[0] - CLEARLY) else 0


def _off(terms: FloatArray, seconds: FloatArray) -> FloatArray:
    """Sizes of errors, as logarithms."""
    said = np.maximum(terms @ _costs(terms, seconds), 1e-12)
    return np.abs(np.log(said / seconds))


def _terms(timed: Sequence[Timed]) -> FloatArray:
    """Of all; where as many threads take turns everywhere, latency holds their turns."""
    terms = np.array([one.call.terms for one in timed])
    if len({one.call.group.crowding for one in timed}) == 1:
        terms[:, TURN] = 0.0
    return terms


def _reach(timed: Sequence[Timed]) -> tuple[int, float, float]:
    return (
        max(one.call.group.size for one in timed),
        max(one.call.load for one in timed),
        max(_between_of_one(each.call) for each in timed),
    )


def _costs(terms: FloatArray, seconds: FloatArray) -> FloatArray:
    """Costs of 0 or more whose logarithms of times err least, outliers counting less.

    Errors are taken relative to the geometric mean of what was measured and what is said, which is
    a logarithm's to first order and, unlike relative errors, leans to neither side.
    """
    from scipy.optimize import nnls

    scale = np.maximum((terms / seconds[:, None]).max(axis=0), 1e-300)
    columns = terms / scale
    weights = 1 / seconds
    found = np.zeros(terms.shape[1])
    for _ in range(ROUNDS):
        found, _ = nnls(columns * weights[:, None], seconds * weights)
        said = np.maximum(columns @ found, 1e-3 * seconds)
        errors = np.abs(np.log(said / seconds))
        usual = max(1.4826 * float(np.median(errors)), 1e-9)
        robust = np.sqrt(np.minimum(1.0, HUBER * usual / np.maximum(errors, 1e-12)))
        weights = robust / np.sqrt(seconds * said)
    costs: FloatArray = found / scale
    return costs
