#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/explanation/scaling.md from the formulas of isobath/plan/scaling.py.

``--check`` writes nothing and fails when the page is not current.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from isobath.plan.graph_facts import LARGEST_SCALE
from isobath.plan.grid_numbers import GridNumbers
from isobath.plan.memory import MemoryEstimate, estimate_memory
from isobath.plan.scaling import (
    LETTERS,
    Array,
    Loop,
    Message,
    Place,
    Values,
    arrays,
    held_while_searching,
    holds,
    loops,
    messages,
    numbers,
    value_of,
)
from isobath.units import format_bytes

PAGE = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "scaling.md"
PLACE = Place(scale=42, rows=316, cols=316, threads=48)
MEMORY_BYTES = 32e9
LARGE = 0.01
"""Share of the memory above which something is large."""
GRIDS = (1, 16, 128, PLACE.rows)
VALUES = Values(PLACE)
OF_PATHS = "shortest paths: "
"""Before the moments and parts of shortest paths."""
NUMBERS = GridNumbers(PLACE.rows, PLACE.cols)
BLOCK = re.compile(
    r"(<!-- (?P<name>\w+): written by tools/write_scaling.py -->\n).*?(<!-- end -->)", re.S
)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def count(number: float) -> str:
    """Three digits, with a power of ten where it is long.

    >>> count(1024), count(6.6e12)
    ('1,024', '6.6e12')
    """
    if number < 1e6:
        return f"{number:,.3g}" if number < 100 else f"{number:,.0f}"
    digits, power = f"{number:.2e}".split("e")
    return f"{float(digits):g}e{int(power)}"


def share(size: float) -> str:
    """Of the memory of a rank, large ones in bold."""
    part = size / MEMORY_BYTES
    text = f"{100 * part:.3g} %" if part >= 0.0001 else "< 0.01 %"
    return f"**{text}**" if part > LARGE else text


def product(element: str, entries: str) -> str:
    """Bytes of one, times how many."""
    factor = entries if re.fullmatch(r"[\w.]+|\w+\(.*\)", entries) else f"({entries})"
    return f"`{element.replace(' ', '')} B x {factor}`"


def array_row(array: Array) -> tuple[str, ...]:
    """Of the one table."""
    size = array.bytes_at(VALUES)
    absent = bool(array.only) and size == 0
    remarks = "; ".join(filter(None, (array.plan if array.plan != "hybrid" else "", array.note)))
    note = f" ({remarks})" if remarks else ""
    condition = f", only where `{array.only}`" if array.only else ""
    return (
        "array",
        array.where,
        f"`{array.name}`{note}",
        product(array.element, array.entries) + condition,
        "none" if absent else format_bytes(size),
        "-" if absent else share(size),
        "yes" if array.parts else "no",
    )


def step_rows() -> Iterable[tuple[str, ...]]:
    """Messages and loops."""
    for each in messages():
        size, times = value_of(each.bytes, VALUES), value_of(each.times, VALUES)
        from_ranks = count(value_of(each.messages, VALUES))
        sizes = f"{format_bytes(size)} in {from_ranks} messages"
        if times != 1:
            sizes += f", {count(times)} times: {format_bytes(size * times)}"
        if not holds(each.only, VALUES):
            sizes = "none"
        often = "" if each.times == "1" else f", `{each.times}` times"
        often += f", only where `{each.only}`" if each.only else ""
        yield (
            "message",
            each.where,
            each.name,
            f"`{each.bytes} B` in `{each.messages}` messages{often}; each {each.per}",
            sizes,
            "-",
            "-",
        )
    for loop in loops():
        absent = not holds(loop.only, VALUES)
        condition = f", only where `{loop.only}`" if loop.only else ""
        often = "" if loop.times == "1" else f", `{loop.times}` times"
        yield (
            "loop",
            loop.where,
            loop.name,
            f"`{loop.steps}` steps{often}{condition}; each {loop.per}",
            "none" if absent else f"{count(loop.steps_at(VALUES))} steps",
            "-",
            "-",
        )


def everything() -> str:
    """The one table."""
    head = (
        *("kind", "file in engine/", "array, message or loop", "formula, of one rank"),
        *("at the place", "of 32 GB", "in `isobath plan`"),
    )
    return table(head, [*map(array_row, arrays()), *step_rows()])


def large() -> list[Array]:
    """Arrays that are more than a hundredth of the memory, largest first."""
    above = [array for array in arrays() if array.bytes_at(VALUES) > LARGE * MEMORY_BYTES]
    return sorted(above, key=lambda array: -array.bytes_at(VALUES))


def mendings() -> str:
    """What would help against each large array, and against steps."""

    def saved(array: Array) -> str:
        size = array.saved_at(VALUES)
        return "not calculated" if size is None else format_bytes(size)

    rows = [
        (
            f"`{array.name}`",
            f"{array.plan}; {array.note}" if array.note else array.plan,
            format_bytes(array.bytes_at(VALUES)),
            array.mend or "nothing known",
            saved(array),
        )
        for array in large()
    ]
    steps: list[Message | Loop] = [*messages(), *loops()]
    of_steps = [
        (each.name, each.per, "-", each.mend, "-")
        for each in steps
        if each.mend and holds(each.only, VALUES)
    ]
    return table(("what", "of", "size", "what would mend it", "saves"), [*rows, *of_steps])


