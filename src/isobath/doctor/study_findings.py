# SPDX-License-Identifier: Apache-2.0
"""Findings about what is stored: studies that hold what is not stored any more."""

from pathlib import Path

from isobath.doctor.finding import Finding
from isobath.errors import EnvironmentProblem
from isobath.study.shelf import Shelf, StoredStudy
from isobath.study.take_out import Holdings, holdings, leftovers

SHOWN = 4
"""places that a line names"""

TAKE_OUT = "./isobath doctor --take-out"


def study_findings(shelf: Shelf, reports: Path) -> list[Finding]:
    """One line for each study with a credential, and one for all others.

    Args: reports is the folder of pages, which hold copies of a study's files.
    """
    findings: list[Finding] = []
    older: list[str] = []
    studies = shelf.studies()
    for study in studies:
        try:
            held = holdings(study.path)
        except EnvironmentProblem as problem:
            findings.append(Finding(study.study_id, "warning", str(problem)))
            continue
        if held.credentials:
            findings.append(_of_credentials(study, held))
        elif held.others:
            older.append(study.study_id)
    findings += [
        Finding(
            "studies", "warning",
            f"an interrupted rewriting left {left.name} in {left.parent}, with all that it held",
            f"{TAKE_OUT} {left.name.removesuffix('.old')}",
        )
        for folder in shelf.folders
        for left in leftovers(folder)
    ]  # fmt: skip
    findings += _pages_alone(reports, {study.study_id for study in studies})
    return [*findings, _of_all(len(studies), older, has_credentials=bool(findings))]


def _pages_alone(reports: Path, stored: set[str]) -> list[Finding]:
    """Pages with copies of a study that is gone: nothing rewrites those."""
    if not reports.is_dir():
        return []
    pages = [page for page in sorted(reports.iterdir()) if page.is_dir()]
    return [
        Finding(page.name, "warning", f"{page} has copies of a credential", f"rm -r {page}")
        for page in pages
        if page.name not in stored and holdings(page).credentials
    ]


def _of_credentials(study: StoredStudy, held: Holdings) -> Finding:
    places = ", ".join(held.credentials[:SHOWN])
    more = len(held.credentials) - SHOWN
    words = f"the {study.entry.noun} holds what looks like a credential: {places}"
    words += f" and {more} more" if more > 0 else ""
    return Finding(study.study_id, "warning", words, f"{TAKE_OUT} {study.study_id}")


def _of_all(number: int, older: list[str], *, has_credentials: bool) -> Finding:
    if not older:
        words = f"{number} are stored" + ("" if has_credentials else ", none holds a credential")
        return Finding("studies", "good", words)
    words = (
        f"{len(older)} of {number} hold variables or words of the kernel's command line that are "
        f"not stored any more, none of them a credential: {', '.join(older)}"
    )
    return Finding("studies", "good", words, f"{TAKE_OUT} ID")
