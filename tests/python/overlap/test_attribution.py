# SPDX-License-Identifier: Apache-2.0
import random

import pytest

from isobath.overlap.attribution import Samples, attribute, verdict


def samples(
    *,
    blocking: float,
    nonblocking: float,
    work: float,
    inside: float,
    overlap: float,
    noise: float = 0.01,
) -> Samples:
    """Thirty repetitions around these, the same noise in the parts of one."""
    generator = random.Random(3)
    factors = [1 + noise * (2 * generator.random() - 1) for _ in range(30)]

    def around(value: float) -> list[float]:
        return [value * factor for factor in factors]

    return Samples(
        around(blocking), around(nonblocking), around(work), around(overlap), around(inside)
    )


BASE = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=20.0, overlap=30.0)


def test_the_three_terms_add_up_to_the_gain_exactly() -> None:
    candidate = samples(blocking=6.0, nonblocking=7.0, work=20.0, inside=22.0, overlap=24.0)
    found = attribute(BASE, candidate)
    parts = found.faster.value + found.hidden.value + found.disturbed.value
    assert found.gain.value == pytest.approx(parts)
    assert found.faster.value == pytest.approx(3.0, rel=0.01)
    assert found.hidden.value == pytest.approx(5.0, rel=0.01)
    assert found.disturbed.value == pytest.approx(-2.0, rel=0.01)
    for term in (found.gain, found.faster, found.hidden, found.disturbed):
        assert term.low <= term.value <= term.high


def test_only_faster_is_told_from_hidden() -> None:
    faster = samples(blocking=5.0, nonblocking=5.0, work=20.0, inside=20.0, overlap=25.0)
    assert verdict(attribute(BASE, faster)).startswith("only faster")
    hidden = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=20.0, overlap=21.0)
    assert "hidden time, not a faster" in verdict(attribute(BASE, hidden))
    both = samples(blocking=5.0, nonblocking=5.0, work=20.0, inside=20.0, overlap=20.5)
    assert "from both" in verdict(attribute(BASE, both))


def test_a_thread_that_takes_what_it_hides_is_called_so() -> None:
    thief = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=40.0, overlap=40.0)
    words = verdict(attribute(BASE, thief))
    assert words.startswith("slower")
    assert "takes from the work" in words


def test_no_gain_is_not_dressed_up() -> None:
    same = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=20.0, overlap=30.0, noise=0.2)
    assert verdict(attribute(BASE, same)).startswith("no gain")


def test_the_same_samples_give_the_same_intervals() -> None:
    assert attribute(BASE, BASE) == attribute(BASE, BASE)
