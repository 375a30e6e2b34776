# SPDX-License-Identifier: Apache-2.0
import random

import pytest

from isobath.overlap.attribution import Samples, attribute, share_interval, verdict


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
    found = attribute([BASE], [candidate])
    parts = found.faster.value + found.hidden.value + found.disturbed.value
    assert found.gain.value == pytest.approx(parts)
    assert found.faster.value == pytest.approx(3.0, rel=0.01)
    assert found.hidden.value == pytest.approx(5.0, rel=0.01)
    assert found.disturbed.value == pytest.approx(-2.0, rel=0.01)
    for term in (found.gain, found.faster, found.hidden, found.disturbed):
        assert term.low <= term.value <= term.high


def test_only_faster_is_told_from_hidden() -> None:
    faster = samples(blocking=5.0, nonblocking=5.0, work=20.0, inside=20.0, overlap=25.0)
    assert verdict(attribute([BASE], [faster])).startswith("only faster")
    hidden = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=20.0, overlap=21.0)
    assert "hidden time, not a faster" in verdict(attribute([BASE], [hidden]))
    both = samples(blocking=5.0, nonblocking=5.0, work=20.0, inside=20.0, overlap=20.5)
    assert "from both" in verdict(attribute([BASE], [both]))


def test_a_thread_that_takes_what_it_hides_is_called_so() -> None:
    thief = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=40.0, overlap=40.0)
    words = verdict(attribute([BASE], [thief]))
    assert words.startswith("slower")
    assert "takes from the work" in words


def test_no_gain_is_not_dressed_up() -> None:
    same = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=20.0, overlap=30.0, noise=0.2)
    assert verdict(attribute([BASE], [same])).startswith("no gain")


def test_the_same_samples_give_the_same_intervals() -> None:
    assert attribute([BASE], [BASE]) == attribute([BASE], [BASE])


def shifted(launch: Samples, by: float) -> Samples:
    return Samples(
        *(
            [one * by for one in times]
            for times in (
                launch.blocking, launch.nonblocking, launch.work, launch.overlap, launch.work_inside
            )
        )
    )  # fmt: skip


def test_launches_that_differ_make_the_interval_wider() -> None:
    """Within a launch all is sure to a per cent; between launches it is a fifth."""
    candidate = samples(blocking=10.0, nonblocking=10.0, work=20.0, inside=20.0, overlap=27.0)
    alike = attribute([BASE] * 3, [candidate] * 3)
    apart = [shifted(candidate, by) for by in (0.8, 1.0, 1.2)]
    unsure = attribute([BASE] * 3, apart)
    assert unsure.gain.value == pytest.approx(alike.gain.value)
    assert unsure.gain.high - unsure.gain.low > 10 * (alike.gain.high - alike.gain.low)
    assert alike.gain.is_gain
    assert not unsure.gain.is_gain
    share = share_interval([candidate] * 3)
    assert share.value == pytest.approx(0.3, rel=0.01)
    assert share.low <= share.value <= share.high


def test_the_median_is_of_the_medians_of_launches() -> None:
    several = [shifted(BASE, by) for by in (1.0, 1.1, 3.0)]
    found = attribute(several, several)
    assert found.hidden.value == pytest.approx(0.0, abs=0.1)
    assert attribute(several, [BASE] * 3).faster.value == pytest.approx(1.0, rel=0.05)
