# SPDX-License-Identifier: Apache-2.0
"""Guidelines of performance: a collective is not slower than others that do the same work.

After J. L. Traff, W. D. Gropp, R. Thakur, Self-consistent MPI performance guidelines (IEEE TPDS
2010). The right side is taken at the smallest measured size that is not below the one it needs, so
that a violation is never made by a missing size.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from isobath.bench.measured import Curve, Measured, MeasuredCell
from isobath.units import size_words

Outcome = Literal["kept", "broken", "unclear"]

SLACK = 1.05
"""Broken only beyond this factor: nobody splits a call for less."""

SizeOf = Callable[[int, int], int]


def _same(size: int, ranks: int) -> int:
    del ranks
    return size


def _total(size: int, ranks: int) -> int:
    return size * ranks


def _share(size: int, ranks: int) -> int:
    return -(-size // ranks)


def _least(size: int, ranks: int) -> int:
    """The smallest that was measured."""
    del size, ranks
    return 1


@dataclass(frozen=True)
class Guideline:
    """``left`` at size m takes at most as long as all of ``right`` in turn, each at its size."""

    left: str
    right: tuple[tuple[str, SizeOf], ...]

    def words(self) -> str:
        """allgather <= gather + bcast."""
        return f"{self.left} <= {' + '.join(name for name, _ in self.right)}"


GUIDELINES: tuple[Guideline, ...] = (
    Guideline("allgather", (("gather", _same), ("bcast", _total))),
    Guideline("allgather", (("alltoall", _same),)),
    Guideline("allgather", (("allgatherv", _same),)),
    Guideline("bcast", (("scatter", _share), ("allgather", _share))),
    Guideline("allreduce", (("reduce", _same), ("bcast", _same))),
    Guideline("allreduce", (("reduce_scatter_block", _share), ("allgather", _share))),
    Guideline("reduce", (("allreduce", _same),)),
    Guideline("reduce", (("reduce_scatter_block", _share), ("gather", _share))),
    Guideline("reduce_scatter_block", (("reduce", _total), ("scatter", _same))),
    Guideline("reduce_scatter_block", (("reduce_scatter", _same),)),
    Guideline("gather", (("allgather", _same),)),
    Guideline("gather", (("gatherv", _same),)),
    Guideline("scatter", (("bcast", _total),)),
    Guideline("scatter", (("scatterv", _same),)),
    Guideline("alltoall", (("alltoallv", _same),)),
    Guideline("alltoallv", (("alltoallw", _same),)),
    Guideline("barrier", (("allreduce", _least),)),
)


@dataclass(frozen=True)
class Check:
    """A guideline at one size."""

    words: str
    left: MeasuredCell
    right: tuple[MeasuredCell, ...]
    factor: float
    """seconds of the left side by those of the right"""
    outcome: Outcome

    def sentence(self, under: str = "") -> str:
        """What was found; under which library, where there are several."""
        place = size_words(self.left.cell.size_bytes) + (f" under {under}" if under else "")
        if self.outcome == "broken":
            return f"{self.words} is broken at {place}: {self.factor:.2f} times as long"
        return f"{self.words} is {self.outcome} at {place}: {self.factor:.2f} times"


def checks_of(measured: Measured) -> tuple[Check, ...]:
    """Every guideline at every size that was measured, and growth with size."""
    checks: list[Check] = []
    curves = {_place(curve): curve for curve in measured.default_curves}
    for (name, *place), curve in curves.items():
        for guideline in GUIDELINES:
            if guideline.left != name:
                continue
            right = [(curves.get((other, *place)), size_of) for other, size_of in guideline.right]
            checks += _checks(guideline, curve, right)
        checks += _monotone(curve)
    return tuple(checks)


def _place(curve: Curve) -> tuple[object, ...]:
    """All that both sides must share: everything but collective, size, operation and root."""
    cell = curve.first.cell
    shared = cell.model_dump(exclude={"collective", "size_bytes", "operation", "root_rank"})
    return (cell.collective, curve.first.arm.where, *map(str, shared.values()))


def _checks(
    guideline: Guideline, curve: Curve, right: list[tuple[Curve | None, SizeOf]]
) -> list[Check]:
    checks = []
    for cell in curve.cells:
        parts = [
            other.at_least(size_of(cell.cell.size_bytes, cell.first.ranks))
            for other, size_of in right
            if other is not None
        ]
        known = tuple(part for part in parts if part is not None)
        if len(known) < len(right):
            continue
        seconds = sum(part.seconds for part in known)
        low, high = (sum(part.sure_bounds[side] for part in known) for side in (0, 1))
        checks.append(
            Check(guideline.words(), cell, known, cell.seconds / seconds, _outcome(cell, low, high))
        )
    return checks


def _outcome(measured: MeasuredCell, low: float, high: float) -> Outcome:
    if measured.sure_bounds[0] > SLACK * high:
        return "broken"
    return "kept" if measured.sure_bounds[1] <= SLACK * low else "unclear"


def _monotone(curve: Curve) -> list[Check]:
    """A smaller size takes no longer than the next larger one."""
    name = curve.first.cell.collective
    return [
        Check(
            f"{name} grows with size",
            smaller,
            (larger,),
            smaller.seconds / larger.seconds,
            _outcome(smaller, *larger.sure_bounds),
        )
        for smaller, larger in pairwise(curve.cells)
    ]
