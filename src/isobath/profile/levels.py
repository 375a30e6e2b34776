# SPDX-License-Identifier: Apache-2.0
"""What the levels found in a program spent: time, calls and bytes, by what calls are for."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from isobath.errors import UsageError
from isobath.profile.rank_files import RankFile
from isobath.profile.rounds import Calls, Ints, Rounds, Site, find_rounds, whole_search
from isobath.records.communication import Spread
from isobath.records.profile import ProfileLevelRecord, ProfileLevelsRecord, ProfilePlace

EXPANDS = frozenset({"allgather", "allgatherv", "bcast"})
FOLDS = frozenset({"alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block",
                   "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw"})  # fmt: skip
NANO = 1e-9
CALLS, BYTES, TIME = 5, 6, 7
"""columns of what all calls of a rank add up to"""

Places = Mapping[tuple[str, int], tuple[str | None, str | None]]
"""function and source line of (module, offset)"""


@dataclass
class Spent:
    """One level of one search, all ranks together."""

    seconds: float = 0.0
    """of the first rank, from the end of the level before"""
    mpi: float = 0.0
    calls: int = 0
    bytes: int = 0
    expand: float = 0.0
    expand_bytes: int = 0
    fold: float = 0.0
    fold_bytes: int = 0
    agree: float = 0.0


def level_records(
    run_id: str, files: list[RankFile], places: Places, level_site: str | None = None
) -> Iterator[ProfileLevelsRecord | ProfileLevelRecord]:
    """The levels of a program; none where it seems to have none, or announces regions itself.

    Args: level_site is part of the name of the place that ends levels, where a person knows better.

    Raises: UsageError where there is no such place.
    """
    if level_site is None and any(map(_has_regions, files)):
        return
    calls = [Calls.of(file) for file in files]
    ends = None if level_site is None else _named(calls[0], places, level_site)
    rounds = find_rounds(calls[0], ends)
    if rounds is None:
        return
    reason = _why_not_all(files, calls)
    counted = list(zip(files, calls, strict=True))[: 1 if reason else None]
    spent = _spent(counted, rounds)
    lengths = [len(levels) for levels in spent]
    yield ProfileLevelsRecord(
        run_id=run_id,
        ends=tuple(_place(site, places) for site in rounds.ends),
        marker=None if rounds.marker is None else _place(rounds.marker, places),
        searches=len(spent),
        levels=Spread(min=min(lengths), mean=sum(lengths) / len(spent), max=max(lengths)),
        seconds=sum(level.seconds for levels in spent for level in levels),
        confidence="named" if ends is not None else _confidence(rounds, lengths),
        others=tuple(_place(site, places) for site in rounds.others),
        ranks_counted=len(counted),
        reason=reason,
    )
    whole = max((level.expand_bytes for levels in spent for level in levels), default=0)
    for number in range(max(lengths)):
        yield _level(run_id, number, [each[number] for each in spent if number < len(each)], whole,
                     len(counted))  # fmt: skip


def _has_regions(file: RankFile) -> bool:
    return any(file.regions[cell["region"]]["name"] for cell in file.cells)


def _named(calls: Calls, places: Places, level_site: str) -> list[int]:
    named = [
        at
        for at, site in enumerate(calls.sites)
        if calls.is_end[at] and level_site in place_words(_place(site, places))
    ]
    if not named:
        could = sorted(
            place_words(_place(site, places))
            for at, site in enumerate(calls.sites)
            if calls.is_end[at]
        )
        raise UsageError(
            f"no small allreduce of the widest communicator is made at {level_site!r}; "
            + (f"they are made at {', '.join(could)}" if could else "the program makes none")
        )
    return named


def place_words(place: ProfilePlace) -> str:
    """A place of the program in words."""
    if place.line is not None:
        return f"{place.symbol or ''} {place.line.rpartition('/')[2]}".strip()
    module = (place.module or "").rpartition("/")[2]
    at = f"{module}+{place.offset:#x}" if place.offset is not None else module
    return f"{place.symbol} ({at})" if place.symbol else at


def _place(site: Site, places: Places) -> ProfilePlace:
    named = places.get((site.module or "", site.offset or 0))
    symbol, line = named or (site.symbol, site.line)
    return ProfilePlace(
        call=site.call, module=site.module, offset=site.offset, symbol=symbol, line=line
    )


def _why_not_all(files: list[RankFile], calls: list[Calls]) -> str | None:
    """Why only the first rank is counted; None where all are."""
    if len(files) < files[0].head["ranks"]:
        return "some ranks left no file"
    first = calls[0]
    names = [first.sites[site].call for site in first.of_call[first.on_widest]]
    for other in calls[1:]:
        if [other.sites[at].call for at in other.of_call[other.on_widest]] != names:
            return "ranks made collective calls of the widest communicator in different orders"
    return None


def _spent(counted: list[tuple[RankFile, Calls]], rounds: Rounds) -> list[list[Spent]]:
    first = counted[0][1]
    ordinals = [np.searchsorted(first.on_widest, search[1:]) for search in rounds.searches]
    spent = [[Spent() for _ in search] for search in ordinals]
    for number, (file, calls) in enumerate(counted):
        for levels, of_search in zip(ordinals, spent, strict=True):
            bounds = whole_search(calls, levels)
            for level, begin, end in zip(of_search, bounds[:-1], bounds[1:], strict=True):
                _add(level, file, calls, begin, end, is_first=number == 0)
    return spent


def _add(
    level: Spent, file: RankFile, calls: Calls, begin: int, end: int, *, is_first: bool
) -> None:
    """What a rank did after its call ``begin`` to the end of its call ``end``."""
    rows = file.instances
    before = rows[begin] if begin >= 0 else np.zeros_like(rows[0])
    level.calls += int(rows[end, CALLS] - before[CALLS])
    level.bytes += int(rows[end, BYTES] - before[BYTES])
    level.mpi += float(rows[end, TIME] - before[TIME]) * NANO
    if is_first:
        started = before[2] + before[3] if begin >= 0 else rows[0, 2]
        level.seconds = float(rows[end, 2] + rows[end, 3] - started) * NANO
    of_role: dict[str, Ints] = _by_role(calls, begin, end)
    level.expand += float(rows[of_role["expand"], 3].sum()) * NANO
    level.expand_bytes += int(rows[of_role["expand"], 4].sum())
    level.fold += float(rows[of_role["fold"], 3].sum()) * NANO
    level.fold_bytes += int(rows[of_role["fold"], 4].sum())
    level.agree += float(rows[of_role["agree"], 3].sum()) * NANO


def _by_role(calls: Calls, begin: int, end: int) -> dict[str, Ints]:
    indices_by_role: dict[str, list[int]] = defaultdict(list)
    for at in range(begin + 1, end + 1):
        name = calls.sites[int(calls.of_call[at])].call
        indices_by_role[
            "expand" if name in EXPANDS else "fold" if name in FOLDS else "agree"
        ].append(at)
    return defaultdict(
        lambda: np.empty(0, np.int64),
        {key: np.array(indices) for key, indices in indices_by_role.items()},
    )


def _level(
    run_id: str, number: int, levels: list[Spent], whole: int, ranks: int
) -> ProfileLevelRecord:
    count = len(levels)
    return ProfileLevelRecord(
        run_id=run_id,
        level=number,
        searches=count,
        seconds=float(np.median([level.seconds for level in levels])),
        mpi_seconds=float(np.median([level.mpi for level in levels])) / ranks,
        expand_seconds=float(np.median([level.expand for level in levels])) / ranks,
        fold_seconds=float(np.median([level.fold for level in levels])) / ranks,
        agree_seconds=float(np.median([level.agree for level in levels])) / ranks,
        calls=sum(level.calls for level in levels) / count,
        bytes_sent=sum(level.bytes for level in levels) / count,
        expand_bytes=sum(level.expand_bytes for level in levels) / count,
        fold_bytes=sum(level.fold_bytes for level in levels) / count,
        whole_frontiers=sum(whole > 0 and level.expand_bytes == whole for level in levels),
    )


def _confidence(rounds: Rounds, lengths: list[int]) -> Literal["high", "medium", "low"]:
    """High where many searches differ in their levels, as searches do, and one place ends them."""
    if rounds.marker is None:
        return "low"
    few = len(lengths) < 4 or len(rounds.ends) > 1 or bool(rounds.others)
    return "medium" if few or min(lengths) == max(lengths) else "high"
