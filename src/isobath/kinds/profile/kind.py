# SPDX-License-Identifier: Apache-2.0
"""Profiles of programs as a kind of study."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.errors import EnvironmentProblem
from isobath.kinds.profile.cells import profile_cells
from isobath.kinds.profile.facts import facts_of
from isobath.kinds.profile.model import ProfileFindings
from isobath.kinds.section_views import section_view
from isobath.report.profile_data import ProfileData, in_mpi, read_worlds
from isobath.report.profile_doubts import doubts_of
from isobath.report.profile_page import page_of, sections_of
from isobath.report.profile_sections import (
    calls,
    communicators,
    headline,
    ipm,
    levels,
    matrix,
    method,
    mpip,
    ranks,
    regions,
    searches,
    sites,
    sizes,
    threads,
    timeline,
)
from isobath.report.run_data import doubt_of
from isobath.report.wording import count_of
from isobath.store.folders import RunFolder
from isobath.store.launch_reader import doubts_of as seal_doubts_of
from isobath.study.kind import Headline, Kind, View
from isobath.study.tables import TableOf
from isobath.view.content import Section


@dataclass(frozen=True)
class ProfileFound:
    """A profile with all that was read of it."""

    folder: RunFolder
    worlds: tuple[ProfileData, ...]
    """mostly there is one"""
    doubt: str
    """why the folder is not as it was sealed"""


def _view(words: str, *modules: ModuleType) -> View[ProfileFound]:
    def sections(reading: ProfileFound) -> Iterator[Section]:
        return sections_of(reading.worlds, modules)

    def notices(reading: ProfileFound) -> tuple[str, ...]:
        return doubts_of(reading.worlds)

    return section_view(words, sections, notices=notices, whole=True)


class OfProgram(Kind[ProfileFound]):
    """profile."""

    lays_files_beside = True
    views: ClassVar[Mapping[str, View[ProfileFound]]] = {
        "summary": _view("the program as a whole, its calls by time", headline, calls),
        "sites": _view("calls by the place in the program that makes them", sites),
        "regions": _view("calls by the regions that the program announces", regions),
        "searches": _view("searches that Isobath's own programs announce", searches),
        "levels": _view("searches and levels that nobody announces", levels),
        "communicators": _view("calls by communicator", communicators),
        "sizes": _view("messages by size", sizes),
        "matrix": _view("bytes from each rank to each", matrix),
        "ranks": _view("time and bytes of each rank", ranks),
        "threads": _view("time and bytes of each thread", threads),
        "timeline": _view("a stretch of the program, call by call", timeline),
        "ipm": _view("what IPM would have said", ipm),
        "mpip": _view("what mpiP would have said", mpip),
        "method": _view("how it was measured, with what library", method),
    }

    findings = ProfileFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "calls": TableOf("calls by place, communicator and region", "worlds.cells"),
        "ranks": TableOf("every rank: time, time in MPI, bytes", "worlds.ranks"),
    }

    def read(self, path: Path) -> ProfileFound:
        """Raises: EnvironmentProblem where the records are not those that were sealed."""
        folder = RunFolder(path)
        doubt = doubt_of(folder)
        if folder.has_no_record:
            raise EnvironmentProblem(f"{folder.run_id}: {folder.words_of_no_record}")
        return ProfileFound(folder, read_worlds(folder), doubt)

    def headline(self, reading: ProfileFound) -> Headline:
        """The share of its time in MPI."""
        whole = reading.worlds[0].profile.whole
        if len(reading.worlds) > 1:
            return Headline(f"{len(reading.worlds)} worlds, not added up")
        return Headline(
            f"{in_mpi(whole)} in MPI, {count_of(whole.ranks, 'rank')}",
            mpi=whole.library.splitlines()[0],
            is_complete=whole.ranks_recorded == whole.ranks,
        )

    def problems(self, reading: ProfileFound) -> tuple[str, ...]:
        """Why the folder is not as it was sealed."""
        return (reading.doubt,) if reading.doubt else ()

    def is_altered(self, reading: ProfileFound) -> bool:
        """A file was changed after sealing."""
        return bool(reading.doubt)

    def facts(self, reading: ProfileFound) -> dict[str, Any]:
        """The whole program, and every call. Seconds, bytes."""
        return {"worlds": [facts_of(world.profile) for world in reading.worlds]}

    def cells(self, reading: ProfileFound) -> tuple[Cell, ...]:
        """The program and its time in MPI; none of a profile that was never sealed."""
        if not reading.folder.is_sealed or seal_doubts_of(reading.folder)[1]:
            return ()
        worlds = tuple(world.profile for world in reading.worlds)
        return profile_cells(worlds, reading.folder.summary())

    def html(self, reading: ProfileFound, page: Path) -> str:
        """Calls, regions, ranks, sizes, the matrix."""
        from isobath.view.html import page_html

        return page_html(page_of(reading.worlds, self.problems(reading)))


KIND = OfProgram()
