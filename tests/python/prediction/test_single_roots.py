# SPDX-License-Identifier: Apache-2.0
"""A prediction at another scale, against each of its roots predicted alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import LevelFacts, levels_of_roots
from isobath.prediction import predicted
from isobath.prediction.calls import Call, Group, terms_of
from isobath.prediction.costs import fitted_costs
from isobath.prediction.network_file import network_of
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import _drawn_terms, _normal, expected_seconds
from isobath.prediction.predicted import (
    Prediction,
    Target,
    _drawn_medians,
    _middle,
    _searches,
    predict,
    setting_of,
)
from isobath.prediction.upcoming import ToCome
from isobath.prediction.work_costs import work_costs
from prediction.made_runs import made_run
from prediction.test_links import RING
from prediction.test_prediction import TOLD

OFFLOAD = {"host_seconds": 1e-7, "hop_seconds": 2e-7, "piece_seconds": 5e-8}
STEP = 4
"""of the roots every fourth is looked at"""

Key = tuple[int, str, str]


def times_of(prediction: Prediction) -> dict[Key, tuple[float, np.ndarray]]:
    return {
        (piece.level, piece.phase, piece.call): (piece.seconds, piece.draws)
        for piece in prediction.pieces
    }


def waiting(run: Observed) -> Observed:
    """The run, whose ranks wait for what is computed and for half of what calls take."""
    searches = []
    for search in run.searches:
        calls = [sum(one.seconds for one in search.calls if one.call.level == level.level)
                 for level in search.levels]  # fmt: skip
        levels = tuple(
            replace(level, waiting=level.computing + inside / 2)
            for level, inside in zip(search.levels, calls, strict=True)
        )
        searches.append(replace(search, levels=levels))
    return replace(run, searches=tuple(searches))


@pytest.mark.parametrize(("plan", "scale"), [("hybrid", 17), ("two-dim", 14)])
def test_every_root_is_predicted_as_it_is_alone(
    plan: str, scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The median is the mean of the roots in the middle by all that they take, waiting too: phase
    by phase and draw by draw. Between two scales there are twice as many roots.
    """
    observed = waiting(made_run(Grid(2, 4), 1, plan=plan, noise=0.05))
    target = Target(scale, observed.setting.switches, observed.layout)
    costs, works = fitted_costs(observed.timed, "made"), work_costs([observed])
    all_of_them = range(0, len(levels_of_roots(scale, 1.0)), STEP)

    def predicted_by(places: Sequence[int]) -> Prediction:
        def some(*args: Any, **how: Any) -> list[tuple[LevelFacts, ...]]:
            roots = levels_of_roots(*args, **how)
            return [roots[place] for place in places]

        monkeypatch.setattr(predicted, "levels_of_roots", some)
        return predict(observed, target, costs, works)

    found = predicted_by(all_of_them)
    alone = [predicted_by([place]) for place in all_of_them]

    rough = [one.seconds for one in alone]  # nothing of a made run is outside of levels
    middle = _middle(rough)
    shares = _drawn_medians(rough, len(observed.searches))
    pieces: dict[Key, tuple[float, np.ndarray]] = {}
    for one in (alone[place] for place in middle):
        for key, (seconds, draws) in times_of(one).items():
            before, drawn = pieces.get(key, (0.0, np.zeros_like(draws)))
            pieces[key] = before + seconds / len(middle), drawn + draws * shares / len(middle)
    assert len(alone) == (14 if scale == 17 else 7)
    assert pieces.keys() == times_of(found).keys()
    for key, (seconds, draws) in times_of(found).items():
        assert seconds == pytest.approx(pieces[key][0], rel=1e-12)
        assert draws == pytest.approx(pieces[key][1], rel=1e-9)


def test_what_roots_are_ordered_by_is_what_is_predicted_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Waiting, links that are slower than adapters, and reductions in switches are in it."""
    observed = waiting(made_run(Grid(4, 4), 2))
    network = network_of(TOLD | {"topology": RING, "offload": OFFLOAD}, "made.toml")
    costs = fitted_costs((), network.name, network.costs, links=network.links)
    target = Target(18, observed.setting.switches, observed.layout, network.offload)
    works = work_costs([observed])
    roots, _ = _searches(observed, target, setting_of(observed, target))
    monkeypatch.setattr(
        predicted, "levels_of_roots", lambda *args, **how: levels_of_roots(*args, **how)[3:4]
    )

    found = predict(observed, target, costs, works)

    assert any("busiest link" in words for words in found.sources)
    assert any("offloaded" in piece.call for piece in found.pieces)
    expected = expected_seconds(
        roots[3].calls, roots[3].works, target.layout, costs, works, network.offload
    )
    assert expected == pytest.approx(found.seconds, rel=1e-12)


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
