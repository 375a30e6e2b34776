# SPDX-License-Identifier: Apache-2.0
"""Sections as lines of a terminal. Charts are named: a page draws them."""

import textwrap
from collections.abc import Iterable, Iterator

from rich.text import Text

from isobath.view.content import (
    Block,
    Facts,
    Figure,
    Headline,
    Listing,
    Notice,
    Paragraph,
    Preformatted,
    Section,
    Table,
)
from isobath.view.grid import grid_lines

INDENT = "  "
WORDS = (Paragraph, Notice)
ROWS = (Table, Figure, Facts, Listing)


def printed(
    sections: Iterable[Section],
    width: int,
    *,
    whole: bool = False,
    notices: Iterable[str] = (),
    labels: tuple[str, ...] = (),
) -> Iterator[Text]:
    """What is printed, in this order: what has to be known first, then every section.

    Args: whole opens what a page folds, and says what its figures say; labels are words beside
        every number that was measured.
    """
    first = [line for notice in notices for line in _wrapped(notice, width)]
    if first:
        yield _text([*first, ""])
    charts: dict[str, None] = {}
    for section in sections:
        beside = labels if section.measured else ()
        title = " ".join((section.title, *beside))
        lines = _wrapped(title, width) or [""]
        for block in section.blocks:
            if isinstance(block, Headline):
                lines += _wrapped(_headline(block, beside), width, INDENT)
        if section.lead:
            lines += _wrapped(section.lead, width, INDENT)
        for before, block in zip((None, *section.blocks), section.blocks, strict=False):
            said = _block_lines(block, width, whole=whole, labels=beside)
            if said and isinstance(block, WORDS) and isinstance(before, ROWS):
                lines.append("")  # words are not one more row
            lines += said
            if isinstance(block, Figure):
                charts[block.title or section.title] = None
        yield _text([*lines, ""], len(title))
    if charts:
        yield _text([*_wrapped(f"Charts in the report: {'; '.join(charts)}.", width), ""])


def _text(lines: list[str], bold: int = 0) -> Text:
    text = Text("\n".join(map(_printable, lines)), no_wrap=True)
    if bold:
        text.stylize("bold", 0, bold)
    return text


def _printable(line: str) -> str:
    """Without control characters, which a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in line)


def _wrapped(text: str, width: int, before: str = "", behind: str | None = None) -> list[str]:
    after = before if behind is None else behind
    return textwrap.wrap(
        text, width, initial_indent=before, subsequent_indent=after, break_on_hyphens=False
    )


def _block_lines(block: Block, width: int, *, whole: bool, labels: tuple[str, ...]) -> list[str]:
    match block:
        case Table():
            return _table_lines(block, width, whole=whole, labels=labels)
        case Figure(table=table):
            said = ["", *_wrapped(block.caption, width, INDENT)] if whole else []
            return said + (_table_lines(table, width, whole=whole, labels=labels) if table else [])
        case Facts():
            return _facts_lines(block, width)
        case Listing(title=title, items=items):
            wrapped = (_wrapped(item, width, INDENT, INDENT * 2) for item in items)
            return ["", title, *(line for lines in wrapped for line in lines)]
        case Paragraph(text=text) | Notice(text=text):
            return _wrapped(text, width, INDENT)
        case Preformatted():
            return _letters(block, width) if whole or not block.folded else []
    return []


def _letters(block: Preformatted, width: int) -> list[str]:
    lines = block.text.splitlines()
    if block.wrapped:
        lines = [part for line in lines for part in _wrapped(line, width)]
    return ["", block.title, *lines, ""]


def _table_lines(table: Table, width: int, *, whole: bool, labels: tuple[str, ...]) -> list[str]:
    if table.folded and not whole:
        return []
    left_out = _wrapped(table.left_out, width, INDENT) if table.left_out else []
    caption = " ".join((table.caption, *(labels if table.measured else ())))
    return ["", *_wrapped(caption, width), *grid_lines(table, width), *left_out]


def _facts_lines(facts: Facts, width: int) -> list[str]:
    lines = ["", facts.title] if facts.title else [""]
    names = max((len(fact.name) for fact in facts.facts), default=0)
    is_column = facts.style != "words" and names <= width // 2
    for fact in facts.facts:
        said = ", ".join(text for text in (fact.value, fact.remark) if text)
        if is_column:
            lines += _wrapped(said, width, f"{INDENT}{fact.name:<{names}}  ", " " * (names + 4))
        else:
            lines += _wrapped(f"{fact.name}: {said}", width, INDENT, INDENT * 2)
    return lines


def _headline(block: Headline, labels: tuple[str, ...]) -> str:
    error = f" ± {block.error}" if block.error else ""
    unit = f" {block.unit}" if block.unit else ""
    number = " ".join((*labels, f"{block.value}{error}{unit}"))
    return f"{number}, {block.meaning}; {block.badge}"
