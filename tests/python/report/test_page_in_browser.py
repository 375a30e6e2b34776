# SPDX-License-Identifier: Apache-2.0
"""The page in a real Chromium: offline, no JavaScript, light, dark, on paper, on a telephone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from report.conftest import MakeReport
from report.sample_runs import Sample

SOUND = Sample()
GRID = Sample(run_id="20261121-094500-s20-6666", ranks=6, validated=False, oversubscribed=True)
HOSTILE = Sample(
    run_id="<script>alert('id')</script>",
    hostname="\"><img src=x onerror=alert('host')>\x1b[31m{{ 7 * 7 }}</style></svg>",
    broken=frozenset({3}),
    official=False,
)
MANY_RANKS = Sample(run_id="20261121-100000-s20-many", ranks=100_000, peaks=100_000)
EMPTY = Sample(run_id="20261121-101500-s20-none", searches=0, failure="rank 0 was killed")

EVERY = pytest.mark.parametrize(
    "sample",
    [SOUND, GRID, HOSTILE, MANY_RANKS, EMPTY],
    ids=["sound", "grid", "hostile", "many_ranks", "empty"],
)
LOOKS = pytest.mark.parametrize(
    ("width", "scheme"), [(1200, "light"), (1200, "dark"), (360, "light"), (360, "dark")]
)

CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
OVERLAPS = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")


@dataclass
class Seen:
    """What happened while a page was open."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@contextmanager
def opened(
    browser: Browser, page: Path, *, width: int = 1200, scheme: Any = "light", script: bool = True
) -> Iterator[tuple[Page, Seen]]:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        java_script_enabled=script,
        offline=True,
    )
    tab, seen = context.new_page(), Seen()
    tab.on("request", lambda request: seen.requests.append(request.url))
    tab.on("console", lambda message: seen.complaints.append(message.text))
    tab.on("pageerror", lambda error: seen.complaints.append(str(error)))
    tab.on("dialog", lambda dialog: seen.complaints.append(f"dialog {dialog.message}"))
    try:
        tab.goto(page.as_uri())
        yield tab, seen
    finally:
        context.close()


@EVERY
def test_the_page_asks_for_nothing_and_says_nothing(
    browser: Browser, make_report: MakeReport, sample: Sample
) -> None:
    page = make_report(sample)

    with opened(browser, page) as (tab, seen):
        tab.wait_for_load_state("load")

        assert [url for url in seen.requests if not url.startswith("data:")] == [page.as_uri()]
        assert seen.complaints == []


@EVERY
def test_the_page_is_small(make_report: MakeReport, sample: Sample) -> None:
    assert make_report(sample).stat().st_size < 2_000_000


def test_the_page_is_readable_without_javascript(browser: Browser, make_report: MakeReport) -> None:
    with opened(browser, make_report(SOUND), script=False) as (tab, _):
        text = tab.locator("main").inner_text()
        tab.locator("summary", has_text="Every search in numbers").click()

        assert "GTEPS" in text
        assert "64/64 searches validated" in text
        assert tab.locator("figure .wide svg").first.is_visible()
        assert tab.locator("td", has_text="16,775,818").first.is_visible()
        assert tab.locator("script").count() == 0


@LOOKS
@EVERY
def test_nothing_is_wider_than_the_window(
    browser: Browser, make_report: MakeReport, sample: Sample, width: int, scheme: str
) -> None:
    with opened(browser, make_report(sample), width=width, scheme=scheme) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")

        wide = tab.evaluate(
            "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
        )

        assert wide <= width


