# SPDX-License-Identifier: Apache-2.0
"""Every cell of one side against the same cell of another, all verdicts together.

Two families of claims are corrected for their number (Holm): those that two times differ, and
those that they are the same within the margin. In each, a wrong claim anywhere among all cells is
made with probability alpha at the most.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from isobath.comparison.changes import Change, changes_of
from isobath.comparison.matching import Matched, Pair, match
from isobath.comparison.measured import Bound, Cell, Launched, Side
from isobath.comparison.turns import pairs_of
from isobath.stats.comparisons import (
    ALPHA,
    MARGIN,
    Comparison,
    compare,
    compare_pairs,
    holm,
    least_launches,
    least_p,
    verdict_of,
)

__all__ = ["ALPHA", "MARGIN", "CellVerdict", "Compared", "judge", "lay_side_by_side"]

Outcome = Literal["faster", "slower", "same", "cannot tell", "no result"]

ORDER: tuple[Outcome, ...] = ("slower", "faster", "cannot tell", "same", "no result")
"""In which they are told."""


@dataclass(frozen=True)
class CellVerdict:
    """One cell on both sides, and what can be said of it."""

    pair: Pair
    comparison: Comparison | None
    """of the times of the other side by those of the reference; None where one has no result"""
    launches: tuple[int, int]
    """of the reference, and of the other side"""
    p_differs: float | None = None
    """corrected for the number of cells, as the next"""
    p_equivalent: float | None = None
    outcome: Outcome = "no result"
    reason: str = ""
    """why nothing can be told, or there is no result"""

    @property
    def speed(self) -> float | None:
        """How many times as fast as the reference; None without times."""
        return None if self.comparison is None else 1 / self.comparison.ratio

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Of the speed."""
        interval = self.comparison.interval if self.comparison else None
        return None if interval is None else (1 / interval.high, 1 / interval.low)

    @property
    def level(self) -> float | None:
        """Probability with which the bounds hold the true speed."""
        interval = self.comparison.interval if self.comparison else None
        return None if interval is None else interval.level


@dataclass(frozen=True)
class Against:
    """A side laid beside the reference."""

    side: Side
    changes: tuple[Change, ...]
    matched: Matched
    cells: tuple[CellVerdict, ...]


@dataclass(frozen=True)
class Compared:
    """A reference and what was laid beside it."""

    reference: Side
    others: tuple[Against, ...]
    margin: float
    alpha: float
    tests: int
    """cells whose verdicts were corrected together"""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The reference first."""
        return (self.reference, *(other.side for other in self.others))

    @property
    def is_altered(self) -> bool:
        """Some launch is not as it was sealed."""
        return any(side.is_altered for side in self.sides)


def lay_side_by_side(
    reference: Side,
    others: Sequence[Side],
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    across: Collection[Bound] = (),
) -> Compared:
    """All verdicts. Args: margin is within what two times are as good as the same."""
    laid = [(side, match(reference, side, across)) for side in others]
    rows = [
        [compared(pair, reference, side, margin) for pair in matched.pairs]
        for side, matched in laid
    ]
    judged = judge([verdict for row in rows for verdict in row], alpha)
    verdicts = iter(judged)
    against = tuple(
        Against(side, changes_of(reference, side), matched, tuple(next(verdicts) for _ in row))
        for (side, matched), row in zip(laid, rows, strict=True)
    )
    return Compared(reference, against, margin, alpha, number_tested(judged))


def compared(pair: Pair, reference: Side, other: Side, margin: float = MARGIN) -> CellVerdict:
    """One cell by itself: its times, and no outcome yet."""
    ours, theirs = pair.reference, pair.other
    counts = (len(ours.taken), len(theirs.taken))
    trouble = "; ".join(
        f"{side.name}: {cell.trouble}"
        for side, cell in ((reference, ours), (other, theirs))
        if cell.trouble
    )
    if trouble or not all(counts):
        nothing = next(
            (side.name for side, n in zip((reference, other), counts, strict=True) if not n), ""
        )
        return CellVerdict(pair, None, counts, reason=trouble or f"{nothing}: no time")
    comparison = compare_launches(ours, theirs, reference.launches, other.launches, margin)
    return CellVerdict(pair, comparison, counts)


def compare_launches(
    reference: Cell,
    other: Cell,
    reference_launches: Mapping[str, Launched],
    other_launches: Mapping[str, Launched],
    margin: float = MARGIN,
) -> Comparison:
    """Values of the other by those of the reference, by pairs where launches were taken in turns.

    Raises: ValueError where one has no values.
    """
    pairs = pairs_of(reference.taken, other.taken, reference_launches, other_launches)
    if pairs is not None and len(pairs) > 1:
        theirs, ours = [two.value for _, two in pairs], [taken.value for taken, _ in pairs]
        return compare_pairs(theirs, ours, margin=margin)
    return compare(
        [taken.value for taken in other.taken],
        [taken.value for taken in reference.taken],
        margin=margin,
    )


def judge(cells: Sequence[CellVerdict], alpha: float = ALPHA) -> list[CellVerdict]:
    """The same with an outcome each, corrected for all of them together."""
    differs = _corrected(cells, alpha, 2, lambda verdict: verdict.p_differs)
    same = _corrected(cells, alpha, 1, lambda verdict: verdict.p_equivalent)
    return [
        verdict
        if verdict.comparison is None
        else _with_outcome(
            verdict, verdict.comparison, differs.get(place), same.get(place), len(differs), alpha
        )
        for place, verdict in enumerate(cells)
    ]


def _with_outcome(
    cell: CellVerdict,
    comparison: Comparison,
    p_differs: float | None,
    p_equivalent: float | None,
    tested: int,
    alpha: float,
) -> CellVerdict:
    nothing = 1.0
    verdict = verdict_of(
        comparison.ratio,
        nothing if p_differs is None else p_differs,
        nothing if p_equivalent is None else p_equivalent,
        alpha,
    )
    outcome: Outcome = "cannot tell" if verdict == "unclear" else verdict
    reason = _why_not(comparison, max(1, tested), alpha) if verdict == "unclear" else ""
    return replace(
        cell, p_differs=p_differs, p_equivalent=p_equivalent, outcome=outcome, reason=reason
    )


def number_tested(cells: Sequence[CellVerdict]) -> int:
    """Cells with enough launches to tell anything by themselves: the verdicts of these were
    corrected for their number.
    """
    return sum(verdict.p_differs is not None for verdict in cells)


def _corrected(
    cells: Sequence[CellVerdict], alpha: float, ends: int, p_of: Callable[[Comparison], float]
) -> dict[int, float]:
    """P-values by place, Holm over the cells whose launches could reach alpha at all (R. E. Tarone
    1990): who cannot claim anything cannot claim anything wrong, and costs the others nothing.

    Args: ends is 2 of a two-sided test.
    """
    tested = {
        place: p_of(verdict.comparison)
        for place, verdict in enumerate(cells)
        if verdict.comparison is not None
        and least_p(*verdict.comparison.counts, verdict.comparison.how, ends) < alpha
    }
    return dict(zip(tested, holm(list(tested.values())), strict=True))


def _why_not(comparison: Comparison, tested: int, alpha: float) -> str:
    if max(comparison.counts) == 1:
        return "one launch a side says nothing of others"
    if least_p(*comparison.counts, comparison.how, 2) * tested >= alpha:
        needed = least_launches(tested, comparison.how, alpha)
        among = f" among {tested} cells" if tested > 1 else ""
        return f"too few launches: {needed} a side could tell a difference{among}"
    return "launches scatter more than the sides differ"