def letters() -> str:
    """What formulas name."""
    return table(
        ("letter", "meaning", "at the place"),
        [(f"`{letter}`", text, count(VALUES[letter])) for letter, (text, _) in LETTERS.items()],
    )


def moments() -> str:
    """What one rank of hybrid holds at each moment, by the memory plan."""
    return table_of_moments(at_the_place(construction_check=True))


def paths() -> str:
    """The same of delta-stepping, and without edges in memory."""

    def sizes(edges: str) -> tuple[str, str, MemoryEstimate]:
        estimate = at_the_place(
            kernel="sssp", sssp_plan="delta-stepping", validation=False, edges=edges
        )
        ranks = PLACE.rows * PLACE.cols
        searching = sum(estimate.moments[f"{OF_PATHS}searching"].values())
        return (
            format_bytes(searching / ranks),
            format_bytes(estimate.peak_bytes / ranks),
            estimate,
        )

    searching, peak, estimate = sizes("memory")
    searching_without, peak_without, _ = sizes("regenerate")
    return (
        f"While it searches, a rank of delta-stepping would hold {searching}; at its peak "
        f"({estimate.moment.removeprefix(OF_PATHS)}) {peak}. With edges in a file or regenerated "
        f"(`--edges`) {searching_without} and {peak_without}.\n\n{table_of_moments(estimate)}"
    )


def at_the_place(**choices: Any) -> MemoryEstimate:
    """By the memory plan, of all ranks."""
    return estimate_memory(
        PLACE.scale, rows=PLACE.rows, cols=PLACE.cols, threads=PLACE.threads, **choices
    )


def table_of_moments(estimate: MemoryEstimate) -> str:
    """With the three largest parts of each."""
    ranks = PLACE.rows * PLACE.cols
    rows = []
    for moment, alive in estimate.moments.items():
        largest = sorted(alive, key=lambda name: -alive[name])[:3]
        parts = (
            f"{name.removeprefix(OF_PATHS)} {format_bytes(alive[name] / ranks)}" for name in largest
        )
        size = format_bytes(sum(alive.values()) / ranks)
        rows.append((moment.removeprefix(OF_PATHS), size, ", ".join(parts)))
    return table(("moment", "a rank", "largest parts"), rows)


def searching() -> str:
    """How far the mendings would bring the search."""
    alive = at_the_place().moments["searching"]
    held = held_while_searching(alive)
    saved = sum(array.saved_at(VALUES) or 0.0 for array in held if array in large())
    total = sum(alive.values()) / (PLACE.rows * PLACE.cols)
    exist = VALUES["X"] / (VALUES["S"] / VALUES["R"])
    ends = max(filter(NUMBERS.can_number, range(1, LARGEST_SCALE + 1)))
    largest = estimate_memory(ends, rows=PLACE.rows, cols=PLACE.cols, threads=PLACE.threads)
    peak = format_bytes(largest.peak_bytes / (PLACE.rows * PLACE.cols))
    return (
        f"The largest scale that hybrid does not refuse on this grid is {ends}; a rank needs "
        f"{peak} there at its peak ({largest.moment}). At scale {PLACE.scale}: "
        f"of {count(VALUES['S'] / VALUES['R'])} rows of a rank {100 * exist:.0f} % have an arc. "
        f"While it searches, a rank of hybrid would hold {format_bytes(total)}; the mendings below "
        f"whose effect is calculated take {format_bytes(saved)} of it away and leave "
        f"{format_bytes(total - saved)}.\n"
    )


def widths() -> str:
    """Numbers and the first scale at which they do not suffice."""

    def first(scale: int | None) -> str:
        return "-" if scale is None else str(scale)

    rows = [
        (
            each.where,
            each.name,
            f"`{each.holds} <= {each.limit}`",
            *(first(each.first_scale(side, side)) for side in GRIDS),
            each.then,
            each.mend,
        )
        for each in numbers()
    ]
    grids = tuple(f"{side}x{side}" for side in GRIDS)
    return table(
        ("file in engine/", "number", "suffices while", *grids, "then", "what would mend it"), rows
    )


def with_tables(page: str) -> str:
    """The page with every block between marks written anew."""
    blocks = {
        "letters": letters,
        "everything": everything,
        "mendings": mendings,
        "moments": moments,
        "paths": paths,
        "searching": searching,
        "widths": widths,
    }
    return BLOCK.sub(lambda at: at[1] + blocks[at["name"]]() + at[3], page)


def main() -> int:
    """Writes or checks; returns the exit status."""
    page = PAGE.read_text(encoding="utf-8")
    wanted = with_tables(page)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(wanted, encoding="utf-8")
    elif wanted != page:
        print(f"{PAGE.name}: not current; run tools/write_scaling.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
