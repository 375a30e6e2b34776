# SPDX-License-Identifier: Apache-2.0
"""A real browser for the page tests, and sample reports that are made once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from isobath.report.page import write_report
from needs import program_of
from report import sample_runs
from report.sample_runs import Sample

SWITCHES = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

MakeReport = Callable[[Sample], Path]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = program_of("chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def make_report(tmp_path_factory: pytest.TempPathFactory) -> MakeReport:
    """Writes the page of a sample run; the same sample is written once."""
    store = tmp_path_factory.mktemp("runs")
    pages: dict[Sample, Path] = {}

    def make(sample: Sample) -> Path:
        if sample not in pages:
            folder = sample_runs.write(store / str(len(pages)), sample)
            page = store / "reports" / str(len(pages)) / "report.html"
            pages[sample] = write_report(folder, page)
        return pages[sample]

    return make
