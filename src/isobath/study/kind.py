# SPDX-License-Identifier: Apache-2.0
"""What a kind of study gives the laboratory. Reading is apart from words: nothing here prints."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from isobath.comparison.measured import Cell, Launched
from isobath.errors import ExitCode
from isobath.study.codes import worst_of
from isobath.study.driver import SILENT, Driver
from isobath.study.launches import Work

if TYPE_CHECKING:
    from rich.console import RenderableType

    from isobath.study.findings import Findings
    from isobath.study.tables import TableOf

Found = TypeVar("Found")


@dataclass(frozen=True)
class View(Generic[Found]):
    """One way to look at a study in the terminal."""

    words: str
    """what it shows, a line of --views"""
    parts: "Callable[[Found, int], Iterable[RenderableType]]"
    """from what was read, and the columns of the terminal, to what is printed in this order"""
    has_places: bool = True
    """followed by where the study and its page are; not where the view is a file of others"""


@dataclass(frozen=True)
class Headline:
    """A study in one row of a list."""

    words: str
    """what came of it, in few words"""
    graph: str = ""
    """what was searched; empty where there is no graph"""
    mpi: str = ""
    is_complete: bool = True
    """nothing is left to be done"""


class Kind(ABC, Generic[Found]):
    """A kind of study: how it is read, judged, shown and gone on with.

    ``Found`` is all that is read of a study, once, for every view.
    """

    views: ClassVar[Mapping[str, View[Any]]]
    """by name; the first is shown where none is asked for"""

    findings: "ClassVar[type[Findings]]"
    """the model of what ``facts`` gives, with number of schema, id and kind"""

    tables: "ClassVar[Mapping[str, TableOf]]"
    """rows of the findings by name, for other programs; one that is called as a view is its data"""

    @abstractmethod
    def read(self, path: Path) -> Found:
        """Raises: EnvironmentProblem where the study cannot be read."""

    @abstractmethod
    def headline(self, reading: Found) -> Headline:
        """For lists."""

    @abstractmethod
    def problems(self, reading: Found) -> tuple[str, ...]:
        """What is wrong, one sentence each; launches that are left out are named first."""

    def notes(self, reading: Found) -> tuple[str, ...]:
        """What a reader should know besides, one sentence each: what was not measured, and why."""
        return ()

    @abstractmethod
    def is_altered(self, reading: Found) -> bool:
        """Something is not as it was sealed: what is shown is not all that was measured."""

    @abstractmethod
    def facts(self, reading: Found) -> dict[str, Any]:
        """The findings for programs, with units in the names; ``findings`` is their model."""

    @abstractmethod
    def cells(self, reading: Found) -> tuple[Cell, ...]:
        """What is held against other studies: a value of each launch that is as it was sealed."""

    def launched(self, reading: Found) -> Mapping[str, Launched] | None:
        """What is known of launches beside their times; None where their sealed folders tell it."""
        return None

    def parts(self, reading: Found) -> tuple[Cell, ...]:
        """Of what was measured as one thing, its parts: what models of time look at besides."""
        return ()

    older_names: ClassVar[Mapping[str, str]] = {}
    """views and tables that were called otherwise: the name of before, and that of now"""

    says_problems: ClassVar[bool] = False
    """every view begins with what is wrong; else it is said before the view, on standard error"""

    lays_files_beside: ClassVar[bool] = False
    """the page has the files of the study beside it, and links to them"""

    def has_page(self, reading: Found) -> bool:
        """Whether there is anything to report."""
        return True

    @abstractmethod
    def html(self, reading: Found, page: Path) -> str:
        """The page. The same records give the same page, letter for letter.

        Args: page is where it will lie; links lead from there.
        Raises: EnvironmentProblem where there is nothing to report.
        """

    def refers_to(self, path: Path) -> tuple[str, ...]:
        """Ids of other studies that this one cannot be understood without."""
        return ()

    def work(self, path: Path, driver: Driver = SILENT) -> "ToDo | None":
        """How the study goes on; None for kinds of a single launch, which cannot be resumed."""
        return None

    def conclude(self, path: Path, reading: Found) -> tuple[str, ...]:
        """What remains to be done once launches are done, whoever had them done; a sentence each.

        Raises: EnvironmentProblem where something cannot be written.
        """
        return ()

    def code(self, reading: Found) -> ExitCode:
        """What showing the study ends with."""
        return ExitCode.ENVIRONMENT if self.is_altered(reading) else ExitCode.DONE

    def code_measured(self, reading: Found, launches: ExitCode) -> ExitCode:
        """What measuring ends with. Args: launches is the worst that a launch ended with."""
        return worst_of((launches, self.code(reading)))


@dataclass(frozen=True)
class ToDo:
    """What resuming a study needs."""

    work: Work
    notes: tuple[str, ...] = ()
    """what cannot be done here and is left out, one sentence each"""
