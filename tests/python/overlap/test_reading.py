# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.cli.overlap_text import lines_of
from isobath.launch.offload_hardware import found_in
from isobath.overlap.reading import groups_of, name_of, row_of, rows_of
from isobath.records.overlap import OverlapRecord
from records import examples


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


def test_what_is_wrong_or_has_no_time_has_no_row() -> None:
    failed = record(data_check="failed", data_check_failure="element 3")
    refused = record(
        not_runnable="no processor", parts=None, inside=None, invalid=None, data_check=None
    )
    assert rows_of([failed, refused]) == []
    with pytest.raises(ValueError, match="without times"):
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


def test_tables_fit_80_columns() -> None:
    records = [examples.overlap_record(), faster_overlap(310)]
    lines = [line for group in groups_of(rows_of(records)) for line in lines_of(group)]
    assert max(len(line) for line in lines) <= 80
    assert any(line.split()[0] == "tests" for line in lines)


def test_components_of_open_mpi_are_found() -> None:
    both = found_in("mca:coll:hcoll:version:x\nmca:coll:ucc:version:y\n")
    assert both.components == ("hcoll", "ucc")
    assert "OMPI_MCA_coll_hcoll_enable" in both.sentence
    assert found_in("mca:coll:tuned:version:x").components == ()
