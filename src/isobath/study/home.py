# SPDX-License-Identifier: Apache-2.0
"""Where studies and their pages lie, unless told otherwise."""

import os
from pathlib import Path

from isobath.launch.installation import Installation
from isobath.study.catalogue import CACHE, Catalogue
from isobath.study.shelf import Shelf

STUDIES = "studies"
OLDER = ("runs", "races", "benches")
"""Where studies went before there was one folder for all; they are still found there."""

BASELINES = "baselines"


def shelf(store: str | Path | None = None) -> Shelf:
    """Where studies lie: the folder named (or by ISOBATH_STORE) alone, else ``studies`` of this
    checkout, and the folders of before beside it.
    """
    named = store or os.environ.get("ISOBATH_STORE")
    if named:
        return Shelf((Path(named).expanduser(),))
    prefix = Installation.here().prefix
    return Shelf(tuple(prefix / name for name in (STUDIES, *OLDER)))


def catalogue() -> Catalogue:
    """The list of studies, with this checkout's cache."""
    return Catalogue(Installation.here().state_folder / CACHE)


def reports_folder(reports: str | Path | None = None) -> Path:
    """The folder of reports: the one named (or by ISOBATH_REPORTS), else ``reports`` of this
    checkout.
    """
    named = reports or os.environ.get("ISOBATH_REPORTS")
    return Path(named).expanduser() if named else Installation.here().prefix / "reports"


def page_of(reports: str | Path | None, study_id: str) -> Path:
    """The page of a study of any kind."""
    return reports_folder(reports) / study_id / "report.html"


def baselines_beside(study: Path) -> Path:
    """Reference results that a study was held against. Args: study is its folder."""
    store = study.resolve().parent
    usual = Installation.here().prefix / STUDIES
    return baselines_folder() if store == usual.resolve() else store / BASELINES


def baselines_folder(store: str | Path | None = None) -> Path:
    """Reference results: beside the studies of this checkout, else inside the store named."""
    named = store or os.environ.get("ISOBATH_STORE")
    if named:
        return Path(named).expanduser() / BASELINES
    return Installation.here().prefix / BASELINES
