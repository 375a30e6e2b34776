# SPDX-License-Identifier: Apache-2.0
"""A profile as it is read: its records, sorted by kind."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from isobath.errors import EnvironmentProblem
from isobath.records.codec import AnyRecord, read_records
from isobath.records.profile import (
    ProfileCallRecord,
    ProfileCellRecord,
    ProfileCommunicatorRecord,
    ProfileLevelRecord,
    ProfileLevelsRecord,
    ProfileMatrixRecord,
    ProfileRankRecord,
    ProfileRecord,
    ProfileRow,
    ProfileSearchRecord,
    ProfileSizeMeaning,
    ProfileSizesRecord,
    ProfileThreadRecord,
    ProfileTimelineRecord,
)

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Profile:
    """All records of one MPI_COMM_WORLD that was profiled."""

    whole: ProfileRecord
    ranks: tuple[ProfileRankRecord, ...]
    communicators: tuple[ProfileCommunicatorRecord, ...]
    calls: tuple[ProfileCallRecord, ...]
    """the one with the most time first"""
    cells: tuple[ProfileCellRecord, ...]
    searches: tuple[ProfileSearchRecord, ...]
    """of programs that announce them, in their order"""
    sizes: tuple[ProfileSizesRecord, ...]
    matrices: tuple[ProfileMatrixRecord, ...]
    timelines: tuple[ProfileTimelineRecord, ...] = ()
    """of each rank; empty where it was not asked for"""
    rounds: ProfileLevelsRecord | None = None
    """searches and levels that were found in a program which does not announce them"""
    levels: tuple[ProfileLevelRecord, ...] = ()
    """of these searches, in their order"""
    threads: tuple[ProfileThreadRecord, ...] = ()
    """of ranks in which several threads call MPI"""

    @classmethod
    def of(cls, records: Iterable[AnyRecord]) -> "Profile":
        """Sorts records by kind.

        Raises: EnvironmentProblem where they are no profile, or of several worlds.
        """
        rows = list(records)
        wholes = _of(rows, ProfileRecord)
        if not wholes:
            raise EnvironmentProblem(
                "this is a run of the benchmark, not the profile of a program; see ./isobath show"
            )
        if len(wholes) > 1:
            raise EnvironmentProblem(
                f"this is the profile of {len(wholes)} MPI programs, which are not added up; see "
                "./isobath show"
            )
        return cls(
            whole=wholes[0],
            ranks=_of(rows, ProfileRankRecord),
            communicators=_of(rows, ProfileCommunicatorRecord),
            calls=_of(rows, ProfileCallRecord),
            cells=_of(rows, ProfileCellRecord),
            searches=_of(rows, ProfileSearchRecord),
            sizes=_of(rows, ProfileSizesRecord),
            matrices=_of(rows, ProfileMatrixRecord),
            timelines=_of(rows, ProfileTimelineRecord),
            rounds=next(iter(_of(rows, ProfileLevelsRecord)), None),
            levels=_of(rows, ProfileLevelRecord),
            threads=_of(rows, ProfileThreadRecord),
        )

    def call(self, name: str) -> ProfileCallRecord | None:
        """All calls of that name; None where there was none."""
        return next((record for record in self.calls if record.call == name), None)

    def sizes_of(self, call: str, meaning: ProfileSizeMeaning) -> ProfileSizesRecord | None:
        """Message sizes of a call; None where it sent none."""
        records = (
            record for record in self.sizes if record.call == call and record.meaning == meaning
        )
        return next(records, None)

    def sent(self) -> dict[tuple[int, int], int]:
        """Bytes from each rank to each, all traffic together."""
        bytes_by_pair: dict[tuple[int, int], int] = {}
        for matrix in self.matrices:
            for sender, receiver, sent in zip(
                matrix.sender, matrix.receiver, matrix.bytes_sent, strict=True
            ):
                bytes_by_pair[sender, receiver] = bytes_by_pair.get((sender, receiver), 0) + sent
        return bytes_by_pair


def _of(rows: list[AnyRecord], kind: type[Kind]) -> tuple[Kind, ...]:
    return tuple(row for row in rows if isinstance(row, kind))


def profiles_of(records: Iterable[AnyRecord]) -> tuple[Profile, ...]:
    """The profile of each world, the one that began first first; mostly there is one.

    Raises: EnvironmentProblem where the records are no profile.
    """
    of_worlds: dict[int | None, list[AnyRecord]] = defaultdict(list)
    for row in records:
        of_worlds[row.world if isinstance(row, ProfileRow) else None].append(row)
    numbered = sorted(number for number in of_worlds if number is not None)
    if not numbered:
        return (Profile.of(of_worlds[None]),)
    return tuple(Profile.of(of_worlds[number]) for number in numbered)


def read_profile_file(records: Path) -> tuple[Profile, ...]:
    """The profile of each world of a file of records.

    Raises: EnvironmentProblem where the file cannot be read or is no profile.
    """
    return profiles_of(read_records(records))
