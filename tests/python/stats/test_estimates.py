# SPDX-License-Identifier: Apache-2.0
import doctest
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

import isobath.stats.estimates as estimates_module
from isobath.stats.estimates import harmonic_mean_teps, quartiles, summary
from isobath.stats.intervals import MOST_COUNTED, estimate_interval, median_interval, student
from isobath.stats.launches import widening

positive = st.floats(min_value=1e-6, max_value=1e6)


def test_the_examples_in_the_documentation_hold() -> None:
    assert doctest.testmod(estimates_module).failed == 0


@given(st.lists(positive, min_size=1, max_size=80))
def test_quartiles_are_ordered_and_mirror(values: list[float]) -> None:
    first, median, third = quartiles(values)
    mirrored = quartiles([-value for value in values])

    assert min(values) <= first <= median <= third <= max(values)
    assert mirrored == (-third, -median, -first)


@given(st.lists(positive, min_size=1, max_size=80))
def test_the_median_is_the_usual_one(values: list[float]) -> None:
    assert math.isclose(quartiles(values)[1], float(np.median(values)))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0], (1.0, 1.0, 1.0)),
        ([1.0, 2.0], (1.0, 1.5, 2.0)),
        ([1.0, 2.0, 3.0, 4.0, 5.0], (2.0, 3.0, 4.0)),
        ([float(i) for i in range(8)], (1.5, 3.5, 5.5)),
        ([float(i) for i in range(64)], (15.5, 31.5, 47.5)),
    ],
)
def test_quartiles_by_hand(values: list[float], expected: tuple[float, float, float]) -> None:
    assert quartiles(values) == expected


def test_nothing_has_no_quartiles() -> None:
    with pytest.raises(ValueError, match="no values"):
        quartiles([])


@given(st.lists(st.tuples(st.integers(1, 1 << 44), positive), min_size=1, max_size=64))
def test_the_harmonic_mean_lies_between_slowest_and_fastest(rows: list[tuple[int, float]]) -> None:
    edges = [row[0] for row in rows]
    seconds = [row[1] for row in rows]
    teps = [e / s for e, s in rows]

    found = harmonic_mean_teps(edges, seconds)

    assert min(teps) * (1 - 1e-12) <= found.value <= max(teps) * (1 + 1e-12)
    assert math.isclose(found.value, len(teps) / sum(1 / x for x in teps), rel_tol=1e-12)
    assert (found.standard_error is None) == (len(rows) == 1)


def test_standard_error_in_the_form_of_the_reference() -> None:
    seconds = [0.5, 0.25, 0.125]
    edges = [1000, 1000, 1000]
    per_edge = [s / 1000 for s in seconds]
    mean = sum(per_edge) / 3
    deviation = math.sqrt(sum((x - mean) ** 2 for x in per_edge) / 2)

    found = harmonic_mean_teps(edges, seconds)

    assert found.standard_error is not None
    assert math.isclose(found.standard_error, deviation / (mean**2 * math.sqrt(2)))


@pytest.mark.parametrize(
    ("edges", "seconds"), [([], []), ([1], [1.0, 2.0]), ([0], [1.0]), ([1], [0.0]), ([1], [-1.0])]
)
def test_impossible_searches_are_refused(edges: list[int], seconds: list[float]) -> None:
    with pytest.raises(ValueError, match=r"shapes differ|no searches|positive"):
        harmonic_mean_teps(edges, seconds)


