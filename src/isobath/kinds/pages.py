# SPDX-License-Identifier: Apache-2.0
"""The page of a study of any kind: where it goes, and what lies beside it."""

from pathlib import Path
from typing import Any

from isobath.errors import UsageError
from isobath.study.home import page_of
from isobath.study.shelf import StoredStudy


def write_study_page(
    study: StoredStudy, reading: Any, page: Path | None = None, reports: str | None = None
) -> Path:
    """Writes it and returns its path.

    Args: reading is what was read of the study; page is where somebody wants it, else it goes to
        ``reports``.
    Raises: UsageError where ``page`` is a folder; EnvironmentProblem where there is nothing to
        report or it cannot be written.
    """
    from isobath.report.page import write_page

    kind = study.entry.load()
    is_folder = study.path.is_dir()
    name = study.path.name if is_folder else study.study_id
    target = page or page_of(reports, name)
    if target.is_dir():
        raise UsageError(f"{target} is a folder; name a file, for example {target / 'report.html'}")
    beside = study.path if kind.lays_files_beside and page is None and is_folder else None
    return write_page(kind.html(reading, target), target, beside)
