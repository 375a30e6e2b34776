# SPDX-License-Identifier: Apache-2.0
"""What is computed of all terms, curves and draws at once against loops that do one at a time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from isobath.models import exponents, pmnf
from isobath.models.formula import read_formula
from isobath.models.least_squares import fit_formula
from isobath.models.points import Points, points_of
from isobath.models.resampling import drawn_points
from isobath.models.structure import curves_along
from isobath.stats.estimates import FloatArray
from models.made import made_points, made_samples

FEW = pmnf.TERMS[::9]


def points_of_a_law(seed: int, noise: float = 0.1) -> Points:
    def law(p: float, m: float) -> float:
        return float(1e-6 * p**0.6 + 2e-10 * m * np.log2(p))

    return made_points(law, noise=noise, seed=seed, ranks=(2, 4, 8), sizes=(16, 256, 4096, 65536))


def cost_of_columns(points: Points, *columns: FloatArray) -> float:
    """Relative least squares that are not negative, by SciPy; then the criterion on logarithms."""
    rows = np.stack(columns, axis=1) / points.seconds[:, None]
    roots = np.sqrt(points.weights)
    unit = rows.max(axis=0)
    solved = nnls(rows / unit * roots[:, None], roots)[0] / unit
    squares = float(np.sum(points.weights * np.log(np.maximum(rows @ solved, 1e-6)) ** 2))
    n = len(points)
    return float(n * np.log(squares / n + 1e-6) + (len(columns) - 2) * np.log(n))


@settings(max_examples=5)
@given(seed=st.integers(1, 1000))
def test_costs_of_all_terms_are_those_of_each(seed: int) -> None:
    points = points_of_a_law(seed)
    one = np.ones(len(points))
    fs, gs = (np.stack([term.values(points.columns[name]) for term in FEW]) for name in "pm")

    constant = pmnf._costs_of_products(points, fs, gs, factor=False)
    factor = pmnf._costs_of_products(points, fs, gs, factor=True)
    sums = pmnf._costs_of_sums(points, fs, gs)

    for i, f in enumerate(fs):
        for j, g in enumerate(gs):
            assert constant[i, j] == pytest.approx(cost_of_columns(points, one, f * g), abs=1e-5)
            assert factor[i, j] == pytest.approx(cost_of_columns(points, f, f * g), abs=1e-5)
            assert sums[i, j] == pytest.approx(cost_of_columns(points, one, f, g), abs=1e-5)


def test_pairs_that_do_not_fit_into_an_array_are_taken_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = points_of_a_law(1)
    values = [np.stack([t.values(points.columns[name]) for t in FEW]) for name in ("p", "m")]
    whole = pmnf._costs_of_products(points, *values, factor=True)

    monkeypatch.setattr(pmnf, "AT_ONCE", 1)

    assert pmnf._costs_of_products(points, *values, factor=True) == pytest.approx(whole, rel=1e-12)


def predicted_by_a_loop(
    points: Points, x: FloatArray, curves: list[list[int]], exponent: float
) -> FloatArray:
    predicted = np.zeros(len(points))
    for curve in curves:
        places = np.asarray(curve)
        t = points.seconds[places]
        grows = (x[places] / x[places].max()) ** exponent
        w = points.weights[places] / t**2
        s0, s1, s2 = w.sum(), (w * grows).sum(), (w * grows**2).sum()
        y0, y1 = (w * t).sum(), (w * grows * t).sum()
        determinant = s0 * s2 - s1 * s1
        a, b = y0 / s0, 0.0
        if determinant > 1e-12 * s0 * s2:
            a, b = (s2 * y0 - s1 * y1) / determinant, (s0 * y1 - s1 * y0) / determinant
            if b < 0:
                a, b = y0 / s0, 0.0
            elif a < 0:
                a, b = 0.0, y1 / s2
        predicted[places] = np.maximum(a + b * grows, 1e-6 * t)
    return predicted


@settings(max_examples=20)
@given(
    seed=st.integers(1, 1000),
    noise=st.sampled_from([0.01, 0.5, 2.0]),
    exponent=st.sampled_from([0.0, 0.3, 1.0, 1.7, 4.0]),
    name=st.sampled_from(["p", "m"]),
)
def test_all_curves_are_predicted_as_each(
    seed: int, noise: float, exponent: float, name: str
) -> None:
    """With noise that makes some fall and some begin below zero."""
    points = points_of_a_law(seed, noise)
    curves = [curve[: 2 + place % 3] for place, curve in enumerate(curves_along(points, name))]
    x = points.columns[name]
    expected = predicted_by_a_loop(points, x, curves, exponent)

    found = exponents._Curves(points, x, curves)

    assert found.predicted(exponent) == pytest.approx(expected[found.places], rel=1e-9)
    errors = np.log(expected[found.places] / points.seconds[found.places])
    cost = float(np.sum(points.weights[found.places] * np.abs(errors)))
    assert found.cost(exponent) == pytest.approx(cost, rel=1e-6)


@pytest.mark.parametrize("lacks", [False, True])
def test_draws_of_turns_are_medians_of_launches_that_were_drawn(lacks: bool) -> None:
    """In which turn a point lacks a launch, it takes the others; medians are taken one by one."""
    samples = made_samples(lambda p, m: p + m, ranks=(2, 4), launches=5)
    if lacks:
        samples[3] = replace(samples[3], taken=samples[3].taken[1:])
    points = points_of(samples)
    assert (points.by_turn is None) == lacks

    seconds = drawn_points(points, points.seconds, points.noise, np.random.default_rng(7)).seconds

    drawn = np.random.default_rng(7).integers(5, size=5).tolist()
    for sample, median in zip(samples, seconds, strict=True):
        taken = dict(sample.taken)
        assert median == np.median([taken[turn] for turn in drawn if turn in taken])


@pytest.mark.parametrize("given", [{}, {"alpha": 2e-6}])
def test_steps_of_a_linear_formula_reach_the_least_loss(given: dict[str, float]) -> None:
    """No parameter moved by a thousandth makes the loss smaller."""
    points = made_points(lambda p, m: (p - 1) * (2e-6 + 3e-10 * m), noise=0.05, ranks=(2, 4, 8))
    expression = read_formula("(p - 1)*(alpha + beta*m)", points.columns)

    fitted = fit_formula(expression, points, given)

    def loss(parameters: dict[str, float]) -> float:
        errors = np.log(expression.values(points.columns, parameters) / points.seconds)
        sizes = np.sqrt(points.weights) * np.abs(errors)
        near = np.minimum(sizes, scale)
        return float(np.sum(near * (2 * sizes - near)))

    errors = np.abs(np.log(expression.values(points.columns, fitted) / points.seconds))
    scale = 1.345 * max(0.01, 1.4826 * float(np.median(errors)))
    for name in set(fitted) - set(given):
        for factor in (0.99, 1.01):
            assert loss(fitted) < loss({**fitted, name: factor * fitted[name]})