def test_the_reference_sample_is_consistent_with_these_formulas() -> None:
    """Its numbers are of one run: mean time and harmonic mean follow from equal edge counts."""
    path = Path(__file__).resolve().parents[2] / "data" / "reference-3.0-stdout-bfs.txt"
    text = path.read_text(encoding="ascii")

    def number(label: str) -> float:
        found = re.search(rf"^{re.escape(label)}[\s!]+(\S+)", text, re.MULTILINE)
        assert found, label
        return float(found[1])

    nedge = number("mean_nedge:")
    mean = number("bfs  mean_time:")
    deviation = number("bfs  stddev_time:")

    assert math.isclose(number("bfs  harmonic_mean_TEPS:"), nedge / mean, rel_tol=1e-5)
    error = (deviation / nedge) / ((mean / nedge) ** 2 * math.sqrt(63))
    assert math.isclose(number("bfs  harmonic_stddev_TEPS:"), error, rel_tol=1e-5)


def test_summary_of_one_value_has_no_spread() -> None:
    assert summary([3.0]).standard_deviation == 0.0
    assert summary([1.0, 3.0]).standard_deviation == pytest.approx(math.sqrt(2))


def test_interval_of_an_estimate_is_symmetric_and_widens_with_the_level() -> None:
    estimate = harmonic_mean_teps([100] * 5, [1.0, 1.1, 0.9, 1.2, 0.8])

    narrow = estimate_interval(estimate, 0.9)
    wide = estimate_interval(estimate, 0.99)

    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < estimate.value < narrow.high < wide.high
    assert estimate_interval(harmonic_mean_teps([100], [1.0])) is None


def test_median_interval_needs_six_values_at_95_percent() -> None:
    assert median_interval([1.0, 2.0, 3.0, 4.0, 5.0]) is None
    found = median_interval([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    assert found is not None
    assert (found.low, found.high) == (1.0, 6.0)
    assert median_interval([]) is None


def test_median_interval_of_64_values_is_the_narrowest_that_covers() -> None:
    def coverage(k: int) -> float:
        return 1 - 2 * sum(math.comb(64, i) for i in range(k)) / 2**64

    found = median_interval([float(i) for i in range(1, 65)])

    assert found is not None
    assert (found.low, found.high) == (24.0, 41.0)
    assert coverage(24) >= 0.95 > coverage(25)


@given(st.lists(positive, min_size=6, max_size=80))
def test_median_interval_contains_the_median(values: list[float]) -> None:
    found = median_interval(values)

    assert found is not None
    assert found.low <= quartiles(values)[1] <= found.high


@pytest.mark.parametrize("level", [0.01, 0.5, 0.68, 0.95, 0.99, 0.9999])
def test_quantiles_of_student_are_those_of_scipy(level: float) -> None:
    freedoms = [*range(1, 130), 500, 501, MOST_COUNTED - 1, MOST_COUNTED, MOST_COUNTED + 1, 5000]

    found = [student(freedom, level) for freedom in freedoms]

    assert found == pytest.approx(special.stdtrit(freedoms, (1 + level) / 2), rel=1e-11)


def test_quantiles_of_student_are_those_of_tables() -> None:
    assert [round(student(freedom), 3) for freedom in (1, 2, 3, 10, 30, 120)] == [
        12.706, 4.303, 3.182, 2.228, 2.042, 1.980,
    ]  # fmt: skip


@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.9999])
def test_median_intervals_leave_out_as_many_as_scipy_counts(level: float) -> None:
    for n in [*range(130), MOST_COUNTED - 1, MOST_COUNTED, MOST_COUNTED + 1, 5000]:
        fewer = special.bdtr(np.arange(n + 1), n, 0.5)
        left_out = int((fewer < (1 - level) / 2).sum())

        found = median_interval(np.arange(1.0, n + 1), level)

        assert (0.0 if found is None else found.low) == left_out
        assert found is None or found.high == n + 1 - left_out


def test_few_launches_widen_by_what_student_has_more_than_a_normal_distribution() -> None:
    for launches in (2, 3, 5, 40):
        wider = special.stdtrit(launches - 1, 0.975) / special.ndtri(0.975)
        assert widening(launches) == pytest.approx(wider * math.sqrt(launches / (launches - 1)))
    assert widening(1) == 1


def test_a_level_is_a_probability() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        median_interval([1.0], 95.0)
