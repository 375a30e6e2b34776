# SPDX-License-Identifier: Apache-2.0
"""What isobath-collectives would refuse, or overflow, refused before anything is launched."""

import math
from collections.abc import Callable, Iterable, Sequence

from isobath.bench.algorithms import algorithms_of
from isobath.bench.design import (
    DATATYPES,
    IRREGULAR,
    OPERATIONS,
    REDUCTIONS,
    ROOTED,
    WITHOUT_SIZE,
    BenchDesign,
    is_defined,
)
from isobath.bench.own import OWN, ByName
from isobath.bench.plan import BenchPlan, Cell, Family
from isobath.errors import UsageError

ALIGNMENTS = ("barrier:dissemination", "barrier:library", "barrier:double", "roundtime")
LATEST_MICROSECONDS = 1e9
MOST_SIZE = 1 << 50
MOST_NUMBER = (1 << 31) - 1
COUNTS = "uniform, zipf:S, sparse:K, block:B"
MOST_BYTES = (1 << 63) - 1


def check_words(design: BenchDesign) -> None:
    """Values that mean nothing. Raises: UsageError naming the first."""
    _known("datatypes", design.datatypes, DATATYPES)
    _known("operations", design.operations, OPERATIONS)
    _known("alignment", design.alignment, ALIGNMENTS)
    for counts in design.counts:
        _check_counts(counts)
    for pattern in design.arrival:
        _check_arrival(pattern, design.alignment)
    for shape in design.shapes:
        if not all(word.isdecimal() and int(word) for word in shape.split("x")):
            raise UsageError(f"--shapes {shape}: write for example 4, 2x2 or 2x2x2")
    for along in design.along:
        if along not in ("world", "row", "col") and not along.isdecimal():
            raise UsageError(f"--along {along}: choose world, row, col or a dimension from 0")
    _check_operations(design)
    largest = max((*design.sizes, *design.buffer_totals), default=0)
    if largest >= MOST_SIZE:
        raise UsageError(f"--sizes {largest}: the sizes are below 2^50 bytes")


def check_takers(design: BenchDesign, given: Iterable[str]) -> None:
    """Options that no chosen collective takes.

    Args: given are the fields that a person named; those of a preset are for whom they concern.
    Raises: UsageError naming the first.
    """
    named = set(given)
    chosen = set(design.collectives)
    takers = (
        ("counts", IRREGULAR, "has counts for each rank", set(design.counts) != {"uniform"}),
        ("root_ranks", ROOTED, "has a root", True),
        ("operations", REDUCTIONS, "combines anything", True),
    )
    for field, who, what, matters in takers:
        if field in named and matters and not chosen & who:
            raise UsageError(
                f"--{field.replace('_', '-')}: none of {', '.join(design.collectives)} {what}; "
                "leave it out or add a collective"
            )


def check_ranks(design: BenchDesign, numbers: Sequence[int]) -> None:
    """Root ranks that nobody is, and products of sizes that 63 bits do not hold.

    Args: numbers of ranks.
    Raises: UsageError.
    """
    most = max(numbers)
    for root in design.root_ranks:
        if not 0 <= root < most:
            raise UsageError(f"--root-ranks {root}: ranks are 0 to {most - 1}; correct it")
    if set(design.collectives) <= WITHOUT_SIZE:
        return
    largest = max((size for sizes in (design.sizes, *design.some_sizes.values()) for size in sizes),
                  default=0)  # fmt: skip
    if largest * most * most * 4 > MOST_BYTES:
        raise UsageError(
            f"--sizes {largest}: buffers of {most} ranks for {most} ranks are more bytes than 63 "
            "bits count; take a smaller one"
        )


def check_algorithms(design: BenchDesign, families: Iterable[Family], own: ByName) -> None:
    """Names that no chosen collective has in any chosen library, nor among one's own.

    Raises: UsageError.
    """
    chosen = set(design.collectives)
    known = {name: None for name, collectives in own.items() if chosen.intersection(collectives)}
    values: set[str] = {OWN} if known else set()
    for family in families:
        for name in design.collectives:
            there = algorithms_of(family, name)
            known |= {algorithm.name: None for algorithm in there}
            values |= {algorithm.value for algorithm in there}
    for word in design.algorithms:
        if word not in (*known, *values, "all", "none"):
            names = ", ".join((*known, "all", OWN, "none"))
            raise UsageError(f"--algorithms {word} is none of these collectives; there are {names}")


def is_planned(plan: BenchPlan, wanted: str) -> bool:
    """Whether a benchmark has the cell that ``COLLECTIVE[:SIZE[:ALGORITHM]]`` names."""
    words = wanted.split(":")
    return any(_is_named(cell, words) for arm in plan.arms for cell in arm.cells)


def _is_named(cell: Cell, words: Sequence[str]) -> bool:
    choice = cell.algorithm.name if cell.algorithm else "default"
    if [cell.collective, str(cell.size_bytes), choice][: len(words)] != list(words):
        return False
    if len(words) < 2 and cell.collective not in WITHOUT_SIZE:
        return False
    return len(words) > 2 or cell.algorithm is None


def _known(option: str, words: Iterable[str], known: Sequence[str]) -> None:
    for word in words:
        if word not in known:
            raise UsageError(f"--{option} {word} is not known; there are {', '.join(known)}")


def _check_counts(counts: str) -> None:
    kind, colon, rest = counts.partition(":")
    if counts == "uniform":
        return
    makes: dict[str, Callable[[str], float]] = {"zipf": float, "sparse": int, "block": int}
    if kind not in makes or not colon:
        raise UsageError(f"--counts {counts} is not known; there are {COUNTS}")
    least = 0 if kind == "zipf" else 1
    number = _number(rest, makes[kind])
    if number is None or not least <= number <= MOST_NUMBER:
        raise UsageError(f"--counts {counts}: behind {kind} stands a number from {least}")


def _check_arrival(pattern: str, alignment: Sequence[str]) -> None:
    if pattern == "zero":
        return
    name, _, rest = pattern.partition(":")
    delay = _number(rest, float)
    if name not in ("linear", "one-late") or delay is None or not 0 <= delay <= LATEST_MICROSECONDS:
        raise UsageError(
            f"--arrival {pattern}: write zero, linear:D or one-late:D with D from 0 to "
            f"{LATEST_MICROSECONDS:.0f} microseconds"
        )
    if set(alignment) != {"roundtime"}:
        raise UsageError(f"--arrival {pattern} needs --alignment roundtime, and that alone")


def _number(text: str, kind: Callable[[str], float]) -> float | None:
    """None for what is none, and for what is not finite."""
    try:
        value = kind(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _check_operations(design: BenchDesign) -> None:
    if not REDUCTIONS & set(design.collectives):
        return
    datatypes = design.datatypes or ("double",)
    for operation in design.operations:
        if not any(is_defined(operation, datatype) for datatype in datatypes):
            raise UsageError(
                f"--operations {operation}: MPI defines no {operation} of {', '.join(datatypes)}; "
                "take another operation or datatype"
            )
