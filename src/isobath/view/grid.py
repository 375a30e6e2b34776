# SPDX-License-Identifier: Apache-2.0
"""A table in the columns of a terminal. What has no room beside the rest follows below it."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from isobath.view.content import Column, Table

GAP = 2
"""blanks between two columns; one where all have room then"""

LEAST = 14
"""what a column of words that may be broken needs"""


def grid_lines(table: Table, width: int) -> Iterator[str]:
    """Headings and rows; no line is longer than ``width``.

    Columns without any text are left out. Where not all fit, the first are printed, then the next,
    each time behind those that name the rows: nothing is cut off.
    """
    grid = _Grid(table, width)
    for number, part in enumerate(grid.parts()):
        if number:
            yield ""
        row_lines = _Lines(part, grid.widths(part), grid.gap, width)
        yield from row_lines.heads()
        for row in table.rows:
            if len(row) == len(table.columns):
                yield from row_lines.of([row[place] for place in part.places])
            else:
                yield from row_lines.of_short(row, is_first=number == 0)


class _Part:
    """Columns that stand beside each other."""

    def __init__(self, table: Table, places: Sequence[int]) -> None:
        self.places = places
        self.columns: list[Column] = [table.columns[place] for place in places]
        self.keys = table.keys


class _Grid:
    """Which columns stand where, and how wide."""

    def __init__(self, table: Table, width: int) -> None:
        self._table = table
        self._width = width
        self._places = [
            place
            for place in range(len(table.columns))
            if place < table.keys or any(row[place] for row in table.rows if place < len(row))
        ]
        least = sum(map(self._least, self._places))
        gaps = len(self._places) - 1
        self.gap = 1 if least + gaps <= width < least + GAP * gaps else GAP

    def parts(self) -> list[_Part]:
        """As many columns in each as there is room for."""
        keys = [place for place in self._places if place < self._table.keys]
        groups = [list(keys)]
        for place in self._places[len(keys) :]:
            beside = [*groups[-1], place]
            needed = sum(map(self._least, beside)) + self.gap * (len(beside) - 1)
            if needed > self._width and groups[-1] != keys:
                groups.append(list(keys))
            groups[-1].append(place)
        return [_Part(self._table, places) for places in groups]

    def widths(self, part: _Part) -> list[int]:
        """What is left over goes to words that would be broken, then to headings."""
        widths = [self._least(place) for place in part.places]
        left = self._width - sum(widths) - self.gap * (len(widths) - 1)
        for wanted in (self._natural, self._titled):
            for number, place in enumerate(part.places):
                more = max(0, min(left, wanted(place) - widths[number]))
                widths[number] += more
                left -= more
        while left < 0:  # not even one column has room beside the names: the widest is broken
            widths[widths.index(max(widths))] -= 1
            left += 1
        return widths

    def _natural(self, place: int) -> int:
        """The longest text, or the longest word of the heading."""
        ends = (len(row) - (len(row) < len(self._table.columns)) for row in self._table.rows)
        rows = zip(self._table.rows, ends, strict=True)
        texts = [row[place] for row, end in rows if place < end]
        texts += self._table.columns[place].title.split()
        return max(map(len, texts), default=1)

    def _titled(self, place: int) -> int:
        return max(self._natural(place), len(self._table.columns[place].title))

    def _least(self, place: int) -> int:
        column = self._table.columns[place]
        is_broken = not column.numeric and not column.whole
        return min(self._natural(place), LEAST) if is_broken else self._natural(place)


class _Lines:
    """Rows of one part, on as many lines as their longest cells need."""

    def __init__(self, part: _Part, widths: Sequence[int], gap: int, width: int) -> None:
        self._part = part
        self._widths = widths
        self._gap = " " * gap
        self._width = width

    def heads(self) -> Iterator[str]:
        """Titles, each on the last of its lines, and a rule."""
        titles = self._broken([column.title for column in self._part.columns])
        most = max(map(len, titles))
        for line in self._put([[""] * (most - len(lines)) + lines for lines in titles]):
            yield line.rstrip()
        yield "─" * (sum(self._widths) + len(self._gap) * (len(self._widths) - 1))

    def of(self, cells: Sequence[str]) -> Iterator[str]:
        """A row that has all cells."""
        for line in self._put(self._broken(cells)):
            yield line.rstrip()

    def of_short(self, row: Sequence[str], *, is_first: bool) -> Iterator[str]:
        """The last cell reaches to the end of the line, once; cells before it have their place.

        Where they leave no room for its longest word it begins a line of its own.
        """
        named = [row[place] for place in self._part.places if place < len(row) - 1]
        *above, before = list(self._put(self._broken(named))) or [""]
        if is_first or len(named) > self._part.keys:
            yield from (line.rstrip() for line in above)
        if is_first:
            before += self._gap if named else ""
            longest = max(map(len, row[-1].split()), default=0)
            if self._width - len(before) < longest:
                yield before.rstrip()
                before = self._gap * 2
            lines = textwrap.wrap(row[-1], self._width - len(before))
            for number, text in enumerate(lines):
                yield (before if number == 0 else " " * len(before)) + text
        elif len(named) > self._part.keys:
            yield before.rstrip()

    def _broken(self, cells: Sequence[str]) -> list[list[str]]:
        sized = zip(cells, self._widths, strict=False)  # a short row has fewer
        return [textwrap.wrap(cell, size) or [""] for cell, size in sized]

    def _put(self, broken: Sequence[Sequence[str]]) -> Iterator[str]:
        for texts in zip_longest(*broken, fillvalue=""):
            placed = zip(texts, self._widths, self._part.columns, strict=False)
            cells = (
                f"{text:>{size}}" if column.numeric else f"{text:<{size}}"
                for text, size, column in placed
            )
            yield self._gap.join(cells)
