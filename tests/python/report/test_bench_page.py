# SPDX-License-Identifier: Apache-2.0
"""The page of a benchmark: what it says, and how it looks in a real Chromium."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bench.made_up import measured_of
from isobath.bench.measured import Measured
from isobath.report.bench_data import BenchData
from isobath.report.bench_page import bench_page_html
from isobath.study.folder import Header
from report.test_page_in_browser import CONTRAST, LOOKS, OVERLAPS, opened


def line(size: int) -> float:
    return 2e-6 + 1e-9 * size


def sound() -> Measured:
    sizes = [1 << power for power in range(4, 21, 2)]
    times = {("barrier", 0, ""): 1e-6}
    for size in sizes:
        times |= {
            ("bcast", size, ""): line(size),
            ("bcast", size, "binomial"): line(size) * (0.4 if size > 1000 else 1.0),
            ("scatter", size, ""): line(size) * (1 if size <= 256 else 9),
            ("reduce_scatter_block", size, ""): line(size),
            ("reduce_scatter_block", size, "recursive_halving"): 3 * line(size),
        }
    return measured_of(times)


def hostile() -> Measured:
    found = measured_of({("gather", 8, ""): 1e-6, ("gather", 64, ""): 2e-6})
    told = {"study_id": "<script>alert(1)</script>", "command": ("isobath", "</pre>{{ 7 * 7 }}")}
    header: Header = found.header.model_copy(update=told)
    return Measured(
        header, found.plan, found.cells, (), ("a01-1: \"><img src=x onerror=alert('x')>",), 1
    )


def empty() -> Measured:
    found = measured_of({("gather", 8, ""): 1e-6})
    return Measured(found.header, found.plan, (), (), (), 0)


def crowded() -> Measured:
    return measured_of({("gather", 8, ""): 0.123}, oversubscribed=True)


def tsubame(numbers: Sequence[int] = (1, 2, 4, 7)) -> Measured:
    """Rates fall with ranks, and most for small buffers, as in figure 3 of the paper."""
    parts = [
        measured_of(
            {
                ("alltoallv", total // ranks, ""): total * (1 + slow * ranks) / 1e9
                for total, slow in ((64_000_000, 0.5), (1_024_000_000, 0.1))
            },
            ranks=ranks,
        )
        for ranks in numbers
    ]
    cells = tuple(cell for part in parts for cell in part.cells)
    return Measured(parts[0].header, parts[0].plan, cells, (), (), 3)


SAMPLES = {
    "tsubame": tsubame,
    "sound": sound,
    "hostile": hostile,
    "empty": empty,
    "oversubscribed": crowded,
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("benches")
    found = {}
    for name, make in SAMPLES.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(bench_page_html(BenchData(make())), encoding="utf-8")
    return found


def test_charts_have_their_sentences(pages: dict[str, Path]) -> None:
    text = pages["sound"].read_text(encoding="utf-8")

    assert "1 switch point: between 256 B and 1 KiB" in text
    assert "Trap: scatter, 2 ranks: above 256 B the rate falls" in text
    assert "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial" in text
    assert "loses clearly" in text or "lose clearly" in text
    assert text == bench_page_html(BenchData(sound()))


def test_the_rate_against_ranks_is_that_of_equal_buffers(pages: dict[str, Path]) -> None:
    text = pages["tsubame"].read_text(encoding="utf-8")

    # wire bytes (P - 1) / P of the buffer, by 1 + 0.5 P: 6/7 / 4.5 against 1/2 / 2
    assert "with 64 MB a rank the bus bandwidth on 7 ranks is 0.762 of that on 2" in text
    assert "with 1.02 GB a rank the bus bandwidth on 7 ranks is 1.21 of that on 2" in text
    assert "All-to-all against ranks" in text
    assert "One rank has no network: its point is left out." in text


def test_one_rank_is_named_where_nothing_is_left_to_compare() -> None:
    alone = bench_page_html(BenchData(tsubame((1, 2))))
    assert "on several numbers of ranks above one. One rank has no network: its point" in alone
    without = bench_page_html(BenchData(tsubame((2,))))
    assert "has a time on several numbers of ranks." in without
    assert "One rank has no network" not in without


def test_no_time_of_an_oversubscribed_cell_is_shown(pages: dict[str, Path]) -> None:
    text = pages["oversubscribed"].read_text(encoding="utf-8")

    assert "OVERSUBSCRIBED" in text
    assert "123 ms" not in text
    assert "No cell of this benchmark has a time that counts." in text


@LOOKS
@pytest.mark.parametrize("name", SAMPLES)
def test_the_page_fits_and_asks_for_nothing(
    browser: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    with opened(browser, pages[name], width=width, scheme=scheme) as (tab, seen):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        wide = tab.evaluate("document.documentElement.scrollWidth")

        assert wide <= width
        assert [url for url in seen.requests if not url.startswith("data:")] == [
            pages[name].as_uri()
        ]
        assert seen.complaints == []
        assert tab.locator("script, img, iframe").count() == 0


@LOOKS
def test_all_text_has_the_contrast_of_wcag_aa(
    browser: Browser, pages: dict[str, Path], width: int, scheme: str
) -> None:
    with opened(browser, pages["sound"], width=width, scheme=scheme) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        found = tab.evaluate(CONTRAST)

    assert found["texts"] > 200
    assert found["faint"] == []


@pytest.mark.parametrize("width", [1200, 360])
def test_no_two_labels_of_a_chart_overlap(
    browser: Browser, pages: dict[str, Path], width: int
) -> None:
    with opened(browser, pages["sound"], width=width) as (tab, _):
        assert tab.evaluate(OVERLAPS) == []


def test_hostile_text_is_shown_and_never_obeyed(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["hostile"]) as (tab, seen):
        text = tab.locator("body").inner_text()

        assert "<script>alert(1)</script>" in text
        assert "{{ 7 * 7 }}" in text
        assert seen.complaints == []
