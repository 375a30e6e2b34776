# SPDX-License-Identifier: Apache-2.0
"""What the library's own choice loses against the best algorithm that can be forced."""

from dataclasses import dataclass

from isobath.bench.measured import Measured, MeasuredCell

WORTH = 0.05
"""Regret below this is not worth a rule."""


@dataclass(frozen=True)
class Regret:
    """One collective and size: the default beside the fastest forced algorithm."""

    default: MeasuredCell
    best: MeasuredCell
    others: tuple[MeasuredCell, ...]
    """the cell with each forced algorithm that was measured"""

    @property
    def tried(self) -> int:
        """Algorithms that were measured."""
        return len(self.others)

    @property
    def loss(self) -> float:
        """Seconds of the default by those of the best, minus 1; 0 where the default is fastest."""
        return max(0.0, self.default.seconds / self.best.seconds - 1)

    @property
    def is_clear(self) -> bool:
        """The intervals do not touch, and the loss is worth a rule."""
        return self.loss >= WORTH and self.best.sure_bounds[1] < self.default.sure_bounds[0]


def regrets_of(measured: Measured) -> tuple[Regret, ...]:
    """Of every cell of the default that has forced ones beside it."""
    forced: dict[object, list[MeasuredCell]] = {}
    for cell in measured.results:
        if cell.cell.algorithm is not None:
            key = (cell.arm.where, cell.cell.model_copy(update={"algorithm": None}))
            forced.setdefault(key, []).append(cell)
    regrets = []
    for default in measured.results:
        others = forced.get((default.arm.where, default.cell), [])
        if default.cell.algorithm is None and others:
            best = min(others, key=lambda other: other.seconds)
            regrets.append(Regret(default, best, tuple(others)))
    return tuple(regrets)
