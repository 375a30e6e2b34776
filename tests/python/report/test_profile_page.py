# SPDX-License-Identifier: Apache-2.0
"""The page of a profile: what its sections say, and how it looks in a real Chromium."""

import doctest
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from isobath.report.profile_doubts import doubts_of
from isobath.report.profile_page import SECTIONS, page_of, program, sections_of
from isobath.report.profile_sections import (
    calls,
    communicators,
    headline,
    levels,
    matrix,
    places,
    ranks,
    regions,
    searches,
    sites,
    sizes,
    timeline,
)
from isobath.report.profile_sections import worlds as worlds_section
from isobath.view.content import Figure, Section, Table
from isobath.view.html import page_html
from isobath.view.terminal import printed
from report.sample_profiles import SampleProfile, profile_of, worlds_of
from report.test_page_in_browser import CONTRAST, LOOKS, OVERLAPS, opened

SOUND = SampleProfile()
MANY = SampleProfile(ranks=80, rounds=4)
HOSTILE = SampleProfile(word="</svg><script>alert('x')</script>{{ 7 * 7 }}\x1b[31m")
DOUBTFUL = SampleProfile(processors=2, killed=1, costly=True, timeline=False)
EMPTY = SampleProfile(rounds=0)

EVERY = pytest.mark.parametrize(
    "sample",
    [SOUND, MANY, HOSTILE, DOUBTFUL, EMPTY],
    ids=["sound", "many", "hostile", "doubtful", "empty"],
)


def text_of(section: Section) -> str:
    captions = [block.caption for block in section.blocks if isinstance(block, Figure)]
    return " ".join([section.lead, *captions])


def test_sections_say_what_was_found() -> None:
    data = profile_of(SOUND)

    assert "MPI_Allreduce takes 33 %" in text_of(headline.render(data))
    assert "MPI_Allreduce" in text_of(calls.render(data))
    assert "Rank 3 waits least" in text_of(ranks.render(data))
    assert "half of the bytes in messages of" in text_of(sizes.render(data))
    assert "in solve (solve+0x1000), takes 33 %" in text_of(sites.render(data))
    assert "Calls outside regions take most, 67 %" in text_of(regions.render(data))
    assert "Search 0 spends most in MPI" in text_of(searches.render(data))
    assert "Calls on a-0 take 100 %" in text_of(communicators.render(data))
    assert "which are shown as such" in text_of(levels.render(data))
    assert "each sends to 3 others" in text_of(matrix.render(data))
    assert "40 collective calls" in text_of(timeline.render(data))
    assert program(data) == "solve"


def test_what_is_not_to_be_believed_is_said_first() -> None:
    page = page_of((profile_of(DOUBTFUL),), ("CHANGED AFTER SEALING: <x>",))
    said = " ".join(page.doubts)

    assert page.doubts[0] == "CHANGED AFTER SEALING: <x>"
    assert page_html(page).index("CHANGED AFTER SEALING: &lt;x&gt;") < page_html(page).index("<h2")
    assert "OVERSUBSCRIBED: 4 ranks on 2 processors" in said
    assert "Of 4 ranks 3 could write" in said
    assert "more than 1 %" in said
    assert profile_of(DOUBTFUL).labels == ("OVERSUBSCRIBED",)
    assert page.labels == ("OVERSUBSCRIBED",)
    assert doubts_of((profile_of(SOUND),)) == ()


def test_the_stretch_is_the_longest_in_a_row() -> None:
    line = profile_of(SampleProfile(rounds=30)).profile.timelines[0]
    slow = list(line.nanoseconds)
    slow[60:65] = [1_000_000] * 5
    changed = line.model_copy(update={"nanoseconds": tuple(slow)})

    first, last = timeline.stretch(changed)

    assert first <= line.entry_nanoseconds[60]
    assert last >= line.entry_nanoseconds[64] + 1_000_000


