# SPDX-License-Identifier: Apache-2.0
"""How long the rest of a race takes, from the runs that are over."""

from collections.abc import Iterable, Sequence

from isobath.race.spec import RaceCell
from isobath.units import Seconds

ALIKE = (("plan", "ranks", "scale", "transport"), ("ranks", "scale"), ("scale",), ())
"""Settings that make two runs take about as long; where nothing is alike, fewer of them."""


class TimeLeft:
    """The mean time of the runs that were most alike, summed over those to come."""

    def __init__(self) -> None:
        self._runs: list[tuple[RaceCell, Seconds]] = []

    def measured(self, cell: RaceCell, seconds: Seconds) -> None:
        """A run of a cell took so long, with its audit."""
        self._runs.append((cell, seconds))

    def of(self, cells: Sequence[RaceCell]) -> Seconds | None:
        """Of these cells; None before anything was measured."""
        if not self._runs:
            return None
        return sum(self._of(cell) for cell in cells)

    def _of(self, cell: RaceCell) -> Seconds:
        for names in ALIKE:
            found = [seconds for one, seconds in self._runs if _agree(one, cell, names)]
            if found:
                return sum(found) / len(found)
        raise AssertionError("runs are always alike in nothing")


def _agree(one: RaceCell, other: RaceCell, names: Iterable[str]) -> bool:
    return all(one.settings.get(name) == other.settings.get(name) for name in names)
