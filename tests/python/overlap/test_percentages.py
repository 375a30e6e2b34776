# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.overlap.percentages import Percentage, percentages_of
from isobath.records.overlap import OverlapRecord
from records import examples


def launch(number: int, overall: int, repetitions: int = 3) -> OverlapRecord:
    """One whose OSU loop took ``overall`` ns, with 100 ns of computing and 50 of the call alone."""
    one = examples.overlap_record()
    assert one.parts is not None
    assert one.inside is not None
    ranks = len(one.parts.osu.rank_nanoseconds)
    osu = examples.part_times(*[overall] * repetitions)
    pure = examples.part_times(*[50] * repetitions)
    compute = ((100,) * repetitions,) * ranks
    return one.model_copy(
        update={
            "launch": number,
            "parts": one.parts.model_copy(update={"osu": osu, "nonblocking": pure}),
            "inside": one.inside.model_copy(
                update={"osu_compute": compute, "osu_test": ((0,) * repetitions,) * ranks}
            ),
        }
    )


def test_each_launch_gives_one_and_none_counts_more_for_its_repetitions() -> None:
    found = percentages_of([launch(1, 125), launch(2, 145, repetitions=300)])
    assert found.osu.of_launches == pytest.approx((50, 10))
    assert found.osu.value == pytest.approx(30)
    assert found.sharp_paper.of_launches == pytest.approx((50, 10))


def test_the_interval_is_over_launches() -> None:
    interval = Percentage((50.0, 10.0, 30.0)).interval
    assert interval is not None
    # t(2, 0.975) = 4.3027; the standard deviation is 20
    assert interval.low == pytest.approx(30 - 4.3027 * 20 / 3**0.5, rel=1e-4)
    assert Percentage((50.0,)).interval is None
