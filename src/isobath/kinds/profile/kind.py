# SPDX-License-Identifier: Apache-2.0
"""Profiles of programs as a kind of study."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from isobath.errors import EnvironmentProblem
from isobath.kinds.profile import text
from isobath.kinds.profile.model import ProfileFindings
from isobath.kinds.profile.tables import keep_numbers
from isobath.kinds.profile.worlds_text import parts_of
from isobath.profile.profile import Profile, read_profile_file
from isobath.report.run_data import doubt_of
from isobath.report.wording import count_of, percent
from isobath.store.folders import RunFolder
from isobath.study.kind import Headline, Kind, View
from isobath.study.tables import TableOf

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class ProfileFound:
    """A profile with all that was read of it."""

    folder: RunFolder
    profiles: tuple[Profile, ...]
    """of each world; mostly there is one"""
    doubt: str
    """why the folder is not as it was sealed"""


def _view(name: str) -> View[ProfileFound]:
    def parts(found: ProfileFound, width: int) -> "Iterator[RenderableType]":
        for part in parts_of(found.profiles, name):
            keep_numbers(part, width)
            yield from (part, "")

    return View(text.WORDS[name], parts)


class OfProgram(Kind[ProfileFound]):
    """profile."""

    lays_files_beside = True
    views: ClassVar[Mapping[str, View[ProfileFound]]] = {name: _view(name) for name in text.VIEWS}

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
        return ProfileFound(folder, read_profile_file(path / "records.jsonl"), doubt)

    def headline(self, found: ProfileFound) -> Headline:
        """The share of its time in MPI."""
        whole = found.profiles[0].whole
        if len(found.profiles) > 1:
            return Headline(f"{len(found.profiles)} worlds, not added up")
        return Headline(
            f"{percent(whole.share_of_wall.mean)} in MPI, {count_of(whole.ranks, 'rank')}",
            mpi=whole.library.splitlines()[0],
            is_complete=whole.ranks_recorded == whole.ranks,
        )

    def problems(self, found: ProfileFound) -> tuple[str, ...]:
        """Why the folder is not as it was sealed."""
        return (found.doubt,) if found.doubt else ()

    def is_altered(self, found: ProfileFound) -> bool:
        """A file was changed after sealing."""
        return bool(found.doubt)

    def facts(self, found: ProfileFound) -> dict[str, Any]:
        """The whole program, and every call. Seconds, bytes."""
        return {"worlds": [text.facts(one) for one in found.profiles]}

    def html(self, found: ProfileFound, page: Path) -> str:
        """Calls, regions, ranks, sizes, the matrix."""
        from isobath.report.profile_data import read_profile
        from isobath.report.profile_page import page_of_worlds

        return page_of_worlds(read_profile(found.folder.path))


KIND = OfProgram()