@LOOKS
@pytest.mark.parametrize("sample", [SOUND, GRID], ids=["sound", "grid"])
def test_all_text_has_the_contrast_of_wcag_aa(
    browser: Browser, make_report: MakeReport, sample: Sample, width: int, scheme: str
) -> None:
    with opened(browser, make_report(sample), width=width, scheme=scheme) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")

        found = tab.evaluate(CONTRAST)

    assert found["texts"] > 300
    assert found["faint"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_charts_stand_out_from_the_page(
    browser: Browser, make_report: MakeReport, scheme: str
) -> None:
    with opened(browser, make_report(GRID), scheme=scheme) as (tab, _):
        found = tab.evaluate(f"({CONTRAST.strip().rstrip(';')}, contrastOfSwatches())")

    assert found["swatches"] >= 12
    assert found["faint"] == []


@pytest.mark.parametrize("width", [1200, 360])
@EVERY
def test_no_two_labels_of_a_chart_overlap(
    browser: Browser, make_report: MakeReport, sample: Sample, width: int
) -> None:
    with opened(browser, make_report(sample), width=width) as (tab, _):
        assert tab.evaluate(OVERLAPS) == []


@EVERY
def test_headings_are_in_order_and_everything_is_named(
    browser: Browser, make_report: MakeReport, sample: Sample
) -> None:
    with opened(browser, make_report(sample)) as (tab, _):
        levels = tab.evaluate(
            "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(h => +h.tagName[1])"
        )
        unnamed = tab.evaluate(
            """[...document.querySelectorAll('[role=img], [role=region], section, table')].filter(
                 e => !(e.getAttribute('aria-label') ||
                        document.getElementById(e.getAttribute('aria-labelledby'))?.textContent)
               ).length"""
        )
        doubled = tab.evaluate(
            """(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
                 return ids.filter((id, i) => ids.indexOf(id) !== i); })()"""
        )
        dangling = tab.evaluate(
            """[...document.querySelectorAll('a[href^="#"]')].filter(
                 a => !document.getElementById(a.getAttribute('href').slice(1))).length"""
        )

        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert unnamed == 0
        assert doubled == []
        assert dangling == 0
        assert tab.locator("html").get_attribute("lang") == "en"


def test_the_page_can_be_used_with_the_keyboard(browser: Browser, make_report: MakeReport) -> None:
    with opened(browser, make_report(SOUND)) as (tab, _):
        tab.keyboard.press("Tab")

        assert tab.evaluate("document.activeElement.className") == "skip"

        tab.locator("summary").first.focus()
        tab.keyboard.press("Enter")

        assert tab.evaluate("document.querySelector('details').open") is True
        assert tab.evaluate(
            """[...document.querySelectorAll('.scroll, pre')].every(e => e.tabIndex === 0)"""
        )


def test_hostile_text_is_shown_and_never_obeyed(browser: Browser, make_report: MakeReport) -> None:
    with opened(browser, make_report(HOSTILE)) as (tab, seen):
        text = tab.locator("body").inner_text()

        assert "<script>alert('id')</script>" in text
        assert "<img src=x onerror=alert('host')>" in text
        assert "{{ 7 * 7 }}" in text
        assert tab.locator("script, img, iframe, object, embed, form").count() == 0
        assert seen.complaints == []


def test_a_page_of_many_ranks_opens_quickly(browser: Browser, make_report: MakeReport) -> None:
    page = make_report(MANY_RANKS)

    with opened(browser, page) as (tab, _):
        spent = tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart / 1000")

    assert spent < 3


def test_paper_shows_the_wide_charts_in_dark_ink(
    browser: Browser, make_report: MakeReport, tmp_path: Path
) -> None:
    with opened(browser, make_report(SOUND), width=360, scheme="dark") as (tab, _):
        tab.emulate_media(media="print", color_scheme="dark")

        assert tab.locator("figure .wide").first.is_visible()
        assert not tab.locator("figure .narrow").first.is_visible()
        assert not tab.locator("nav").is_visible()
        assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(19, 32, 44)"

        tab.emulate_media(media="screen")
        paper = tab.pdf(format="A4", path=tmp_path / "report.pdf")

    assert paper.startswith(b"%PDF")
    assert 3 <= paper.count(b"/Type /Page\n") <= 16


@LOOKS
def test_a_picture_can_be_taken(
    browser: Browser, make_report: MakeReport, tmp_path: Path, width: int, scheme: str
) -> None:
    with opened(browser, make_report(SOUND), width=width, scheme=scheme) as (tab, _):
        picture = tab.screenshot(path=tmp_path / f"{scheme}-{width}.png", full_page=True)

    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 50_000
