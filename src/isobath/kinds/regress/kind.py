# SPDX-License-Identifier: Apache-2.0
"""Regressions as a kind of study."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.errors import ExitCode
from isobath.kinds.regress.concluding import concluded
from isobath.kinds.regress.facts import facts_of
from isobath.kinds.regress.model import RegressFindings
from isobath.kinds.regress.outcome import Outcome, is_over, outcome_of
from isobath.kinds.regress.plan import RegressFolder
from isobath.kinds.regress.reading import read_regress
from isobath.kinds.regress.sections import notices_of, page_of, sections_of
from isobath.kinds.regress.wording import verdict_words
from isobath.kinds.section_views import section_view
from isobath.study.codes import KEPT, worst_of
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf
from isobath.view.content import Section


def _summary(found: Outcome) -> Iterable[Section]:
    return (one for one in sections_of(found) if one.identifier != "method")


class Regress(Kind[Outcome]):
    """regress."""

    views: ClassVar[Mapping[str, View[Outcome]]] = {
        "summary": section_view(
            "the verdict, what to do, what changed, every cell", _summary, notices=notices_of
        ),
        "all": section_view(
            "the same to its end, with what the words promise", sections_of, notices=notices_of,
            whole=True,
        ),
    }  # fmt: skip

    findings = RegressFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "cells": TableOf("every cell: verdict, ratio, interval", "cells"),
        "guidelines": TableOf("guidelines that are newly broken", "guidelines"),
    }

    says_problems: ClassVar[bool] = True

    def read(self, path: Path) -> Outcome:
        """All launches that are as they were sealed, judged."""
        return outcome_of(read_regress(path))

    def headline(self, found: Outcome) -> Headline:
        """The verdict."""
        mpi = ", ".join(dict.fromkeys(found.found.plan.mpi.values()))
        return Headline(verdict_words(found), mpi=mpi, is_complete=is_over(found.found))

    def problems(self, found: Outcome) -> tuple[str, ...]:
        """Of the studies inside."""
        return found.found.problems

    def is_altered(self, found: Outcome) -> bool:
        """A launch is not as it was sealed."""
        return found.found.is_altered

    def facts(self, found: Outcome) -> dict[str, Any]:
        """Verdict and cells."""
        return facts_of(found)

    def cells(self, found: Outcome) -> tuple[Cell, ...]:
        """Those of the library of today."""
        return tuple(cell for side in found.found.sides["new"] for cell in side.cells)

    def html(self, found: Outcome, page: Path) -> str:
        """The first line is the verdict, the second what to do."""
        from isobath.view.html import page_html

        return page_html(page_of(found))

    def refers_to(self, path: Path) -> tuple[str, ...]:
        """The studies that its baseline was made of."""
        return RegressFolder(path).made_of()

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the libraries of its sides."""
        from isobath.kinds.regress.work import RegressWork

        return ToDo(RegressWork(path, driver))

    def conclude(self, path: Path, found: Outcome) -> tuple[str, ...]:
        """What came of it becomes an entry of the baseline."""
        return concluded(path, found)

    def code(self, found: Outcome) -> ExitCode:
        """The verdict, also of one that is shown again."""
        if found.found.plan.purpose != "regression":
            return super().code(found)
        return found.exit_code

    def code_measured(self, outcome: Outcome, launches: ExitCode) -> ExitCode:
        """A launch that crashed, hung or was refused could not be measured, and is nothing else: it
        is the library that is on trial.
        """
        if outcome.found.plan.purpose != "regression":
            return super().code_measured(outcome, launches)
        is_lost = launches not in KEPT
        return worst_of((self.code(outcome), ExitCode.ENVIRONMENT if is_lost else launches))


KIND = Regress()
