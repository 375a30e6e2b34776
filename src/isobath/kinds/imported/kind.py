# SPDX-License-Identifier: Apache-2.0
"""Imports as a kind of study: one sealed folder without launches of ours."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell, Launched
from isobath.errors import EnvironmentProblem
from isobath.kinds.imported.cells import cells_of, launches_of
from isobath.kinds.imported.model import ImportedFindings, ImportedResult
from isobath.kinds.imported.sections import LABELS, notices_of, sections_of
from isobath.kinds.imported.stored import RESULT, result_of
from isobath.kinds.section_views import section_view
from isobath.report.run_data import doubt_of
from isobath.report.wording import count_of, listing
from isobath.store.folders import RunFolder
from isobath.study.kind import Headline, Kind, View
from isobath.study.tables import TableOf
from isobath.view.content import Page, Section


@dataclass(frozen=True)
class Imported:
    """An import with all that was read of it."""

    folder: RunFolder
    result: ImportedResult
    doubt: str
    """why the folder is not as it was sealed"""


def _sections(imported: Imported) -> list[Section]:
    return list(sections_of(imported.result))


def _notices(imported: Imported) -> tuple[str, ...]:
    return (*((imported.doubt,) if imported.doubt else ()), *notices_of(imported.result))


class Imports(Kind[Imported]):
    """import."""

    views: ClassVar[Mapping[str, View[Imported]]] = {
        "summary": section_view("where it comes from, and its values", _sections,
                                notices=_notices, labels=lambda _: LABELS),
        "all": section_view("the same to its end", _sections, notices=_notices,
                            labels=lambda _: LABELS, whole=True),
    }  # fmt: skip

    findings = ImportedFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "values": TableOf("every value of every launch", "cells.launches"),
    }

    says_problems: ClassVar[bool] = True

    def read(self, path: Path) -> Imported:
        """Raises: EnvironmentProblem where imported.json is missing, damaged or not as sealed."""
        folder = RunFolder(path)
        doubt = doubt_of(folder)
        if RESULT in folder.differences():
            raise EnvironmentProblem(f"{doubt}; nothing of it is shown, import the file again")
        return Imported(folder, result_of(path), doubt)

    def headline(self, imported: Imported) -> Headline:
        """Whose it is comes first."""
        result = imported.result
        launches = {launch.launch for cell in result.cells for launch in cell.launches}
        cells, number = count_of(len(result.cells), "cell"), len(launches)
        words = f"IMPORTED: {listing(result.programs)}, {cells}, "
        words += count_of(number, "launch", "launches")
        graphs = dict.fromkeys(cell.graph for cell in result.cells if cell.graph)
        return Headline(words, graph=", ".join(graphs), mpi=result.mpi)

    def problems(self, imported: Imported) -> tuple[str, ...]:
        """Wherever its numbers stand beside others, it is said whose they are."""
        return _notices(imported)

    def is_altered(self, imported: Imported) -> bool:
        """A file was changed after sealing."""
        return bool(imported.doubt)

    def facts(self, imported: Imported) -> dict[str, Any]:
        """All that is stored."""
        return imported.result.model_dump(mode="json", by_alias=True)

    def cells(self, imported: Imported) -> tuple[Cell, ...]:
        """Bound to the program that measured them."""
        return tuple(cells_of(imported.result))

    def launched(self, imported: Imported) -> Mapping[str, Launched]:
        """What the files say: nothing of this machine."""
        return launches_of(imported.result)

    def html(self, imported: Imported, page: Path) -> str:
        """All sections."""
        from isobath.view.html import page_html

        return page_html(
            Page(
                title=f"Import {imported.folder.run_id}",
                heading="Results of another program",
                place=imported.result.where,
                noun="import",
                name=imported.folder.run_id,
                made_from=RESULT,
                sections=tuple(_sections(imported)),
                doubts=_notices(imported),
                labels=LABELS,
            )
        )


KIND = Imports()
