# SPDX-License-Identifier: Apache-2.0
"""Why a prediction is wrong: three bars that add up to its error (network.md 5.5.6).

    T'(V') - T  =  [T'(V') - T'(V)]  +  [T'(V) - T_calls]  +  the rest
                   volume model         cost model            application

V are the bytes that the search really sent, T' the predicted time of calls, T_calls what calls took
without waiting. The rest is computation and waiting that were predicted wrongly.
"""

from dataclasses import dataclass
from statistics import median

from isobath.errors import UsageError
from isobath.prediction.calls import Call
from isobath.prediction.costs import Costs
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import COMPUTING, WAITING
from isobath.prediction.predicted import Prediction


@dataclass(frozen=True)
class ErrorBudget:
    """Seconds of a search; above 0 where the prediction is too slow."""

    measured: float
    predicted: float
    volume: float
    cost_model: float
    application: float

    @property
    def error(self) -> float:
        """The three together."""
        return self.predicted - self.measured


def error_budget(prediction: Prediction, measured: Observed, costs: Costs) -> ErrorBudget:
    """Raises: UsageError where the measurement is of another search."""
    check_same(prediction, measured)
    of_calls = sum(
        piece.seconds for piece in prediction.pieces if piece.phase not in (COMPUTING, WAITING)
    )
    with_real = median(
        sum(_seconds(one.call, measured, costs) for one in search.calls)
        for search in measured.searches
    )
    took = median(sum(one.seconds for one in search.calls) for search in measured.searches)
    error = prediction.seconds - measured.seconds
    volume, cost_model = of_calls - with_real, with_real - took
    return ErrorBudget(
        measured.seconds, prediction.seconds, volume, cost_model, error - volume - cost_model
    )


def _seconds(call: Call, measured: Observed, costs: Costs) -> float:
    return costs.of(call).seconds(call) + costs.over_links(call, measured.layout, call.along)


def is_same(prediction: Prediction, measured: Observed) -> bool:
    """Whether a run is of the search that was predicted."""
    target, own = prediction.target, measured.setting
    return (
        target.scale == own.scale
        and target.switches == own.switches
        and target.layout.grid == measured.layout.grid
        and target.layout.nodes == measured.layout.nodes
        and target.offload is None
        and dict(target.forced) == dict(measured.forced)
    )


def check_same(prediction: Prediction, measured: Observed) -> None:
    """Raises: UsageError naming both."""
    if not is_same(prediction, measured):
        target, own = prediction.target, measured.setting
        raise UsageError(
            f"{measured.run_id} is {own.switches.plan} at scale {own.scale} on "
            f"{measured.layout.grid} over {measured.layout.nodes} nodes; predicted was "
            f"{target.switches.plan} at scale {target.scale} on {target.layout.grid} over "
            f"{target.layout.nodes}, with the same switches, algorithms and way of telling "
            "lengths, which engines of before told first: name a run of that"
        )
