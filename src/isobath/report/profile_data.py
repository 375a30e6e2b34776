# SPDX-License-Identifier: Apache-2.0
"""A profile as its page needs it: the records, and what is known of the command and the machine."""

from dataclasses import dataclass

from isobath.errors import EnvironmentProblem
from isobath.profile.profile import Profile, read_profile_file
from isobath.records.profile import (
    ProfileCellRecord,
    ProfileRankRecord,
    ProfileRecord,
)
from isobath.report.wording import part_of, percent
from isobath.store.folders import RunFolder
from isobath.units import format_bytes

OUTSIDE_REGIONS = "outside regions"


@dataclass(frozen=True)
class ProfileData:
    """Everything on the page of one world."""

    profile: Profile
    command: tuple[str, ...]
    started: str
    processors: int | None
    """of one host; None where it is not recorded"""

    @property
    def oversubscribed(self) -> bool:
        """More ranks on a host than it has processors."""
        if self.processors is None:
            return False
        hosts = [rank.host for rank in self.profile.ranks]
        return max(hosts.count(host) for host in set(hosts)) > self.processors

    @property
    def labels(self) -> tuple[str, ...]:
        """Words beside every number of times."""
        return ("OVERSUBSCRIBED",) if self.oversubscribed else ()


def read_worlds(folder: RunFolder) -> tuple[ProfileData, ...]:
    """The profile of each world of a run folder; what else it holds may be missing.

    Raises: EnvironmentProblem where its records cannot be read.
    """
    profiles = read_profile_file(folder.path / "records.jsonl")
    try:
        summary = folder.summary()
    except EnvironmentProblem:
        summary = None
    nodes = folder.environment().get("nodes") or [{}]
    processors = nodes[0].get("cpus")
    return tuple(
        ProfileData(
            profile=profile,
            command=tuple(summary.command) if summary else (),
            started=f"{summary.started:%Y-%m-%d %H:%M %Z}" if summary else "",
            processors=len(processors) if processors else None,
        )
        for profile in profiles
    )


def share_of_rank(rank: ProfileRankRecord) -> float | None:
    """Share of MPI of the wall time, of several threads of that of all of them.

    None in records of before, where their times were added up and the wall time was not.
    """
    share = part_of(rank.mpi_seconds, rank.thread_seconds or rank.wall_seconds)
    return share if rank.threads is not None or share <= 1 else None


def in_mpi(whole: ProfileRecord) -> str:
    """Mean share of MPI of the wall time; as ``share_of_rank`` of one rank."""
    if whole.threads is None and whole.share_of_wall.max > 1:
        return "unknown"
    return percent(whole.share_of_wall.mean)


def received(row: ProfileRankRecord) -> str:
    """Bytes received, with those receives of which nobody knows how much came."""
    known = format_bytes(row.bytes_received)
    return f"{known} + {row.receives_unknown:,} unknown" if row.receives_unknown else known


def mpi_name(call: str) -> str:
    """A call as MPI names it."""
    return f"MPI_{call.capitalize()}"


def region_name(cell: ProfileCellRecord) -> str:
    """A region without its number; what lies outside regions is named so."""
    return cell.region or OUTSIDE_REGIONS
