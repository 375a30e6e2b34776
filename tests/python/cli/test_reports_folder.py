# SPDX-License-Identifier: Apache-2.0
"""ISOBATH_REPORTS names the folder of pages for whatever writes, names or looks for one."""

from pathlib import Path

import pytest

from cli.conftest import Checkout
from cli.test_studies_commands import CG
from isobath import api

WITH_PAGE = tuple(word for word in CG if word != "--no-report")


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "elsewhere"
    monkeypatch.setenv("ISOBATH_REPORTS", str(folder))
    return folder


def test_measuring_showing_and_resuming_name_the_same_page(checkout: Checkout, pages: Path) -> None:
    assert checkout.isobath(*WITH_PAGE).code == 0
    (study,) = (checkout.prefix / "studies").glob("*-cg-*")
    page = pages / study.name / "report.html"
    assert page.is_file()
    shown = page.relative_to(pages.parent)

    assert f"report  {shown}\n" in checkout.isobath("show", "last").out
    page.unlink()
    assert "report  not written yet" in checkout.isobath("show", "last").out
    assert checkout.isobath("report", "last").out == f"{shown}\n"
    page.unlink()
    (study / "runs" / "a00-0" / "MANIFEST.sha256").unlink()
    said = checkout.isobath("resume", "last")
    assert (said.code, page.is_file()) == (0, True)
    assert f"report {shown}\n" in said.err
    page.unlink()
    assert api.study("last").report() == page
    assert not (checkout.prefix / "reports").exists()


def test_an_option_goes_before_the_variable(
    checkout: Checkout, pages: Path, tmp_path: Path
) -> None:
    assert checkout.isobath(*CG).code == 0

    said = checkout.isobath("report", "last", "--reports", tmp_path / "chosen")

    assert said.out.startswith("chosen/")
    assert not pages.exists()
