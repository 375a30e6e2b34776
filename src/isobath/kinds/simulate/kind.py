# SPDX-License-Identifier: Apache-2.0
"""Simulations as a kind of study: one sealed folder, whose times nobody measured."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.errors import EnvironmentProblem
from isobath.kinds.section_views import section_view
from isobath.kinds.simulate import sections
from isobath.kinds.simulate.model import SimulationFindings, SimulationResult
from isobath.kinds.simulate.stored import RESULT, result_of
from isobath.report.run_data import doubt_of
from isobath.store.folders import RunFolder
from isobath.study.kind import Headline, Kind, View
from isobath.study.tables import TableOf
from isobath.units import format_seconds
from isobath.view.content import Page, Section


@dataclass(frozen=True)
class SimulationFound:
    """A simulation with all that was read of it."""

    folder: RunFolder
    result: SimulationResult
    doubt: str
    """why the folder is not as it was sealed"""


def _view(
    words: str, *forms: Callable[[SimulationResult], Iterator[Section]]
) -> View[SimulationFound]:
    def shown(simulation: SimulationFound) -> Iterator[Section]:
        for form in forms:
            yield from form(simulation.result)

    return section_view(
        words,
        shown,
        notices=lambda simulation: sections.notices_of(simulation.result),
        labels=lambda _: sections.LABELS,
        whole=True,
    )


class Simulations(Kind[SimulationFound]):
    """simulate."""

    views: ClassVar[Mapping[str, View[SimulationFound]]] = {
        "summary": _view("the search, and its phases by time", sections.summary, sections.phases),
        "levels": _view("every call of every level", sections.levels),
        "basis": _view("the platform, and what it took", sections.basis),
        "method": _view("what the words mean", sections.method),
        "all": _view("every section of the page", sections.all_sections),
    }

    findings = SimulationFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "steps": TableOf("simulated calls by level, phase, call and communicator", "steps"),
    }

    def read(self, path: Path) -> SimulationFound:
        """Raises: EnvironmentProblem where simulation.json is missing, damaged or not as sealed."""
        folder = RunFolder(path)
        doubt = doubt_of(folder)
        if RESULT in folder.differences():
            raise EnvironmentProblem(f"{doubt}; nothing of it is shown, simulate again")
        if folder.is_sealed and folder.summary().state != "complete":
            raise EnvironmentProblem(
                f"{folder.run_id} did not end well: {folder.summary().message}; simulate again"
            )
        return SimulationFound(folder, result_of(path), doubt)

    def headline(self, simulation: SimulationFound) -> Headline:
        """That it is simulated comes first."""
        result = simulation.result
        words = (
            f"SIMULATED: {format_seconds(result.simulated_seconds)}, {result.plan} {result.grid} "
            f"on {result.nodes} nodes of {result.platform.name}"
        )
        return Headline(words, graph=f"scale {result.scale}")

    def problems(self, simulation: SimulationFound) -> tuple[str, ...]:
        """Why the folder is not as it was sealed."""
        return (simulation.doubt,) if simulation.doubt else ()

    def is_altered(self, simulation: SimulationFound) -> bool:
        """A file was changed after sealing, or the run was when it was read."""
        return bool(simulation.doubt or simulation.result.problems)

    def facts(self, simulation: SimulationFound) -> dict[str, Any]:
        """All that is stored."""
        return simulation.result.model_dump(mode="json", by_alias=True)

    def cells(self, simulation: SimulationFound) -> tuple[Cell, ...]:
        """None: nothing was measured."""
        return ()

    def refers_to(self, path: Path) -> tuple[str, ...]:
        """The run that its counts are of."""
        try:
            run = result_of(path).run
        except EnvironmentProblem:
            return ()
        return (run,) if run else ()

    def html(self, simulation: SimulationFound, page: Path) -> str:
        """All sections."""
        from isobath.view.html import page_html

        result = simulation.result
        return page_html(
            Page(
                title=f"Simulation {simulation.folder.run_id}",
                heading="A search, simulated",
                place=f"{result.platform.title}, in SimGrid {result.simgrid}",
                noun="simulation",
                name=simulation.folder.run_id,
                made_from=RESULT,
                sections=tuple(sections.all_sections(result)),
                doubts=(*self.problems(simulation), *sections.notices_of(result)),
                labels=sections.LABELS,
            )
        )


KIND = Simulations()
