# SPDX-License-Identifier: Apache-2.0
"""One file of C that measures one cell again, for those who will not install Isobath."""

from collections.abc import Mapping, Sequence

from isobath.bench.algorithms import environment_of
from isobath.bench.counts import byte_matrices, communicators_of
from isobath.bench.measured import MeasuredCell
from isobath.bench.reproducer_text import ARGUMENTS, PROGRAM
from isobath.errors import UsageError

TYPES = {
    "byte": ("MPI_BYTE", 1), "int8": ("MPI_INT8_T", 1), "uint8": ("MPI_UINT8_T", 1),
    "int16": ("MPI_INT16_T", 2), "uint16": ("MPI_UINT16_T", 2), "int32": ("MPI_INT32_T", 4),
    "uint32": ("MPI_UINT32_T", 4), "int64": ("MPI_INT64_T", 8), "uint64": ("MPI_UINT64_T", 8),
    "float": ("MPI_FLOAT", 4), "double": ("MPI_DOUBLE", 8),
}  # fmt: skip

LARGEST_COUNT = 2**31 - 1

MOST_ENTRIES = 1 << 16
"""of the tables of counts in a file"""


def reproducer(
    measured: MeasuredCell,
    library: str,
    matrices: Mapping[str, Sequence[Sequence[int]]] | None = None,
) -> str:
    """The program of a cell: with its counts, in its form, on its communicators.

    Args: library is what the MPI library says of itself; matrices those of recorded counts.
    Raises: UsageError where the counts are too large for a file or for 31 bits.
    """
    cell = measured.cell
    groups = communicators_of(cell)
    taking_part = groups if cell.together else groups[:1]
    tables = byte_matrices(cell, measured.first.datatype, matrices or {})
    uniform = cell.counts == "uniform"
    _refuse_large(measured, tables, uniform=uniform)
    type_name, width = TYPES[measured.first.datatype]
    before, call, after = _call(cell.collective, cell.form)
    extents = [int(word) for word in cell.shape.split("x")]
    of_one = extents if cell.along == "world" else [len(groups[0])]
    place = {rank: (colour, key) for colour, group in enumerate(groups)
             for key, rank in enumerate(group)}  # fmt: skip
    return PROGRAM.substitute(
        words=_comment(cell.words()),
        library=_comment(library),
        median=f"{measured.seconds * 1e6:.3f}" if measured.is_result else "of no result",
        launches=len(measured.launches),
        environment=_comment(_environment(measured)),
        otherwise=_comment(_otherwise(measured)),
        world=len(place),
        ranks=len(groups[0]),
        groups=len(taking_part),
        colours=", ".join(str(place[rank][0]) for rank in sorted(place)),
        keys=", ".join(str(place[rank][1]) for rank in sorted(place)),
        dimensions=len(of_one),
        # MPI varies the last dimension fastest, shapes the first.
        extents=", ".join(map(str, reversed(of_one))),
        neighbours="1" if cell.collective.startswith("neighbor_") else "0",
        dirty="1" if cell.buffers == "dirty" else "0",
        table="" if uniform else _table(tables),
        bytes_from_to="m" if uniform else "BYTES[group_number][from][to]",
        repetitions=max(101, min(1000, measured.first.repetitions)),
        root=measured.first.root_rank or 0,
        type=type_name,
        width=width,
        operation=f"MPI_{(measured.first.operation or 'sum').upper()}",
        size=cell.size_bytes,
        before=before,
        call=call,
        after=after,
    )


def _refuse_large(
    cell: MeasuredCell, tables: Sequence[Sequence[Sequence[int]]], *, uniform: bool
) -> None:
    ranks = len(tables[0])
    largest = max(
        (max(map(sum, (*table, *zip(*table, strict=True)))) for table in tables), default=0
    )
    if max(largest, cell.cell.size_bytes * ranks) > LARGEST_COUNT:
        raise UsageError(
            f"{cell.cell.words()}: its counts need more than 31 bits; take a smaller size"
        )
    if not uniform and len(tables) * ranks * ranks > MOST_ENTRIES:
        raise UsageError(
            f"{cell.cell.words()}: its counts have more than {MOST_ENTRIES:,} entries; take fewer "
            "ranks"
        )


def _call(collective: str, form: str) -> tuple[str, str, str]:
    """What is done before all repetitions, in each, and after them."""
    arguments = ARGUMENTS[collective]
    words = f"{arguments}, comm" if arguments else "comm"
    wait = "MPI_Wait(&request, MPI_STATUS_IGNORE);"
    name = collective.capitalize()
    if form == "nonblocking":
        return "", f"MPI_I{collective}({words}, &request);\n    {wait}", ""
    if form == "persistent":
        begin = f"MPI_{name}_init({words}, MPI_INFO_NULL, &request);"
        return begin, f"MPI_Start(&request);\n    {wait}", "MPI_Request_free(&request);"
    return "", f"MPI_{name}({words});", ""


def _table(tables: Sequence[Sequence[Sequence[int]]]) -> str:
    """BYTES[group][sender][receiver]."""
    groups = []
    for table in tables:
        rows = ",\n   ".join("{" + ", ".join(map(str, row)) + "}" for row in table)
        groups.append("{" + rows + "}")
    return "static const int BYTES[GROUPS][RANKS][RANKS] = {\n  " + ",\n  ".join(groups) + "};\n"


def _environment(measured: MeasuredCell) -> str:
    """Without which another algorithm is taken."""
    forced = measured.cell.algorithm
    if forced is None:
        return ""
    if forced.is_own:
        return f"; there {forced.name} was called, here the library's function"
    variables = dict(measured.arm.environment)
    if forced.in_process:
        told = forced.model_copy(update={"in_process": False})
        variables = environment_of(measured.arm.family, (told,))
    return "; set " + " ".join(f"{name}={value}" for name, value in sorted(variables.items()))


def _otherwise(measured: MeasuredCell) -> str:
    """What the program does in another way than the cell was measured."""
    cell, differences = measured.cell, []
    if cell.buffers == "offcache":
        differences.append("buffers are the same every time")
    if cell.cadence != "isolated":
        differences.append("ranks are aligned before each call")
    if cell.arrival != "zero":
        differences.append("all ranks start together")
    if differences:
        return f"Unlike there, {' and '.join(differences)} here."
    return "Alignment is that of two MPI_Barrier."


def _comment(text: str) -> str:
    """Text that cannot end the comment it stands in."""
    return " ".join(text.replace("*/", "* /").split())
