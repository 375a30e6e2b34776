# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

from isobath.kinds.overlap.sections import page_of
from isobath.overlap.bare import overlap_of
from isobath.overlap.folders import OverlapRead
from isobath.records.codec import AnyRecord
from isobath.view.html import page_html
from records import examples


def read_of(*records: AnyRecord, launches: int = 3) -> OverlapRead:
    heads = [one for one in records if one.kind == "launch"] or [examples.launch_record()]
    found = overlap_of([*heads[:1], *records], "")
    plan = found.plan.model_copy(update={"launches": launches})
    return replace(found, plan=plan, records=records, problems=())


def page(*records: AnyRecord, launches: int = 3) -> str:
    return page_html(page_of(read_of(*records, launches=launches)))


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


def test_launches_that_are_missing_are_said() -> None:
    unfinished = replace(read_of(examples.overlap_record()), launches_done=0)
    assert "UNFINISHED: 0 of 1 launches are done." in page_html(page_of(unfinished))
    assert "UNFINISHED" not in page(examples.overlap_record())
