# SPDX-License-Identifier: Apache-2.0
"""isobath doctor --take-out: studies without what they should not hold, and their pages."""

import contextlib
import shutil
from pathlib import Path

from isobath.cli.places import benches_folder, races_folder, reports_folder, shown, store_folder
from isobath.cli.terminal import say
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.report.wording import count_of
from isobath.store.all_studies import Shelves, Study
from isobath.store.take_out import clear, take_out

EVERY = "all"


def shelves_of(
    store: str | None, races: str | None, benches: str | None, reports: str | None
) -> Shelves:
    """The folders named, else those of this checkout."""
    return Shelves(
        store_folder(store), races_folder(races), benches_folder(benches), reports_folder(reports)
    )


def take_out_of(shelves: Shelves, wanted: list[str]) -> int:
    """Rewrites the studies named, one after the other; says what was taken.

    Raises: UsageError for a name of none, EnvironmentProblem where one cannot be rewritten.
    """
    for shelf in shelves.folders:
        clear(shelf)
    if EVERY in wanted:
        studies = shelves.studies()
    else:
        studies = [shelves.find(one) for one in dict.fromkeys(wanted)]
    for study in studies:
        _take_out(shelves, study)
    return int(ExitCode.DONE)


def _take_out(shelves: Shelves, study: Study) -> None:
    pages = shelves.pages(study)
    removed: list[Path] = []

    def remove_pages() -> None:
        """Before the study is exchanged: what shows a credential shall not outlive it."""
        for page in pages:
            _remove(page)
            removed.append(page)

    held = take_out(study, remove_pages)
    for one in (*held.credentials, *held.others):
        print(f"{study.study_id}: took out {one}")
    if not held.changes:
        print(f"{study.study_id}: holds nothing that is to be taken out")
        return
    say(f"{study.study_id} is sealed again; what was taken stands in TAKEN-OUT.json beside it")
    if removed:
        _draw_again(shelves, study, removed)
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


def _draw_again(shelves: Shelves, study: Study, removed: list[Path]) -> None:
    """The page of the study as it is now; without one it can be had by isobath report."""
    from isobath.cli.report import report

    words = f"{count_of(len(removed), 'page')} with copies of what was taken out"
    try:
        with contextlib.redirect_stdout(None):
            report(str(study.path), reports=str(shelves.reports))
    except (IsobathError, OSError) as error:
        say(f"removed {words}; it was not drawn again: {error}")
        return
    say(f"drawn again: {words}: {', '.join(shown(page) for page in removed)}")