def test_the_spans_of_a_rank_fill_the_stretch() -> None:
    line = profile_of(SOUND).profile.timelines[1]
    first, last = timeline.stretch(line)

    spans = timeline.row_of(line, first, last).spans

    assert spans[0].start == 0.0
    assert spans[-1].end == pytest.approx((last - first) * 1e-6)
    assert all(a.end == b.start for a, b in pairwise(spans))


def test_worlds_have_sections_of_their_own_and_no_total() -> None:
    worlds = worlds_of(6)
    page = page_html(page_of(worlds))

    assert page == page_html(page_of(worlds))
    assert "Communication of solve in 6 worlds" in page
    assert "6 worlds of one rank, not one of 6: it is so; mend &lt;it&gt;." in page
    assert "on 6 ranks" not in page
    headline_of_one = '<span class="unit">of the wall time in MPI</span>'
    assert page.count(headline_of_one) == worlds_section.SHOWN_WORLDS
    for number in range(1, worlds_section.SHOWN_WORLDS + 1):
        assert f'id="world-{number}-result"' in page
        for module in SECTIONS:
            assert f">{module.TITLE}, world {number}<" in page
    assert 'id="world-5-result"' not in page
    (table,) = (one for one in worlds_section.render(worlds).blocks if isinstance(one, Table))
    assert [row[0] for row in table.rows] == ["1", "2", "3", "4", "5", "6"]
    assert {row[1] for row in table.rows} == {"1"}
    calls_alone = f"{worlds[0].profile.whole.calls:,}"
    assert {row[8] for row in table.rows} == {calls_alone}


@EVERY
def test_the_same_profile_gives_the_same_page(
    sample: SampleProfile, forget_pictures: Callable[[], None]
) -> None:
    page = page_html(page_of((profile_of(sample),)))
    forget_pictures()

    assert page == page_html(page_of((profile_of(sample),)))
    for module in SECTIONS:
        assert f">{module.TITLE}<" in page
    assert "<script>alert" not in page
    assert "49" not in page.split("<title>")[1].split("</title>")[0]


@EVERY
def test_a_terminal_has_every_number_of_the_page(sample: SampleProfile) -> None:
    sections = tuple(sections_of((profile_of(sample),)))
    text = "\n".join(part.plain for part in printed(sections, 80, whole=True))

    assert max(map(len, text.splitlines())) <= 80
    assert text.isprintable() or set(filter(lambda one: not one.isprintable(), text)) == {"\n"}
    said = set(text.split())
    blocks = [block for section in sections for block in section.blocks]
    tables = [block.table if isinstance(block, Figure) else block for block in blocks]
    for table in tables:
        if isinstance(table, Table):
            assert {cell for row in table.rows for cell in row if cell.isdigit()} <= said


@EVERY
def test_the_page_asks_for_nothing_and_fits(
    browser: Browser, tmp_path: Path, sample: SampleProfile
) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_html(page_of((profile_of(sample),))), encoding="utf-8")

    for width in (1200, 360):
        with opened(browser, page, width=width) as (tab, seen):
            tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            wide = tab.evaluate(
                "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
            )
            assert wide <= width
            assert [url for url in seen.requests if not url.startswith("data:")] == [page.as_uri()]
            assert seen.complaints == []
            assert tab.locator("script, img, iframe, object, embed, form").count() == 0


@LOOKS
def test_all_text_has_the_contrast_of_wcag_aa(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_html(page_of((profile_of(SOUND),))), encoding="utf-8")

    with opened(browser, page, width=width, scheme=scheme) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        found = tab.evaluate(CONTRAST)
        assert found["texts"] > 100
        assert found["faint"] == []


@pytest.mark.parametrize("width", [1200, 360])
@EVERY
def test_no_two_labels_of_a_chart_overlap(
    browser: Browser, tmp_path: Path, sample: SampleProfile, width: int
) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_html(page_of((profile_of(sample),))), encoding="utf-8")

    with opened(browser, page, width=width) as (tab, _):
        assert tab.evaluate(OVERLAPS) == []


def test_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(places).failed == 0
