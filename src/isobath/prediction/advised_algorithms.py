# SPDX-License-Identifier: Apache-2.0
"""Which algorithm each collective of a predicted search should be made to use."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from isobath.prediction.algorithms import KNOWN
from isobath.prediction.pieces import Spread, spread_of
from isobath.prediction.predicted import Prediction

ALIKE = 1e-9
"""share of the time below which two algorithms cost the same"""

Outcome = Literal["as it is", "faster", "cannot tell"]


@dataclass(frozen=True)
class AlgorithmAdvised:
    """Of one collective: what it is predicted by, and the best of those with a formula."""

    call: str
    taken: str
    """by the library itself or forced in the run; several where sizes differ"""
    best: str
    change: Spread
    """share of the time of the search with the best at every size; below 0 is faster"""

    @property
    def outcome(self) -> Outcome:
        """What the interval allows to say."""
        if self.best == self.taken:
            return "as it is"
        return "faster" if self.change.high < 0 else "cannot tell"


def algorithms_advised(
    base: Prediction, forced: Callable[[Mapping[str, str]], Prediction]
) -> tuple[AlgorithmAdvised, ...]:
    """Args: forced predicts the same search with these algorithms, by call, at every size."""
    return tuple(_advised(base, forced))


def _advised(
    base: Prediction, forced: Callable[[Mapping[str, str]], Prediction]
) -> Iterator[AlgorithmAdvised]:
    for name in dict.fromkeys(one.name for one in base.calls):
        if len(KNOWN.get(name, ())) < 2:
            continue
        taken = ", ".join(dict.fromkeys(one.algorithm for one in base.calls if one.name == name))
        best, found = taken, base
        for other in KNOWN[name]:
            tried = forced({**base.target.forced, name: other})
            if tried.seconds < found.seconds * (1 - ALIKE):
                best, found = other, tried
        change = spread_of(found.seconds / base.seconds - 1, found.draws / base.draws - 1)
        yield AlgorithmAdvised(name, taken, best, change)
