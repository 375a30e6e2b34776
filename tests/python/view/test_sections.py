# SPDX-License-Identifier: Apache-2.0
"""The same sections in a terminal and on a page."""

from dataclasses import replace
from itertools import islice

from isobath.report.marks import Bar, BarChart
from isobath.view.content import (
    Fact,
    Facts,
    Figure,
    Headline,
    Listing,
    Notice,
    Page,
    Paragraph,
    Preformatted,
    Section,
    Table,
    columns,
)
from isobath.view.html import page_html
from isobath.view.terminal import printed

NUMBERS = Table("In numbers", columns("=name", "#value"), (("a", "1"), ("b", "2")))
FOLDED = Table("All of it", columns("=name", "#more"), (("a", "17"), ("b", "18")), folded=True)
BLOCKS = (
    Headline("7.13", "0.02", "GTEPS", "harmonic mean", "every search was validated", good=True),
    Notice("FEW LAUNCHES: 2"),
    Figure(BarChart((Bar("a", 1.0, "1 us"),), "us"), "a takes 1 us", table=NUMBERS, title="Times"),
    FOLDED,
    Facts((Fact("ranks", "2", "of 4"), Fact("clock", "one")), title="Machine"),
    Listing("To know", ("first " * 20, "second")),
    Paragraph("Some words."),
    Preformatted("rules.txt", "a = 1\nb = 2"),
    Preformatted("long.txt", "hidden", folded=True),
)
SECTION = Section("times", "Times of a call", BLOCKS, lead="One is faster.")


def text_of(width: int = 80, *, whole: bool = False) -> str:
    parts = printed([SECTION], width, whole=whole, notices=["UNFINISHED: 1 of 2."])
    return "\n".join(one.plain for one in parts)


def test_what_has_to_be_known_first_then_every_block_in_its_order() -> None:
    text = text_of()
    order = ["UNFINISHED: 1 of 2.", "Times of a call", "7.13 ± 0.02 GTEPS",
             "every search was validated", "One is faster.", "FEW LAUNCHES", "In numbers",
             "Machine", "ranks  2, of 4", "To know", "second", "Some words.", "rules.txt", "b = 2",
             "Charts in the report: Times."]  # fmt: skip
    assert sorted(order, key=text.index) == order


def test_words_behind_a_table_are_not_one_more_row() -> None:
    parts = printed([Section("s", "S", (NUMBERS, Notice("a"), Paragraph("b")))], 80)
    (part,) = parts
    assert part.plain.splitlines()[-3:] == ["", "  a", "  b"]


def test_what_a_page_folds_is_shown_by_views_of_all() -> None:
    assert "17" not in text_of()
    assert "hidden" not in text_of()
    assert "a takes 1 us" not in text_of()
    for word in ("17", "18", "hidden", "a takes 1 us"):
        assert word in text_of(whole=True)


def test_labels_stand_beside_every_number_that_was_measured() -> None:
    parts = printed([SECTION, replace(SECTION, title="Words", measured=False)], 80,
                    whole=True, labels=("UNVALIDATED", "OVERSUBSCRIBED"))  # fmt: skip
    said, unsaid = (part.plain for part in islice(parts, 2))
    assert said.startswith("Times of a call UNVALIDATED OVERSUBSCRIBED\n")
    for words in ("  UNVALIDATED OVERSUBSCRIBED 7.13", "\nIn numbers UNVALIDATED OVERSUBSCRIBED\n",
                  "\nAll of it UNVALIDATED OVERSUBSCRIBED\n"):  # fmt: skip
        assert words in said
    assert "UNVALIDATED" not in unsaid


def test_a_terminal_has_nothing_to_obey() -> None:
    (part,) = printed([Section("s", "S", (Paragraph("\x1b[2Jgone\x07"),))], 80)
    assert part.plain.split() == ["S", "[2Jgone"]


def test_a_command_is_broken_where_the_terminal_ends() -> None:
    command = Preformatted("Command", "word " * 30, wrapped=True)
    (part,) = printed([Section("s", "S", (command,))], 40)
    assert max(map(len, part.plain.splitlines())) <= 40
    assert part.plain.split().count("word") == 30


def test_lines_keep_to_a_narrow_terminal() -> None:
    assert all(len(line) <= 40 for line in text_of(40, whole=True).splitlines())


def test_a_page_has_the_same_texts_and_the_chart() -> None:
    page = Page("T", "Heading", "host", "benchmark", "b1", "records.jsonl", (SECTION,),
                doubts=("UNFINISHED: <1> of 2.", "second doubt"))  # fmt: skip
    html = page_html(page)
    for word in ("7.13", "One is faster.", "17", "hidden", "a takes 1 us", "second doubt"):
        assert word in html
    assert "UNFINISHED: &lt;1&gt; of 2." in html
    assert "<svg" in html
    assert html == page_html(page)


def test_the_last_cell_of_a_short_row_reaches_to_the_end_on_a_page() -> None:
    table = Table("T", columns("=a", "#b", "#c"), (("x", "1", "2"), ("y", "no result")))
    html = page_html(Page("T", "H", "p", "n", "i", "r", (Section("s", "S", (table,)),)))
    assert '<td colspan="2">no result</td>' in html
    assert html.count("colspan") == 1
