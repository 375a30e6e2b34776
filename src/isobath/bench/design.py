# SPDX-License-Identifier: Apache-2.0
"""From a design to cells: collectives, forms, sizes, every other setting; all combinations once."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from isobath.bench.plan import Cell
from isobath.errors import UsageError
from isobath.records.collective import COLLECTIVE_NAMES, CollectiveName

MPI_2_1: tuple[CollectiveName, ...] = COLLECTIVE_NAMES[:16]
"""The 16 collective calls of MPI-2.1."""

FORMS = ("blocking", "nonblocking", "persistent")
WITHOUT_SIZE = frozenset({"barrier"})
REDUCTIONS = frozenset(
    {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}
)
ROOTED = frozenset({"bcast", "gather", "gatherv", "scatter", "scatterv", "reduce"})
IRREGULAR = frozenset({"alltoallv", "alltoallw", "allgatherv", "gatherv", "scatterv"})
"""Collectives that take a count for each rank; counts other than uniform are for these."""

NEIGHBOURS = frozenset(name for name in COLLECTIVE_NAMES if name.startswith("neighbor_"))

WIDTHS = {
    "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "float": 4,
    "double": 8,
}  # fmt: skip
"""bytes of a datatype, where it is more than one"""

DATATYPES = ("byte", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
             "float", "double")  # fmt: skip
BITWISE = ("band", "bor", "bxor")
ARITHMETIC = ("sum", "prod", "min", "max")
OPERATIONS = (*ARITHMETIC, *BITWISE, "land", "lor", "lxor")

MOST_CELLS = 20_000

GIB = 1 << 30


@dataclass(frozen=True)
class BenchDesign:
    """What a person asked for: every tuple is a factor."""

    collectives: tuple[str, ...] = MPI_2_1
    forms: tuple[str, ...] = ("blocking",)
    sizes: tuple[int, ...] = ()
    shapes: tuple[str, ...] = ()
    """empty: all ranks in a row"""
    along: tuple[str, ...] = ("world",)
    together: tuple[bool, ...] = (False,)
    counts: tuple[str, ...] = ("uniform",)
    datatypes: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    root_ranks: tuple[int, ...] = ()
    buffers: tuple[str, ...] = ("warm",)
    cadence: tuple[str, ...] = ("isolated",)
    alignment: tuple[str, ...] = ("barrier:dissemination",)
    arrival: tuple[str, ...] = ("zero",)
    algorithms: tuple[str, ...] = ()
    """names, "all" of the library, "own"; empty leaves the choice to the library"""
    algorithm_sizes: tuple[int, ...] = ()
    """of forced algorithms; empty: all"""
    buffer_totals: tuple[int, ...] = ()
    """bytes of the buffer of one rank, shared by its peers, instead of sizes"""
    ranks: tuple[int, ...] = ()
    """empty: one for each processor, two at least"""
    some_sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """sizes of forms that have fewer"""

    def checked(self) -> "BenchDesign":
        """Itself. Raises: UsageError naming the first word that there is not."""
        _check("collectives", self.collectives, COLLECTIVE_NAMES)
        _check("forms", self.forms, FORMS)
        _check("buffers", self.buffers, ("warm", "offcache", "dirty"))
        _check("cadence", self.cadence, ("isolated", "streaming"))
        if any(size < 0 for size in self.sizes):
            raise UsageError("sizes: a size is not negative; write for example 1:1M")
        return self


def _check(option: str, given: Iterable[str], known: Sequence[str]) -> None:
    for word in given:
        if word not in known:
            raise UsageError(f"--{option} {word} is not known; there are {', '.join(known)}")


def cells_of(design: BenchDesign, ranks: int) -> tuple[Cell, ...]:
    """Every cell of a design on so many ranks, without forced algorithms, none twice.

    What a collective does not have is left out: the size of a barrier, the operation of a gather,
    irregular counts of a bcast, a reduction of half an element, a sum of bytes.

    Raises: UsageError where a shape does not have that many ranks, or there are too many cells.
    """
    cells: dict[Cell, None] = {}
    for name, form in itertools.product(design.collectives, design.forms):
        for size in _sizes(design, name, form, ranks):
            for cell in _variants(design, name, ranks):
                if not (_is_whole(cell, size) and _has_operation(cell)):
                    continue
                cells[cell.model_copy(update={"form": form, "size_bytes": size})] = None
                if len(cells) > MOST_CELLS:
                    raise UsageError(
                        f"the benchmark has more than {MOST_CELLS} cells; take fewer values"
                    )
    return tuple(cells)


def _is_whole(cell: Cell, size: int) -> bool:
    """Whether a reduction has whole elements; without a datatype the program takes doubles."""
    return cell.collective not in REDUCTIONS or size % WIDTHS.get(cell.datatype or "double", 1) == 0


def is_defined(operation: str, datatype: str) -> bool:
    """Whether MPI defines an operation of a datatype."""
    if datatype == "byte":
        return operation in BITWISE
    return datatype not in ("float", "double") or operation in ARITHMETIC


def _has_operation(cell: Cell) -> bool:
    """Whether a reduction is defined; without a datatype the program takes doubles, and sums."""
    if cell.collective not in REDUCTIONS:
        return True
    return is_defined(cell.operation or "sum", cell.datatype or "double")


def _sizes(design: BenchDesign, name: str, form: str, ranks: int) -> tuple[int, ...]:
    if name in WITHOUT_SIZE:
        return (0,)
    if design.buffer_totals:
        return tuple(total // ranks for total in design.buffer_totals)
    return design.some_sizes.get(form, design.sizes)


def _variants(design: BenchDesign, name: str, ranks: int) -> Iterator[Cell]:
    shapes = design.shapes or (str(ranks),)
    for shape in shapes:
        if math.prod(map(int, shape.split("x"))) != ranks:
            raise UsageError(f"--shapes {shape}: that is not {ranks} ranks; correct one")
    counts = design.counts if name in IRREGULAR else ("uniform",)
    operations: tuple[str | None, ...] = design.operations if name in REDUCTIONS else ()
    datatypes: tuple[str | None, ...] = design.datatypes
    roots: tuple[int | None, ...] = design.root_ranks if name in ROOTED else ()
    for choice in itertools.product(
        shapes,
        design.along,
        design.together,
        counts,
        datatypes or (None,),
        operations or (None,),
        roots or (None,),
        design.buffers,
        design.cadence,
        design.alignment,
        design.arrival,
    ):
        names = ("shape", "along", "together", "counts", "datatype", "operation", "root_rank")
        more = ("buffers", "cadence", "alignment", "arrival")
        settings = dict(zip((*names, *more), choice, strict=True))
        if settings["along"] != "world" and "x" not in str(settings["shape"]):
            continue  # a row has no rows
        if settings["together"] and settings["along"] == "world":
            continue  # there is only one world
        yield Cell.model_validate({"collective": name, **settings})


def ranks_of(cell: Cell) -> int:
    """Ranks of one of its communicators."""
    extents = [int(word) for word in cell.shape.split("x")]
    if cell.along == "world":
        return math.prod(extents)
    dimension = int({"col": "0", "row": "1"}.get(cell.along, cell.along))
    return extents[dimension] if dimension < len(extents) else math.prod(extents)
