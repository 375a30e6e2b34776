# SPDX-License-Identifier: Apache-2.0
"""What the entries of a baseline hold.

A field or a role may be added: who does not know it says that a newer Isobath wrote it. Another
meaning, or another word where words are listed, is another schema.
"""

import json
import re
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from isobath.comparison.measured import Bound, Scale, Value
from isobath.records.strict_json import LARGEST

SCHEMA = 1
MOST_FIELDS = 64
"""of anything in an entry; ours have fewer than twenty"""


class UnfitError(Exception):
    """Something in an entry is not what it should be. It ends reading at once: a file that is wrong
    in a million places is not to be told of a million times."""


def _at_once(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        raise UnfitError(str(error)) from error


AtOnce = WrapValidator(_at_once)
Positive = Annotated[float, Field(gt=0, lt=LARGEST, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=0)]
LONGEST_NAME = 1000

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AtOnce]
Words = Annotated[str, Field(max_length=20_000), AtOnce]
Told = Annotated[Value, AtOnce]

Outcome = Literal["slower", "faster", "the same", "not slower", "cannot tell", "wrong"]
"""Of one cell in a regression."""


class Frozen(BaseModel):
    """Nothing is changed, and nothing is in it that nobody knows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _whole(cls, told: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        if isinstance(told, dict) and len(told) > MOST_FIELDS:
            raise UnfitError(f"{len(told)} fields are more than anything has")
        try:
            return read(told)
        except ValidationError as error:
            raise UnfitError(str(error)) from error


class Key(Frozen):
    """What a reference result is one of."""

    machine: Words
    """processor and product, as the machine tells them"""
    mpi: Words
    """the library, as it calls itself"""
    mpi_version: Words
    nodes: Whole
    """0 where that is not known"""
    ranks_per_node: Whole
    shape: Words = ""
    collective: Words = ""
    """empty where no collective was measured: a search, an iteration"""
    size_bytes: Whole | None = None
    algorithm: Words = ""
    """forced, or known to have been chosen; empty where nobody knows"""


class Sample(Frozen):
    """What one launch says of a cell."""

    value: Positive
    launch: Name
    turn: Words | None = None
    scatter: Annotated[float, Field(ge=0, lt=LARGEST)] | None = None
    """deviation of its repetitions, on logarithms"""


class Part(Frozen):
    """Seconds of a part, in one launch."""

    of: tuple[Words, ...]
    part: tuple[Words, ...]
    seconds: float = Field(ge=0, lt=LARGEST)


class KeptCell(Frozen):
    """One thing that was measured (comparison/measured.py), with its key."""

    name: Name
    """unique in its baseline; what a person types to accept it"""
    key: Key
    title: Words
    scale: Scale
    identity: dict[str, Told]
    bound: dict[Annotated[Bound, AtOnce], Words]
    settings: dict[str, Told]
    samples: tuple[Sample, ...]
    chosen: Words = ""
    """algorithm by which the library carried it out"""
    chosen_source: Words = ""
    parts: tuple[tuple[Part, ...], ...] = ()
    """where its time went, of each launch that knows it"""


class KeptLaunch(Frozen):
    """A launch beside its times."""

    began: float = Field(ge=0, lt=1e12)
    """seconds since 1970"""
    facts: dict[str, Words]


class Member(Frozen):
    """A study that is planned again, or several that the same settings make."""

    kind: Name
    studies: tuple[Name, ...]
    settings: dict[str, Any] | None = None
    """that make the first of them again; studies of before have none"""
    launches: dict[Name, KeptLaunch]
    cells: tuple[KeptCell, ...]


class Broken(Frozen):
    """A guideline of MPI that was broken when the baseline was measured."""

    words: Name
    factor: Positive


class _Entry(Frozen):
    schema_number: Literal[1] = Field(default=1, alias="schema", serialization_alias="schema")
    previous: Annotated[str, Field(max_length=64)]
    """digest of the entry before it; empty of the first"""
    at: AwareDatetime
    """when it was added"""


class Archive(_Entry):
    """The first entry: what was measured."""

    role: Literal["archive"] = "archive"
    name: Name
    maker: Words
    """who says that it is theirs"""
    isobath_version: Words
    members: tuple[Member, ...]
    guidelines: tuple[Broken, ...] | None = None
    """None where no guideline could be looked at"""

    @property
    def cells(self) -> tuple[KeptCell, ...]:
        """Of all kinds."""
        return tuple(cell for member in self.members for cell in member.cells)


class Acceptance(_Entry):
    """A slower cell that somebody takes as it is."""

    role: Literal["accepted"] = "accepted"
    cell: Name
    factor: Positive
    """so many times as long as in the archive, or as under ``held_against``"""
    study: Name
    """the regression that measured it"""
    reason: Name
    who: Words
    chosen: Words = ""
    """the algorithm that it may run by beside that of the archive; left out where there is none"""
    held_against: Words = ""
    """the library that ``factor`` is to, where it was measured in turns with another than that of
    the archive; left out where it is to the archive"""
    held_against_build: Words = ""
    """digest of that library's file; left out where it is not known"""


