# SPDX-License-Identifier: Apache-2.0
"""Does pipelining pay, and why? The gain cut into algorithm and overlap; the break-even."""

from dataclasses import dataclass

from isobath.kinds.cg.reading import Group, Row
from isobath.stats.ratios import Ratio
from isobath.units import format_seconds

NO_NORMS = "not checked: ours has no norms on this mesh to compare with, so no time is a result"
WRONG_NORMS = "norms are not those of our plain conjugate gradients: no time is a result"


@dataclass(frozen=True)
class Gain:
    """How a method that hides its reductions stands against plain conjugate gradients:
    total = algorithm x overlap.
    """

    row: Row
    total: Ratio
    algorithm: Ratio
    """the control arm, with blocking reductions, against plain conjugate gradients"""
    overlap: Ratio
    """against the control arm: the same method, with nothing hidden there"""


def gain(group: Group, row: Row) -> Gain | None:
    """None where plain conjugate gradients or the control arm are missing."""
    plain, control = group.plain, group.row(row.first.method, "blocking")
    if plain is None or control is None:
        return None
    return Gain(row, row.against(plain), control.against(plain), row.against(control))


def best(group: Group) -> Row | None:
    """The fastest of the rows that may hide something."""
    return min(group.overlapped, key=lambda row: row.iteration.value, default=None)


@dataclass(frozen=True)
class BreakEven:
    """Latency saved against extra vector work. Seconds of an iteration."""

    method: str
    reductions: float
    """of plain conjugate gradients: the most that can be hidden"""
    extra: float
    """work on vectors that the method does more"""

    @property
    def can_pay(self) -> bool:
        """Would it, if every reduction were hidden?"""
        return self.reductions > self.extra


def break_even(group: Group, method: str) -> BreakEven | None:
    """None where times of parts are not known, as of PETSc."""
    plain, control = group.plain, group.row(method, "blocking")
    if plain is None or control is None:
        return None
    reductions, work = plain.reduction_seconds, plain.work_seconds
    more = control.work_seconds
    if reductions is None or work is None or more is None:
        return None
    return BreakEven(method, reductions, max(0.0, more - work))


def sentences(group: Group) -> list[str]:
    """What a group says, one thought each."""
    if any(row.flaw for row in group.rows) and not any(row.is_result for row in group.rows):
        return [NO_NORMS if group.rows[0].flaw == "not checked" else WRONG_NORMS]
    if group.ranks == 1:
        return ["one rank has nobody to wait for: this is the cost of the methods alone"]
    row = best(group)
    if row is None:
        return ["more ranks and threads than processors: no time is a result"]
    gained = gain(group, row)
    if gained is None:
        return ["there are no plain conjugate gradients to compare with"]
    said = [f"{row.name} is the fastest that may hide a reduction: {_total(gained.total)}",
            f"of that the algorithm is {_factor(gained.algorithm)} and the overlap "
            f"{_factor(gained.overlap)}: {_why(gained)}"]  # fmt: skip
    even = break_even(group, row.first.method)
    if even is not None:
        verdict = (
            "so it can pay here, if enough is hidden"
            if even.can_pay
            else "so it cannot pay here, even if all is hidden"
        )
        said.append(
            f"break-even: {even.method} pays where the reductions of cg take more than the "
            f"{format_seconds(even.extra)} of extra work on vectors; they take "
            f"{format_seconds(even.reductions)}, {verdict}"
        )
    return said


def _total(ratio: Ratio) -> str:
    if ratio.is_gain:
        return f"{ratio.value:.2f} x as fast as cg"
    if ratio.is_loss:
        return f"slower than cg, {ratio.value:.2f} x"
    return f"{ratio.value:.2f} x cg, which the launches cannot tell from 1"


def _factor(ratio: Ratio) -> str:
    sure = "" if ratio.is_gain or ratio.is_loss else " (not sure)"
    return f"{ratio.value:.2f} x{sure}"


def _why(gained: Gain) -> str:
    if gained.overlap.is_gain and gained.algorithm.is_gain:
        return "both help"
    if gained.overlap.is_gain:
        return "what it gains is hidden time" if gained.total.value > 1 else (
            "time is hidden, but less than the other form of the method costs"
        )  # fmt: skip
    if gained.algorithm.is_gain:
        return "what it gains is fewer reductions, not hidden time"
    if gained.overlap.is_loss:
        return "starting early costs more than it hides"
    return "nothing is surely hidden"
