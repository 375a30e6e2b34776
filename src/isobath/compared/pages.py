# SPDX-License-Identifier: Apache-2.0
"""Where the page of a comparison goes."""

from pathlib import Path

from isobath.errors import UsageError
from isobath.view.content import Page


def write_compared_page(page: Page, output: Path) -> Path:
    """Writes it and returns its path.

    Raises: UsageError where that is a folder, EnvironmentProblem where it cannot be written.
    """
    from isobath.report.page import write_page
    from isobath.view.html import page_html

    if output.is_dir():
        raise UsageError(f"{output} is a folder; name a file, for example {output / 'report.html'}")
    return write_page(page_html(page), output)