class Sitting(_Entry):
    """Launches of the same thing under the same library, to learn how they scatter."""

    role: Literal["sitting"] = "sitting"
    study: Name
    began: float
    ended: float
    turns: Whole
    seconds_a_turn: Positive
    """of one side"""
    expires: AwareDatetime
    samples: dict[Name, tuple[Sample, ...]]
    """by the names of cells"""
    facts: dict[Name, tuple[Words, ...]] = {}
    """build of the library, kernel and nodes of its launches; left out where they are not known"""


class CellOutcome(Frozen):
    """What a regression said of a cell."""

    outcome: Outcome
    ratio: Positive | None = None
    """of the times now by those of what it was held against"""
    low: Positive | None = None
    high: Positive | None = None
    other_algorithm: Words = ""
    """that surely runs now where another ran; left out where there is none"""


class Regression(_Entry):
    """What a regression came to."""

    role: Literal["regression"] = "regression"
    study: Name
    began: float
    verdict: Words
    """in words, as its page begins"""
    exit_code: Whole
    against: Literal["old library", "archive"]
    mpi: Words
    cells: dict[Name, CellOutcome]
    guidelines: tuple[Name, ...] = ()
    """newly broken"""
    held_against: Words = ""
    """the library that it was measured in turns with, as it calls itself; left out against the
    archive, and not known of regressions of before"""
    held_against_build: Words = ""
    """digest of that library's file; left out where it is not known"""
    variables: tuple[Words, ...] = ()
    """that were set for the library of today alone; left out where there were none"""
    across_machines: bool = False
    """it was another machine; left out where it was not"""


Entry = Annotated[Archive | Acceptance | Sitting | Regression, Field(discriminator="role")]
ENTRY: TypeAdapter[Archive | Acceptance | Sitting | Regression] = TypeAdapter(Entry)


ESCAPE = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\(u[0-9a-f]{4}|.)")
"""in the one spelling: a pair of halves, or one character"""


def shows_as_it_is(line: str) -> bool:
    """Whether nothing in an entry would be obeyed by a terminal, end a line or break XML."""
    return line.isprintable() and all(map(_is_shown, ESCAPE.finditer(line)))


def _is_shown(escape: re.Match[str]) -> bool:
    if escape[1]:
        high, low = int(escape[1], 16), int(escape[2], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF)).isprintable()
    if escape[3][0] == "u" and len(escape[3]) == 5:
        return chr(int(escape[3][1:], 16)).isprintable()
    return escape[3] in ('"', "\\")


def line_of(entry: Archive | Acceptance | Sitting | Regression) -> str:
    """Its one spelling: keys in their order, no blanks, ASCII. Fields that came later are left out
    where they say nothing, so that entries of before are spelled as they were.
    """
    found = entry.model_dump(mode="json", by_alias=True)
    _leave_out(found, LATER)
    for cell in found["cells"].values() if entry.role == "regression" else ():
        _leave_out(cell, LATER)
    return json.dumps(found, sort_keys=True, separators=(",", ":"), allow_nan=False)


LATER = (
    "chosen", "other_algorithm", "held_against", "held_against_build", "variables",
    "across_machines", "facts",
)  # fmt: skip


def _leave_out(told: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        if name in told and not told[name]:
            del told[name]
