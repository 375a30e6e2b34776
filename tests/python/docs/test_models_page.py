# SPDX-License-Identifier: Apache-2.0
"""The page of models has every formula with its source and where it fails."""

import re
from pathlib import Path

from isobath.models.families import FAMILIES
from isobath.models.formula import SYMBOLS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/explanation/models.md").read_text(encoding="utf-8")
HOW_TO = (ROOT / "docs/how-to/model-times.md").read_text(encoding="utf-8")


def test_every_formula_has_its_row() -> None:
    table = PAGE.split("| name | formula |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]

    told = [row for row in rows if row[0] not in ("in pieces", "pmnf", "constant")]
    assert told == [
        [one.name, f"`{one.formula}`", ", ".join(one.of) or "anything", one.source, one.fails]
        for one in FAMILIES
    ]


def test_every_symbol_is_explained() -> None:
    table = HOW_TO.split("| name | what it is |")[1].split("\n\n")[0]

    assert set(re.findall(r"`([a-z]+)`", table)) == set(SYMBOLS)
