# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from isobath.records.codec import AnyRecord, encode
from isobath.report.overlap_page import overlap_page_html, write_overlap_report
from records import examples


def page(folder: Path, *records: AnyRecord) -> str:
    file = folder / "records.jsonl"
    file.write_text("".join(encode(one) + "\n" for one in records), encoding="utf-8")
    return overlap_page_html(file)


def test_a_section_for_each_group_with_charts_and_the_sentence(tmp_path: Path) -> None:
    one = examples.overlap_record()
    more = [
        one.model_copy(update={"work_ratio": ratio, "order": order})
        for order, ratio in enumerate((0.5, 1.0, 2.0))
    ]
    tested = [one.model_copy(update={"progress": "tests", "tests": k}) for k in (1, 10)]
    html = page(tmp_path, examples.launch_record(), *more, *tested)
    assert "allreduce of 512 B, 2 ranks" in html
    assert "Hidden share against work, library" in html
    assert "Hidden share against the number of tests" in html
    assert html.count("<svg") >= 3
    assert "is done first" in html


def test_oversubscribed_rows_have_no_chart_and_no_share(tmp_path: Path) -> None:
    crowded = examples.overlap_record().model_copy(update={"oversubscribed": True})
    html = page(tmp_path, crowded)
    assert "oversubscribed: no result" in html
    assert "Time with work between" not in html


def test_nothing_and_what_was_not_measured_are_said(tmp_path: Path) -> None:
    assert "has no times" in page(tmp_path)
    refused = examples.overlap_record().model_copy(
        update={"not_runnable": "needs <a> processor", "parts": None, "inside": None,
                "invalid": None, "data_check": None}
    )  # fmt: skip
    html = page(tmp_path, refused)
    assert "needs &lt;a&gt; processor" in html


def test_the_page_is_written_and_always_the_same(tmp_path: Path) -> None:
    first = page(tmp_path, examples.overlap_record())
    written = write_overlap_report(tmp_path / "records.jsonl", tmp_path / "more" / "report.html")
    assert written.read_text(encoding="utf-8") == first
