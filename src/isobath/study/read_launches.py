# SPDX-License-Identifier: Apache-2.0
"""What is read of studies of several launches: launch by launch, and how far each came."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from isobath.records.codec import AnyRecord
from isobath.records.collective import LaunchRecord
from isobath.records.placement import Placement
from isobath.store.launch_reader import LaunchReader
from isobath.study.folder import StudyFolder
from isobath.study.labels import few_launches, unfinished


@dataclass(frozen=True, kw_only=True)
class LaunchesRead:
    """What a study has so far; each kind adds what its records say."""

    name: str
    """of the study"""
    problems: tuple[str, ...]
    """one sentence each: launches that failed, were changed or cannot be read; wrong data"""
    not_measured: tuple[str, ...]
    """what cannot be had here, and why"""
    launches_done: int
    """sealed ones"""
    launches: int
    """all that were planned"""
    is_altered: bool = False
    """a launch is not as it was sealed"""

    @property
    def fewest_launches(self) -> int:
        """Of any number that is shown."""
        return self.launches

    @property
    def labels(self) -> tuple[str, ...]:
        """What has to be known before any number is believed."""
        few = few_launches(self.fewest_launches)
        labels = (unfinished(self.launches_done, self.launches), f"{few}." if few else "")
        return tuple(label for label in labels if label)


class Placed(Protocol):
    """An arm: launches that differ in their number alone."""

    @property
    def arm(self) -> Any:
        """Its name or number; arms come in the order of these."""

    @property
    def placement(self) -> Placement:
        """Where its ranks were asked to be."""


Arm = TypeVar("Arm", bound=Placed)


@dataclass(frozen=True)
class ReadLaunch(Generic[Arm]):
    """A launch that is sealed; without records where they are not those that were sealed."""

    arm: Arm
    number: int
    run_id: str
    rows: tuple[AnyRecord, ...]
    """of nodes that share processors marked as oversubscribed: their times are no result"""

    @property
    def own(self) -> list[LaunchRecord]:
        """What it says of itself."""
        return [row for row in self.rows if isinstance(row, LaunchRecord)]

    @property
    def is_otherwise_placed(self) -> bool:
        """Ranks were on other nodes than asked."""
        return any(not row.is_placed_as(self.arm.placement) for row in self.own)


def read_launches(
    folder: StudyFolder,
    runs: Iterable[tuple[Arm, int]],
    name_of: Callable[[Arm, int], str],
    reader: LaunchReader,
) -> Iterator[ReadLaunch[Arm]]:
    """Those that are sealed, in the order of their arms, each held against its manifest.

    Args: name_of gives the folder of a launch; reader keeps what is wrong.
    """
    for arm, number in sorted(runs, key=lambda run: (run[0].arm, run[1])):
        sealed = folder.sealed(name_of(arm, number))
        if sealed is None:
            continue
        rows = reader.launch(sealed)
        own = (row for row in rows if isinstance(row, LaunchRecord))
        if any(row.is_crowded(arm.placement) for row in own):
            rows = [_oversubscribed(row) for row in rows]
        yield ReadLaunch(arm, number, sealed.run_id, tuple(rows))


def _oversubscribed(row: AnyRecord) -> AnyRecord:
    """A record with times; what the launch says of itself stays as it is."""
    if isinstance(row, LaunchRecord) or "oversubscribed" not in type(row).model_fields:
        return row
    return row.model_copy(update={"oversubscribed": True})
