# SPDX-License-Identifier: Apache-2.0
"""A profile as its page needs it: the records, and what is known of the command and the machine."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem
from isobath.profile.profile import Profile, read_profile_file
from isobath.records.profile import ProfileCellRecord


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
        hosts = [one.host for one in self.profile.ranks]
        return max(hosts.count(host) for host in set(hosts)) > self.processors

    @property
    def labels(self) -> tuple[str, ...]:
        """Words beside every number of times."""
        return ("OVERSUBSCRIBED",) if self.oversubscribed else ()


def read_profile(folder: Path) -> tuple[ProfileData, ...]:
    """The profile of each world of a run folder.

    Raises: EnvironmentProblem where it cannot be read.
    """
    profiles = read_profile_file(folder / "records.jsonl")
    try:
        summary: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        environment = json.loads((folder / "environment.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            f"cannot read {folder}: {error}; profile the program again"
        ) from error
    nodes = environment.get("nodes") or [{}]
    processors = nodes[0].get("cpus")
    return tuple(
        ProfileData(
            profile=one,
            command=tuple(summary.get("command") or ()),
            started=_minute(str(summary.get("started") or "")),
            processors=len(processors) if processors else None,
        )
        for one in profiles
    )


def _minute(stamp: str) -> str:
    """A moment without its seconds; what is none stays as it is."""
    try:
        return datetime.fromisoformat(stamp).strftime("%Y-%m-%d %H:%M %Z")
    except ValueError:
        return stamp


def mpi_name(call: str) -> str:
    """A call as MPI names it."""
    return f"MPI_{call.capitalize()}"


def region_name(cell: ProfileCellRecord) -> str:
    """A region without its number; what lies outside regions is named so."""
    return cell.region or "outside regions"
