# SPDX-License-Identifier: Apache-2.0
from isobath.records.codec import AnyRecord
from isobath.report.overlap_page import overlap_page_html
from records import examples


def page(*records: AnyRecord, launches: int = 3) -> str:
    return overlap_page_html(records, "b1", launches=launches)


def test_a_section_for_each_group_with_charts_and_the_sentence() -> None:
    one = examples.overlap_record()
    more = [
        one.model_copy(update={"work_ratio": ratio, "order": order})
        for order, ratio in enumerate((0.5, 1.0, 2.0))
    ]
    tested = [one.model_copy(update={"progress": "tests", "tests": k}) for k in (1, 10)]
    html = page(examples.launch_record(), *more, *tested)
    assert "allreduce of 512 B, 2 ranks" in html
    assert "Hidden share against work, library" in html
    assert "Hidden share against the number of tests" in html
    assert html.count("<svg") >= 3
    assert "is done first" in html


def test_oversubscribed_rows_have_no_chart_and_no_share() -> None:
    crowded = examples.overlap_record().model_copy(update={"oversubscribed": True})
    html = page(crowded)
    assert "oversubscribed: no result" in html
    assert "Time with work between" not in html


def test_nothing_and_what_was_not_measured_are_said() -> None:
    assert "has no times" in page()
    refused = examples.overlap_record().model_copy(
        update={"not_runnable": "needs <a> processor", "parts": None, "inside": None,
                "invalid": None, "data_check": None}
    )  # fmt: skip
    html = page(refused)
    assert "needs &lt;a&gt; processor" in html


def test_fewer_than_three_launches_are_named() -> None:
    one = examples.overlap_record()
    assert "FEW LAUNCHES" in page(one, launches=2)
    several = [one.model_copy(update={"launch": n}) for n in (1, 2, 3)]
    html = page(*several)
    assert "FEW LAUNCHES" not in html
    assert "0.51 us to" in html or "510 ns to" in html
    assert "one clock" in html


def test_clocks_of_several_nodes_say_how_far_they_were_off() -> None:
    launch = examples.launch_record().model_copy(update={"clocks": 2})
    one = examples.overlap_record().model_copy(update={"clock_error_nanoseconds": 1500})
    assert "2 clocks, compared after every setting" in page(launch, one)


def test_repetitions_that_are_all_late_are_not_used_and_said() -> None:
    late = examples.overlap_record().model_copy(update={"invalid": (0, 1, 2)})
    html = page(late)
    assert "has no times" in html
    assert "some rank was late in every repetition" in html
