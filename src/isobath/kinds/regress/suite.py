# SPDX-License-Identifier: Apache-2.0
"""Which cells of a baseline are measured again, and settings that measure no more than these."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from isobath.baseline.entries import KeptCell, Member
from isobath.errors import UsageError
from isobath.guard.design import MOST_CELLS
from isobath.report.wording import count_of, listing
from isobath.settings.values import or_nearest

QUICK, FULL = "quick", "full"

OF_A_SEARCH = (
    "alltoallv", "allgatherv", "allreduce", "allgather", "bcast", "alltoall", "reduce", "barrier",
)  # fmt: skip
"""Collectives by which searches of all plans exchange, the most telling first."""

COLLECTIVES = "bench collectives"

ROOM = 20
"""cells left to collectives, where there are so many, whatever else a baseline holds"""


def chosen(members: Sequence[Member], suite: str) -> tuple[KeptCell, ...]:
    """The cells of a suite, in the order of the baseline.

    Raises: UsageError for a file that cannot be read or words that no cell has.
    """
    cells = [cell for member in members for cell in member.cells]
    if suite == FULL:
        return tuple(cells)
    if suite == QUICK:
        return _quick(cells)
    return _named(cells, suite)


def _quick(cells: Sequence[KeptCell]) -> tuple[KeptCell, ...]:
    plain = [cell for cell in cells if cell.key.collective and _is_plain(cell)]
    wanted = [cell for cell in plain if cell.key.collective in OF_A_SEARCH] or plain
    others = [cell for cell in cells if not cell.key.collective]
    others = others[: MOST_CELLS - min(ROOM, len(wanted))]
    room = MOST_CELLS - len(others)
    sizes = sorted({cell.key.size_bytes or 0 for cell in wanted})
    while sizes:
        kept = [cell for cell in wanted if (cell.key.size_bytes or 0) in (0, *sizes)]
        if len(kept) <= room:
            names = {cell.name for cell in (*others, *kept)}
            return tuple(cell for cell in cells if cell.name in names)
        sizes = sizes[:-1][::2] + sizes[-1:] if len(sizes) > 2 else sizes[:-1]
    names = {cell.name for cell in (*others, *wanted[:room])}
    return tuple(cell for cell in cells if cell.name in names)


def words_left_out(
    members: Sequence[Member], cells: Sequence[KeptCell], suite: str
) -> tuple[str, ...]:
    """A sentence where the quick suite has not all that the baseline holds."""
    every = [cell for member in members for cell in member.cells]
    names = {cell.name for cell in cells}
    absent = [bool(cell.key.collective) for cell in every if cell.name not in names]
    if suite != QUICK or not absent:
        return ()
    counts = {"searches and the like": absent.count(False), "collectives": absent.count(True)}
    told = listing([f"{number} of {words}" for words, number in counts.items() if number])
    return (
        f"the quick suite has {len(cells)} of {count_of(len(every), 'cell')} of the baseline; left "
        f"out are {told}: --suite full measures them, too",
    )


def _is_plain(cell: KeptCell) -> bool:
    """The library's own choice, called in the usual form."""
    return not cell.identity.get("forced") and cell.identity.get("form") in (None, "blocking")


def _named(cells: Sequence[KeptCell], suite: str) -> tuple[KeptCell, ...]:
    path = Path(suite).expanduser()
    if not path.is_file():
        raise UsageError(f"--suite {suite}{or_nearest(suite, (QUICK, FULL))}, or a TOML file")
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error}") from error
    wanted = told.get("cells")
    if set(told) != {"cells"} or not isinstance(wanted, list) or not wanted:
        raise UsageError(f'{path}: write cells = ["alltoallv 4 KiB", "search"], words of names')
    names: set[str] = set()
    for words in map(str, wanted):
        asked = words.lower().replace(",", " ").split()
        hits = {cell.name for cell in cells if all(one in cell.name.lower() for one in asked)}
        if not hits:
            raise UsageError(f"{path}: no cell of the baseline has the words {words}")
        names |= hits
    return tuple(cell for cell in cells if cell.name in names)


def narrowed(member: Member, cells: Sequence[KeptCell], suite: str) -> dict[str, Any]:
    """Settings of a member that measure its cells of a suite, and few beside them."""
    settings = dict(member.settings or {})
    own = [cell for cell in member.cells if cell in cells]
    if suite == FULL or member.kind != COLLECTIVES:
        return settings
    sizes = sorted({cell.key.size_bytes for cell in own if cell.key.size_bytes})
    settings["collectives"] = list(dict.fromkeys(cell.key.collective for cell in own))
    if sizes:
        settings["sizes"] = sizes
    if not any(cell.identity.get("forced") for cell in own):
        settings["algorithms"] = ["none"]
    forms = dict.fromkeys(str(cell.identity.get("form") or "blocking") for cell in own)
    settings["forms"] = list(forms)
    return settings
