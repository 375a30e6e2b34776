# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.kinds.overlap.sections import section
from isobath.launch.offload_hardware import found_in
from isobath.overlap.reading import Group, groups_of, name_of, not_measured, row_of, rows_of
from isobath.records.overlap import OverlapRecord
from isobath.view.terminal import printed
from records import examples


def lines_of(group: Group, width: int = 80) -> list[str]:
    """All of a group, in a terminal."""
    parts = printed([section(group)], width, whole=True)
    return [line for part in parts for line in part.plain.splitlines()]


def record(**changed: object) -> OverlapRecord:
    return OverlapRecord.model_validate(
        examples.overlap_record().model_dump(by_alias=True) | changed, strict=False
    )


def faster_overlap(nanoseconds: int) -> OverlapRecord:
    one = examples.overlap_record()
    assert one.parts is not None
    times = examples.part_times(nanoseconds, nanoseconds, nanoseconds)
    parts = one.parts.model_copy(update={"overlap": times})
    return one.model_copy(update={"parts": parts, "progress": "tests", "tests": 10})


def test_a_row_has_medians_of_all_ranks_together() -> None:
    row = row_of(examples.overlap_record())
    assert row.times.blocking == pytest.approx(300e-9)
    assert row.times.nonblocking == pytest.approx(310e-9)
    assert row.times.work == pytest.approx(300e-9)  # of the slowest rank
    assert row.times.overlap == pytest.approx(510e-9)
    assert row.hidden_share == pytest.approx((310 + 300 - 510) / 300)
    assert row.availability == 1
    assert row.mean_times.blocking == pytest.approx((300 + 290 + 300) / 3 * 1e-9)


def test_late_repetitions_are_left_out() -> None:
    one = record(invalid=(0, 1))
    assert row_of(one).times.nonblocking == pytest.approx(320e-9)


def test_where_all_are_late_there_is_no_row_and_a_reason() -> None:
    late = record(invalid=(0, 1, 2))
    assert rows_of([late, examples.overlap_record()])[0].launches == 1
    assert rows_of([late]) == []
    assert "late in every repetition" in not_measured([late])[0]
    with pytest.raises(ValueError, match="without usable times"):
        row_of(late)


def test_a_row_is_of_all_launches_of_a_setting() -> None:
    launches = [record(launch=n, order=7 * n) for n in (1, 2)]
    slow = faster_overlap(900).model_copy(update={"progress": "library", "tests": 0, "launch": 3})
    (row,) = rows_of([*launches, slow])
    assert row.launches == 3
    assert row.times.overlap == pytest.approx(510e-9)  # the median of 510, 510 and 910
    assert row.mean_times.overlap == pytest.approx((510 + 510 + 910) / 3 * 1e-9)
    assert row.overlap_interval is not None
    assert row.overlap_interval[1] > 900e-9
    assert row.share_interval.low < row.hidden_share
    assert len(rows_of([*launches, record(tests=3)])) == 2


def test_a_setting_that_a_launch_measured_twice_is_one_launch() -> None:
    twice = [record(launch=1, order=n) for n in (1, 2, 3)]
    (row,) = rows_of(twice)
    assert row.launches == 1
    assert row.records == (twice[0],)
    (both,) = rows_of([*twice, record(launch=2)])
    assert both.launches == 2


def test_few_launches_are_named() -> None:
    one = groups_of(rows_of([examples.overlap_record(), faster_overlap(310)]))[0]
    assert "FEW LAUNCHES: 1" in one.sentence()
    many = [
        made.model_copy(update={"launch": n})
        for n in (1, 2, 3)
        for made in (examples.overlap_record(), faster_overlap(310))
    ]
    assert "FEW LAUNCHES" not in groups_of(rows_of(many))[0].sentence()


def test_what_is_wrong_or_has_no_time_has_no_row() -> None:
    failed = record(data_check="failed", data_check_failure="element 3")
    refused = record(
        not_runnable="no processor", parts=None, inside=None, invalid=None, data_check=None
    )
    assert rows_of([failed, refused]) == []
    with pytest.raises(ValueError, match="without usable times"):
        row_of(refused)


def test_the_sentence_says_that_the_gain_is_hidden_time() -> None:
    group = groups_of(rows_of([examples.overlap_record(), faster_overlap(310)]))[0]
    assert group.best is not None
    assert name_of(group.best.record) == "tests 10"
    assert "hidden time, not a faster" in group.sentence()


def test_more_ranks_than_processors_is_never_a_result() -> None:
    group = groups_of(rows_of([record(oversubscribed=True)]))[0]
    assert group.best is None
    text = " ".join(" ".join(lines_of(group)).split())
    assert "oversubscribed: no result" in text
    assert "no share of these times is a result" in text


def test_other_work_is_not_compared() -> None:
    other = faster_overlap(310).model_copy(update={"work_units": 8})
    group = groups_of(rows_of([examples.overlap_record(), other]))[0]
    assert "nothing" not in group.sentence()
    assert "no blocking call of the library to compare with" in group.sentence()


@pytest.mark.parametrize("width", [80, 60])
def test_tables_fit_the_terminal(width: int) -> None:
    records = [examples.overlap_record(), faster_overlap(310)]
    lines = [line for group in groups_of(rows_of(records)) for line in lines_of(group, width)]
    assert max(len(line) for line in lines) <= width
    assert any(line.startswith("tests ") for line in lines)


def test_components_of_open_mpi_are_found() -> None:
    both = found_in("mca:coll:hcoll:version:x\nmca:coll:ucc:version:y\n")
    assert both.components == ("hcoll", "ucc")
    assert "OMPI_MCA_coll_hcoll_enable" in both.sentence
    assert found_in("mca:coll:tuned:version:x").components == ()
