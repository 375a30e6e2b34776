# SPDX-License-Identifier: Apache-2.0
"""A prediction at another scale, against each of its roots predicted alone."""

from dataclasses import replace

import numpy as np
import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import levels_of_roots
from isobath.prediction import predicted
from isobath.prediction.calls import Call, Group, terms_of
from isobath.prediction.costs import fitted_costs
from isobath.prediction.pieces import _drawn_terms, _normal
from isobath.prediction.predicted import Prediction, Target, _drawn_medians, _middle, predict
from isobath.prediction.upcoming import ToCome
from isobath.prediction.work_costs import WorkCosts, work_costs
from prediction.made_runs import made_run

Key = tuple[int, str, str]


def times_of(prediction: Prediction) -> dict[Key, tuple[float, np.ndarray]]:
    return {
        (piece.level, piece.phase, piece.call): (piece.seconds, piece.draws)
        for piece in prediction.pieces
    }


@pytest.mark.parametrize(("plan", "scale"), [("hybrid", 17), ("two-dim", 14)])
def test_every_root_is_predicted_as_it_is_alone(
    plan: str, scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The median is the mean of the roots in the middle, phase by phase and draw by draw; between
    two scales there are twice as many roots.
    """
    observed = made_run(Grid(2, 4), 1, plan=plan, noise=0.05)
    target = Target(scale, observed.setting.switches, observed.layout)
    costs, works = fitted_costs(observed.timed, "made"), work_costs([observed])
    found = predict(observed, target, costs, works)
    number = len(levels_of_roots(scale, 1.0))

    alone = []
    for place in range(number):

        def only(*args: object, place: int = place, **settings: object) -> object:
            return levels_of_roots(*args, **settings)[place : place + 1]  # type: ignore[arg-type]

        monkeypatch.setattr(predicted, "levels_of_roots", only)
        alone.append(predict(observed, target, costs, works))

    rough = [_expected(one, works) for one in alone]
    middle = _middle(rough)
    shares = _drawn_medians(rough, len(observed.searches))
    pieces: dict[Key, tuple[float, np.ndarray]] = {}
    for one in (alone[place] for place in middle):
        for key, (seconds, draws) in times_of(one).items():
            before, drawn = pieces.get(key, (0.0, np.zeros_like(draws)))
            pieces[key] = before + seconds / len(middle), drawn + draws * shares / len(middle)
    assert number == (56 if scale == 17 else 28)
    assert pieces.keys() == times_of(found).keys()
    for key, (seconds, draws) in times_of(found).items():
        assert seconds == pytest.approx(pieces[key][0], rel=1e-12)
        assert draws == pytest.approx(pieces[key][1], rel=1e-9)


def _expected(prediction: Prediction, works: WorkCosts) -> float:
    """What roots are ordered by."""
    return sum(piece.seconds for piece in prediction.pieces if piece.phase != "waiting")


def test_bytes_that_are_known_exactly_are_drawn_as_others_are() -> None:
    """An end beyond the known bytes by a millionth leads to the same terms, within a millionth."""
    observed = made_run(Grid(2, 4), 1)
    call = Call(1, "expand", "allgatherv", Group(4, 4, 1), 1, 3, 3000.0)
    known = fitted_costs(observed.timed, "made").of(call)
    volume = np.array(_normal(5, 0))
    middle = known.terms(call)

    exact = _drawn_terms(ToCome(call, 3000.0, 3000.0), known, middle, volume)
    drawn = _drawn_terms(ToCome(call, 3000.0, 3000.003), known, middle, volume)

    assert drawn.shape == (len(volume), len(middle))
    assert np.broadcast_to(exact, drawn.shape) == pytest.approx(drawn, rel=1e-5)


def test_terms_are_formed_once_and_cannot_be_written_to() -> None:
    call = Call(1, "fold", "alltoallv", Group(8, 2, 4, crowding=2.0), 1, 7, 70.0)

    assert call.terms.tolist() == terms_of(call).tolist()
    assert replace(call, bytes_sent=140.0).terms.tolist() != call.terms.tolist()
    with pytest.raises(ValueError, match="read-only"):
        call.terms[0] = 1.0
