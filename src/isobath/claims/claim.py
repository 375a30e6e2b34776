# SPDX-License-Identifier: Apache-2.0
"""Claims: figures that somebody published, in a file with their sources."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from isobath.claims.figure import Figure
from isobath.errors import UsageError

NUMBERS = (
    "scale",
    "edgefactor",
    "seconds",
    "gteps",
    "teps",
    "nodes",
    "cores",
    "cores_per_node",
    "threads_per_core",
    "units",
    "gteps_per_node",
    "gteps_per_unit",
    "scale_per_node",
    "ranks",
    "ranks_per_node",
    "levels",
    "axis_gigabytes",
    "quotient",
    "numerator",
    "denominator",
)
"""Fields that hold one figure."""

WORDS = ("name", "says", "source", "quotable", "note")
"""Fields of text; the last three may be missing in a file of one's own."""

OTHERS = ("grids", "shares", "decreasing", "series")


@dataclass(frozen=True)
class Claim:
    """One statement that can be quoted, and what its figures are."""

    name: str
    says: str
    """in our words, short"""
    source: str = ""
    quotable: str = ""
    """what of it may be quoted as the source's"""
    note: str = ""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    grids: tuple[tuple[int, int, int], ...] = ()
    """(processes, rows, columns)"""
    shares: Mapping[str, Figure] = field(default_factory=dict)
    """percent of one whole, by name"""
    decreasing: bool = False
    """the shares are said to fall in the order given"""
    series: tuple[tuple[Figure, Figure, Figure, Figure], ...] = ()
    """(nodes, one value, another, their quotient as printed)"""


@lru_cache(maxsize=1)
def built_in_claims() -> dict[str, Claim]:
    """All that the project quotes (claims/published.toml), by name."""
    text = files("isobath.claims").joinpath("published.toml").read_text(encoding="utf-8")
    return {claim.name: claim for claim in parse_claims(text, "published.toml")}


def read_claims(path: Path) -> tuple[Claim, ...]:
    """The claims of a TOML file: one at top level, or several as [[claim]].

    Raises: UsageError where the file does not hold claims.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text; a claim is a TOML file") from None
    return parse_claims(text, str(path))


def parse_claims(text: str, place: str) -> tuple[Claim, ...]:
    """Raises: UsageError that names the place."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{place}: {error}") from None
    tables = document.get("claim", [{"name": Path(place).stem, **document}])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{place}: claims stand in tables; write [[claim]] before each")
    return tuple(_claim(table, place) for table in tables)


def claim_of(fields: Mapping[str, object], name: str = "yours") -> Claim:
    """A claim of single figures, each a number or the words that print it."""
    return _claim({"name": name, **fields}, name)


def _claim(fields: Mapping[str, Any], place: str) -> Claim:
    unknown = sorted(set(fields) - {*NUMBERS, *WORDS, *OTHERS})
    if unknown:
        raise UsageError(
            f"{place}: a claim has no field {unknown[0]!r}; it has {', '.join((*WORDS, *NUMBERS))}"
        )
    try:
        return Claim(
            **{name: str(fields[name]) for name in WORDS if name in fields},
            **({} if "says" in fields else {"says": "the figures given"}),
            figures={name: Figure.parse(fields[name]) for name in NUMBERS if name in fields},
            grids=tuple((int(p), int(r), int(c)) for p, r, c in fields.get("grids", ())),
            shares={
                key: Figure.parse(text) for key, text in dict(fields.get("shares", {})).items()
            },
            decreasing=bool(fields.get("decreasing", False)),
            series=tuple(
                (Figure.parse(n), Figure.parse(a), Figure.parse(b), Figure.parse(q))
                for n, a, b, q in fields.get("series", ())
            ),
        )
    except (TypeError, ValueError):
        raise UsageError(f"{place}: grids, shares or series have not the form they need") from None
