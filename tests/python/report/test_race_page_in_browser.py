# SPDX-License-Identifier: Apache-2.0
"""The page of a race in a real Chromium: offline, no JavaScript, light, dark, on a telephone."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from isobath.report.race_data import RaceData
from isobath.report.race_page import race_page_html
from report.sample_races import SampleRace, race_of
from report.test_page_in_browser import CONTRAST, LOOKS, OVERLAPS, opened

SOUND = SampleRace(nodes=4)
WRONG = SampleRace(
    plans=("replicated-csr", "simple", "hybrid"),
    ranks=(2, 4),
    keys=3,
    validated=False,
    deviation=8,
    mpi=("mpich", "openmpi"),
    scales=(18, 20),
)
HOSTILE = SampleRace(
    race_id="<script>alert('race')</script>",
    plans=("two-dim", "</svg><b>\x1b[31m"),
    ranks=(1, 4),
    keys=2,
    hostname="\"><img src=x onerror=alert('host')>{{ 7 * 7 }}</style>",
    ladder=False,
)
ONE = SampleRace(plans=("two-dim",), ranks=(4,), keys=1, ladder=False, ledger=False, audit=False)
EMPTY = SampleRace(plans=(), ladder=False)

EVERY = pytest.mark.parametrize(
    "sample",
    [SOUND, WRONG, HOSTILE, ONE, EMPTY],
    ids=["sound", "wrong", "hostile", "one", "empty"],
)

MakeRace = Callable[[SampleRace], Path]


@pytest.fixture(scope="module")
def make_race(tmp_path_factory: pytest.TempPathFactory) -> MakeRace:
    """Writes the page of a sample race; the same sample is written once."""
    place = tmp_path_factory.mktemp("races")
    pages: dict[SampleRace, Path] = {}

    def make(sample: SampleRace) -> Path:
        if sample not in pages:
            page = place / f"{len(pages)}.html"
            race = race_of(sample) if sample.plans else RaceData("20261121-081500-race-none")
            page.write_text(race_page_html(race), encoding="utf-8")
            pages[sample] = page
        return pages[sample]

    return make


@EVERY
def test_the_page_asks_for_nothing_and_says_nothing(
    browser: Browser, make_race: MakeRace, sample: SampleRace
) -> None:
    page = make_race(sample)

    with opened(browser, page) as (tab, seen):
        tab.wait_for_load_state("load")

        assert [url for url in seen.requests if not url.startswith("data:")] == [page.as_uri()]
        assert seen.complaints == []
        assert tab.locator("script, img, iframe, object, embed, form").count() == 0


@EVERY
def test_the_page_is_small(make_race: MakeRace, sample: SampleRace) -> None:
    assert make_race(sample).stat().st_size < 4_000_000


def test_the_page_is_readable_without_javascript(browser: Browser, make_race: MakeRace) -> None:
    with opened(browser, make_race(SOUND), script=False) as (tab, _):
        text = tab.locator("main").inner_text()
        tab.locator("summary", has_text="Rates in numbers").click()

        assert "hybrid" in text
        assert "every byte accounted for" in text
        assert "OVERSUBSCRIBED" in text
        assert tab.locator("figure .wide svg").first.is_visible()


@LOOKS
@EVERY
def test_nothing_is_wider_than_the_window(
    browser: Browser, make_race: MakeRace, sample: SampleRace, width: int, scheme: str
) -> None:
    with opened(browser, make_race(sample), width=width, scheme=scheme) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")

        wide = tab.evaluate(
            "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
        )

        assert wide <= width


@LOOKS
def test_all_text_has_the_contrast_of_wcag_aa(
    browser: Browser, make_race: MakeRace, width: int, scheme: str
) -> None:
    with opened(browser, make_race(SOUND), width=width, scheme=scheme) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")

        found = tab.evaluate(CONTRAST)

    assert found["texts"] > 600
    assert found["faint"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_charts_stand_out_from_the_page(
    browser: Browser, make_race: MakeRace, scheme: str
) -> None:
    with opened(browser, make_race(SOUND), scheme=scheme) as (tab, _):
        found = tab.evaluate(f"({CONTRAST.strip().rstrip(';')}, contrastOfSwatches())")

    assert found["swatches"] >= 40
    assert found["faint"] == []


@pytest.mark.parametrize("width", [1200, 360])
@EVERY
def test_no_two_labels_of_a_chart_overlap(
    browser: Browser, make_race: MakeRace, sample: SampleRace, width: int
) -> None:
    with opened(browser, make_race(sample), width=width) as (tab, _):
        assert tab.evaluate(OVERLAPS) == []


@EVERY
def test_headings_are_in_order_and_everything_is_named(
    browser: Browser, make_race: MakeRace, sample: SampleRace
) -> None:
    with opened(browser, make_race(sample)) as (tab, _):
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


def test_hostile_text_is_shown_and_never_obeyed(browser: Browser, make_race: MakeRace) -> None:
    with opened(browser, make_race(HOSTILE)) as (tab, seen):
        text = tab.locator("body").inner_text()

        assert "<script>alert('race')</script>" in text
        assert "<img src=x onerror=alert('host')>" in text
        assert "{{ 7 * 7 }}" in text
        assert seen.complaints == []


def test_paper_shows_the_wide_charts_in_dark_ink(
    browser: Browser, make_race: MakeRace, tmp_path: Path
) -> None:
    with opened(browser, make_race(SOUND), width=360, scheme="dark") as (tab, _):
        tab.emulate_media(media="print", color_scheme="dark")

        assert tab.locator("figure .wide").first.is_visible()
        assert not tab.locator("figure .narrow").first.is_visible()
        assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(19, 32, 44)"

        tab.emulate_media(media="screen")
        paper = tab.pdf(format="A4", path=tmp_path / "race.pdf")

    assert paper.startswith(b"%PDF")


@LOOKS
def test_a_picture_can_be_taken(
    browser: Browser, make_race: MakeRace, tmp_path: Path, width: int, scheme: str
) -> None:
    with opened(browser, make_race(SOUND), width=width, scheme=scheme) as (tab, _):
        picture = tab.screenshot(path=tmp_path / f"{scheme}-{width}.png", full_page=True)

    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 50_000
