# SPDX-License-Identifier: Apache-2.0
"""What is the same of every kind whose study is several launches and whose page is its sections."""

from abc import abstractmethod
from pathlib import Path
from typing import TypeVar

from isobath.records.codec import AnyRecord, read_records
from isobath.study.bare import NOTICE
from isobath.study.folder import StudyFolder
from isobath.study.kind import Kind
from isobath.study.read_launches import LaunchesRead
from isobath.view.content import Page

Read = TypeVar("Read", bound=LaunchesRead)


def labels_of(reading: LaunchesRead) -> tuple[str, ...]:
    """Its labels, for views."""
    return reading.labels


class KindOfLaunches(Kind[Read]):
    """A kind that says how its launches are read, and what its page is."""

    @abstractmethod
    def of_folder(self, folder: StudyFolder) -> Read:
        """All launches that are as they were sealed. Raises: EnvironmentProblem without a plan."""

    @abstractmethod
    def of_records(self, rows: list[AnyRecord], notice: str) -> Read:
        """Records that its program wrote by itself, as a study of one launch.

        Args: notice is the first of its problems.
        Raises: EnvironmentProblem where there is no record of the launch.
        """

    @abstractmethod
    def page(self, reading: Read) -> Page:
        """Its page as content."""

    def read(self, path: Path) -> Read:
        """Of a folder, or of a file of records."""
        if path.is_file():
            return self.of_records(read_records(path, drop_torn_line=True), NOTICE)
        return self.of_folder(StudyFolder(path))

    def problems(self, reading: Read) -> tuple[str, ...]:
        """Changed launches, failures, wrong data."""
        return reading.problems

    def notes(self, reading: Read) -> tuple[str, ...]:
        """What is not measured."""
        return tuple(f"not measured: {what}" for what in reading.not_measured)

    def is_altered(self, reading: Read) -> bool:
        """A launch is not as it was sealed."""
        return reading.is_altered

    def html(self, reading: Read, page: Path) -> str:
        """The page, whose links need no files beside it."""
        from isobath.view.html import page_html

        return page_html(self.page(reading))
