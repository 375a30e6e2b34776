# SPDX-License-Identifier: Apache-2.0
"""isobath doctor --take-out: studies without what they should not hold, and their pages."""

import contextlib
import shutil
from pathlib import Path

from isobath.cli.places import shown
from isobath.cli.terminal import say
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.report.wording import count_of
from isobath.study.shelf import Shelf, StoredStudy
from isobath.study.take_out import clear, take_out

EVERY = "all"


def take_out_of(shelf: Shelf, reports: Path, wanted: list[str]) -> int:
    """Rewrites the studies named, one after the other; says what was taken.

    Args: reports is the folder of their pages.
    Raises: UsageError for a name of none, EnvironmentProblem where one cannot be rewritten.
    """
    for folder in shelf.folders:
        clear(folder)
    if EVERY in wanted:
        studies = shelf.studies()
    else:
        studies = [shelf.find(name) for name in dict.fromkeys(wanted)]
    for study in studies:
        _take_out(study, reports)
    return int(ExitCode.DONE)


def pages_of(study: StoredStudy, reports: Path) -> list[Path]:
    """Pages of a study, and folders of a page with copies of its files."""
    name = study.study_id
    places = (reports / name, reports / f"{name}.html", study.path / "report.html")
    return [path for path in places if path.exists()]


def _take_out(study: StoredStudy, reports: Path) -> None:
    pages = pages_of(study, reports)
    removed: list[Path] = []

    def remove_pages() -> None:
        """Before the study is exchanged: what shows a credential shall not outlive it."""
        for page in pages:
            _remove(page)
            removed.append(page)

    held = take_out(study, remove_pages)
    for place in (*held.credentials, *held.others):
        print(f"{study.study_id}: took out {place}")
    if not held.changes:
        print(f"{study.study_id}: holds nothing that is to be taken out")
        return
    say(f"{study.study_id} is sealed again; what was taken stands in TAKEN-OUT.json beside it")
    if removed:
        _draw_again(study, reports, removed)
    say("pages that were written elsewhere, by -o or --output, are not known: remove them yourself")


def _remove(page: Path) -> None:
    try:
        if page.is_dir():
            shutil.rmtree(page)
        else:
            page.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot remove {page}: {error.strerror}; the study is as it was: mend the permissions"
        ) from error


def _draw_again(study: StoredStudy, reports: Path, removed: list[Path]) -> None:
    """The page of the study as it is now; without one it can be had by isobath report."""
    from isobath.cli.report import report

    words = f"{count_of(len(removed), 'page')} with copies of what was taken out"
    try:
        with contextlib.redirect_stdout(None):
            report(str(study.path), reports=str(reports))
    except (IsobathError, OSError) as error:
        say(f"removed {words}; it was not drawn again: {error}")
        return
    say(f"drawn again: {words}: {', '.join(shown(page) for page in removed)}")
