# SPDX-License-Identifier: Apache-2.0
"""Views that print the sections of a page."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from isobath.study.kind import View
from isobath.view.content import Section

if TYPE_CHECKING:
    from rich.console import RenderableType


def no_labels(_: Any) -> tuple[str, ...]:
    """Of kinds whose rows say themselves what may not be believed."""
    return ()


def section_view(
    words: str,
    sections: Callable[[Any], Iterable[Section]],
    *,
    notices: Callable[[Any], Iterable[str]],
    labels: Callable[[Any], tuple[str, ...]] = no_labels,
    whole: bool = False,
) -> View[Any]:
    """A view of sections formed from what was read.

    Args: notices are what has to be known first; labels stand beside what was measured; whole
        opens what a page folds.
    """

    def parts(reading: Any, width: int) -> "Iterator[RenderableType]":
        from isobath.view.terminal import printed

        return printed(
            sections(reading), width, whole=whole, notices=notices(reading), labels=labels(reading)
        )

    return View(words, parts)
