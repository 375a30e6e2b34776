# SPDX-License-Identifier: Apache-2.0
"""What was found, as sections: formed once, printed by ``terminal`` and drawn by ``html``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from markupsafe import Markup


@dataclass(frozen=True)
class Column:
    """One column of a table: its heading (with the unit), and whether it holds numbers."""

    title: str
    numeric: bool = False
    whole: bool = False
    """its texts are short and never broken"""


@dataclass(frozen=True)
class Table:
    """Rows of text under headings. ``folded`` puts it behind its caption, opened with a click; a
    terminal leaves it to the views that show all.

    The last cell of a row that is shorter than the headings reaches to the end: why there are no
    numbers.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False
    left_out: str = ""
    """said below the table where not all rows are shown"""
    measured: bool = True
    """it carries the labels of its section"""
    keys: int = 1
    """so many columns name a row; where a terminal has no room for all, they begin every part"""


@dataclass(frozen=True)
class Legend:
    """What a colour means: the name of its CSS variable, and the word beside it."""

    colour: str
    text: str
    mark: str = ""
    """shape of the swatch: a class of style.css; empty is a square"""


@dataclass(frozen=True)
class Drawing:
    """One chart as static SVG, twice: for wide screens and paper, and for a telephone."""

    wide: Markup
    narrow: Markup

    def draw(self) -> "Drawing":
        """A chart that was drawn when its section was formed: pages alone form it."""
        return self


class Chart(Protocol):
    """What a page draws. Charts of values are drawn when a page asks: a terminal never waits."""

    def draw(self) -> Drawing:
        """The picture."""
        ...


@dataclass(frozen=True)
class Figure:
    """A chart, the sentence that says what it shows (its text alternative), and its numbers."""

    chart: Chart
    caption: str
    legend: tuple[Legend, ...] = ()
    table: Table | None = None
    title: str = ""
    measured: bool = True
    """it shows numbers that were measured, which carry the labels of their section"""


@dataclass(frozen=True)
class Headline:
    """The one number of the page, its uncertainty, and whether it may be believed."""

    value: str
    error: str
    unit: str
    meaning: str
    badge: str
    good: bool
    """validation passed everywhere and the run is complete"""


@dataclass(frozen=True)
class Fact:
    """A named value, with a short remark where the value needs one."""

    name: str
    value: str
    remark: str = ""
    anchor: str = ""
    """where links lead to; unique in the page"""


@dataclass(frozen=True)
class Facts:
    """Named values side by side."""

    facts: tuple[Fact, ...]
    title: str = ""
    style: Literal["cards", "large", "pairs", "words"] = "cards"
    """numbers in a grid; the few at the top; name and value in two columns; explanations"""


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Preformatted:
    """Text shown letter for letter, for example the official block."""

    title: str
    text: str
    folded: bool = False
    wrapped: bool = False
    """long lines are broken; for commands, not for tables"""


@dataclass(frozen=True)
class Listing:
    """A few short statements under a heading."""

    title: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class Link:
    """A word that leads to a place in the page ("#levels") or to a file beside it ("./name")."""

    text: str
    target: str


@dataclass(frozen=True)
class Links:
    """Links in a row, after a word that says what they are."""

    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Notice:
    """A sentence that must not be overlooked."""

    text: str


Block: TypeAlias = (
    Headline | Table | Figure | Facts | Paragraph | Listing | Links | Preformatted | Notice
)


@dataclass(frozen=True)
class Section:
    """A part of the page under its own heading."""

    identifier: str
    """anchor in the page"""
    title: str
    blocks: tuple[Block, ...] = ()
    lead: str = ""
    """one sentence that says what was found"""
    measured: bool = True
    """it shows numbers of this run, which carry its labels (UNVALIDATED, OVERSUBSCRIBED)"""


@dataclass(frozen=True)
class Page:
    """All of a study's sections, and what stands around them."""

    title: str
    """of the window"""
    heading: str
    place: str
    """where it was measured"""
    noun: str
    name: str
    """of the study"""
    made_from: str
    """what was read"""
    sections: tuple[Section, ...]
    doubts: tuple[str, ...] = ()
    """what has to be known before any number is believed"""
    labels: tuple[str, ...] = ()
    """words beside every number"""
    begun: tuple[str, str] | None = None
    """for programs, and as people read it"""
    remark: str = ""
    """behind what it was made from"""


def nothing(identifier: str, title: str, sentence: str) -> Section:
    """A section without data: one line that says so."""
    return Section(identifier, title, lead=sentence, measured=False)


def columns(*titles: str) -> tuple[Column, ...]:
    """Columns from headings: ``#`` marks one of numbers, ``=`` one of words that stay whole.

    >>> [column.title for column in columns("=phase", "#seconds")]
    ['phase', 'seconds']
    """
    return tuple(
        Column(title.lstrip("#="), title.startswith("#"), title.startswith("=")) for title in titles
    )


def first_rows(
    rows: Sequence[tuple[str, ...]], limit: int, where: str
) -> tuple[tuple[tuple[str, ...], ...], str]:
    """The rows of a table that must stay short, and the sentence on those left out (or nothing)."""
    if len(rows) <= limit:
        return tuple(rows), ""
    return tuple(rows[:limit]), f"{len(rows) - limit:,} more rows stand in {where}."
