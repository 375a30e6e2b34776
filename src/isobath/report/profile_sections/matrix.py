# SPDX-License-Identifier: Apache-2.0
"""Who sends how much to whom."""

from isobath.report.profile_data import ProfileData
from isobath.report.race_communication import MOST_ROWS, Cells, summed
from isobath.report.race_marks import Heat, MatrixChart
from isobath.report.wording import count_of, percent, significant
from isobath.units import format_bytes
from isobath.view.content import Block, Figure, Section, Table, columns, nothing

TITLE = "Who sends to whom"

PAIRS = 20
"""rows of the table of pairs"""

MOST_COLUMNS = 8
"""ranks whose matrix is a table, too"""


def render(data: ProfileData) -> Section:
    """A matrix of bytes for each class of traffic, and the heaviest pairs."""
    ranks = data.profile.whole.ranks
    heats = []
    for matrix in data.profile.matrices:
        sent = dict(
            zip(zip(matrix.sender, matrix.receiver, strict=True), matrix.bytes_sent, strict=True)
        )
        cells = grouped(sent, ranks)
        largest = max(map(max, cells))
        if largest:
            title = matrix.traffic.replace("_", " ")
            heats.append(Heat((title, f"up to {format_bytes(largest)}"), cells))
    pairs = sorted(data.profile.sent().items(), key=lambda item: (-item[1], item[0]))
    pairs = [(pair, size) for pair, size in pairs if size > 0]
    if not heats:
        return nothing("matrix", TITLE, "No rank sent bytes to another.")
    whole = sum(size for _, size in pairs)
    rows = tuple(
        (str(sender), str(receiver), f"{size:,}", percent(size / whole))
        for (sender, receiver), size in pairs[:PAIRS]
    )
    note = f" Ranks are summed in groups to at most {MOST_ROWS} rows." if ranks > MOST_ROWS else ""
    figure = Figure(
        MatrixChart(tuple(heats)),
        "Bytes from each rank (row) to each (column) over the whole program; the strongest colour "
        f"of each matrix is its largest value.{note}",
        table=Table(
            "The heaviest pairs",
            columns("#from", "#to", "#bytes", "#of all bytes"),
            rows,
            folded=True,
            left_out=f"{len(pairs) - PAIRS:,} more pairs stand in records.jsonl."
            if len(pairs) > PAIRS
            else "",
        ),
    )
    blocks: list[Block] = [figure]
    if ranks <= MOST_COLUMNS:
        blocks.append(_table(data.profile.sent(), ranks))
    return Section("matrix", TITLE, tuple(blocks), lead=lead(data, whole))


def _table(sent: dict[tuple[int, int], int], ranks: int) -> Table:
    rows = (
        (str(sender), *(_bytes(sent.get((sender, receiver), 0)) for receiver in range(ranks)))
        for sender in range(ranks)
    )
    return Table(
        "Bytes from rank (row) to rank",
        columns("#from", *(f"#to {rank}" for rank in range(ranks))),
        tuple(rows),
        folded=True,
    )


def _bytes(size: int) -> str:
    return format_bytes(size) if size else ""


def grouped(sent: dict[tuple[int, int], int], ranks: int) -> Cells:
    """The matrix, of many ranks in groups of equal size."""
    full = tuple(
        tuple(sent.get((sender, receiver), 0) for receiver in range(ranks))
        for sender in range(ranks)
    )
    if ranks <= MOST_ROWS:
        return full
    width = -(-ranks // MOST_ROWS)
    return summed(full, lambda rank: rank // width, -(-ranks // width))


def lead(data: ProfileData, whole: int) -> str:
    """To how many others a rank sends, and how uneven it is."""
    sent = {pair: size for pair, size in data.profile.sent().items() if size > 0}
    ranks = data.profile.whole.ranks
    partners = sum(sender != receiver for sender, receiver in sent) / ranks
    of_ranks = [
        sum(size for (sender, _), size in sent.items() if sender == rank) for rank in range(ranks)
    ]
    others = f"{partners:.0f}" if partners == int(partners) else significant(partners, 2)
    return (
        f"Of {count_of(ranks, 'rank')} each sends to {others} "
        f"other{'' if partners == 1 else 's'} on average; "
        f"who sends most sends {significant(max(of_ranks) * ranks / whole, 3)} times the mean."
    )
