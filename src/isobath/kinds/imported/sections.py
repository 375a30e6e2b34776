# SPDX-License-Identifier: Apache-2.0
"""What was imported, as sections."""

from collections.abc import Iterator
from statistics import median

from isobath.compared.wording import value_words
from isobath.kinds.imported.cells import cells_of
from isobath.kinds.imported.model import ImportedResult
from isobath.report.wording import count_of, listing
from isobath.view.content import Fact, Facts, Section, Table, columns, first_rows

LABELS = ("IMPORTED",)
MOST_ROWS = 60


def notices_of(result: ImportedResult) -> tuple[str, ...]:
    """That nobody here measured it."""
    files = listing([source.file for source in result.sources])
    return (
        f"IMPORTED from {files}: {listing(result.programs)} measured it, not Isobath; what is not "
        "in the file is not known.",
        *result.remarks,
    )


def sections_of(result: ImportedResult) -> Iterator[Section]:
    """Where it comes from, and all values."""
    yield _sources(result)
    yield _values(result)


def _sources(result: ImportedResult) -> Section:
    facts = [Fact("program", listing(result.programs))]
    facts += [Fact("MPI", result.mpi or "not known", "as whoever imported it says")]
    facts += [Fact("machine", result.where or "not known")]
    heads = columns("file", "=program", "#values", "=SHA-256")
    rows = tuple(
        (source.file, listing(source.programs), str(source.values), source.sha256[:16])
        for source in result.sources
    )
    table = Table("Files that were read", heads, rows, measured=False)
    blocks = (Facts(tuple(facts), style="pairs"), table)
    return Section("sources", "Where it comes from", blocks, measured=False)


def _values(result: ImportedResult) -> Section:
    cells = list(cells_of(result))
    rows = [
        (cell.title, dict(cell.bound)["program"], dict(cell.bound).get("ranks", ""),
         value_words(median(taken.value for taken in cell.taken), cell.scale), str(len(cell.taken)),
         cell.trouble)
        for cell in cells
    ]  # fmt: skip
    first, left_out = first_rows(rows, MOST_ROWS, "--view all, --json")
    heads = columns("what", "program", "#ranks", "#median", "#launches", "remark")
    lead = f"{count_of(len(cells), 'cell')}; medians over launches."
    blocks = [Table("Values", heads, first, left_out=left_out)]
    if left_out:
        blocks.append(Table("All values", heads, tuple(rows), folded=True))
    return Section("values", "What was measured", tuple(blocks), lead=lead)
