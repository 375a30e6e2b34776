# SPDX-License-Identifier: Apache-2.0
"""How launches of two cells were taken: in turns, so that they are pairs, or each by itself."""

from collections.abc import Mapping, Sequence

from isobath.comparison.measured import Launched, Taken

Pairs = list[tuple[Taken, Taken]]


def pairs_of(
    first: Sequence[Taken],
    second: Sequence[Taken],
    first_launches: Mapping[str, Launched],
    second_launches: Mapping[str, Launched],
) -> Pairs | None:
    """Launches that belong together one by one; None where they were not taken in turns.

    Those of one study do where they were taken in the same turn. Those of different studies where,
    in the order of time, each two that follow one another are one of each side.
    """
    of_turns = _by_turn(first, second)
    if of_turns is not None:
        return of_turns
    if len(first) != len(second) or not first:
        return None
    try:
        rows = [(first_launches[sample.launch].began, 0, sample) for sample in first]
        rows += [(second_launches[taken.launch].began, 1, taken) for taken in second]
    except KeyError:
        return None
    if len({began for began, _, _ in rows}) < len(rows):
        return None  # nobody knows which of them came first
    rows.sort(key=lambda row: row[0])
    pairs: Pairs = []
    for (_, side, earlier), (_, other_side, other) in zip(rows[::2], rows[1::2], strict=True):
        if side == other_side:
            return None
        pairs.append((earlier, other) if side == 0 else (other, earlier))
    return pairs


def _by_turn(first: Sequence[Taken], second: Sequence[Taken]) -> Pairs | None:
    """Turns that both have; None where launches have none, or share none."""
    turns = {taken.turn: taken for taken in second}
    if None in turns or any(taken.turn is None for taken in first):
        return None
    pairs = [(taken, turns[taken.turn]) for taken in first if taken.turn in turns]
    alike = len(turns) == len(second) and len({taken.turn for taken in first}) == len(first)
    return pairs if pairs and alike else None
