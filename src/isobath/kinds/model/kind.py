# SPDX-License-Identifier: Apache-2.0
"""Fits as a kind of study: one sealed folder without launches."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.errors import EnvironmentProblem
from isobath.kinds.model import sections
from isobath.kinds.model.model import FitResult, ModelFindings
from isobath.kinds.model.stored import RESULT, result_of
from isobath.kinds.section_views import section_view
from isobath.report.run_data import doubt_of
from isobath.report.wording import count_of
from isobath.store.folders import RunFolder
from isobath.study.kind import Headline, Kind, View
from isobath.study.tables import TableOf
from isobath.view.content import Page, Section


@dataclass(frozen=True)
class FitFound:
    """A fit with all that was read of it."""

    folder: RunFolder
    result: FitResult
    doubt: str
    """why the folder is not as it was sealed"""


def _view(words: str, *forms: Callable[[FitResult], Iterator[Section]]) -> View[FitFound]:
    def shown(reading: FitFound) -> Iterator[Section]:
        for form in forms:
            yield from form(reading.result)

    return section_view(
        words,
        shown,
        notices=lambda reading: sections.notices_of(reading.result),
        labels=lambda reading: sections.labels_of(reading.result),
        whole=True,
    )


class Fits(Kind[FitFound]):
    """model fit."""

    views: ClassVar[Mapping[str, View[FitFound]]] = {
        "summary": _view("verdicts and parameters", sections.verdicts, sections.parameters),
        "formulas": _view("every formula that was tried, by what was held out", sections.formulas),
        "residuals": _view("what is too slow or too fast, over every factor", sections.residuals),
        "points": _view("what was measured beside what formulas say", sections.points),
        "method": _view("what the words mean", sections.method),
        "all": _view("every section of the page", sections.all_sections),
    }

    older_names: ClassVar[Mapping[str, str]] = {"laws": "formulas"}

    findings = ModelFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "parameters": TableOf("parameters with intervals", "subjects.models.parameters"),
        "formulas": TableOf("errors of every formula, by what was held out",
                            "subjects.laws.held_out"),
        "residuals": TableOf("residuals by level of every factor",
                             "subjects.models.residuals.levels"),
        "points": TableOf("what was measured, and predicted by formula", "subjects.points"),
    }  # fmt: skip

    def read(self, path: Path) -> FitFound:
        """Raises: EnvironmentProblem where model.json is missing, damaged or not as sealed."""
        folder = RunFolder(path)
        doubt = doubt_of(folder)
        if RESULT in folder.differences():
            raise EnvironmentProblem(f"{doubt}; nothing of it is shown, fit again")
        return FitFound(folder, result_of(path), doubt)

    def headline(self, reading: FitFound) -> Headline:
        """How many subjects, and the verdicts."""
        firsts = [
            subject.models[0].outcome for subject in reading.result.subjects if subject.models
        ]
        told = ", ".join(f"{firsts.count(name)} {name}" for name in dict.fromkeys(firsts))
        words = count_of(len(reading.result.subjects), "model")
        return Headline(f"{words}: {told}" if told else words)

    def problems(self, reading: FitFound) -> tuple[str, ...]:
        """Why the folder is not as it was sealed."""
        return (reading.doubt,) if reading.doubt else ()

    def is_altered(self, reading: FitFound) -> bool:
        """A file was changed after sealing, or a study was when it was fitted to."""
        return bool(reading.doubt) or reading.result.sources_altered

    def facts(self, reading: FitFound) -> dict[str, Any]:
        """All that is stored."""
        return reading.result.model_dump(mode="json", by_alias=True)

    def cells(self, reading: FitFound) -> tuple[Cell, ...]:
        """None: nothing was measured."""
        return ()

    def refers_to(self, path: Path) -> tuple[str, ...]:
        """The studies that it is fitted to."""
        try:
            return tuple(result_of(path).studies)
        except EnvironmentProblem:
            return ()

    def html(self, reading: FitFound, page: Path) -> str:
        """All sections."""
        from isobath.view.html import page_html

        result = reading.result
        return page_html(
            Page(
                title=f"Model {reading.folder.run_id}",
                heading="Models of time, with their verdicts",
                place="",
                noun="fit",
                name=reading.folder.run_id,
                made_from="model.json",
                sections=tuple(sections.all_sections(result)),
                doubts=(*self.problems(reading), *sections.notices_of(result)),
                labels=sections.labels_of(result),
            )
        )


KIND = Fits()
