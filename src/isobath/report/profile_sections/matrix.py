# SPDX-License-Identifier: Apache-2.0
"""Who sends how much to whom."""

from isobath.report import matrix_charts
from isobath.report.profile_data import ProfileData
from isobath.report.race_communication import Cells
from isobath.report.race_marks import Heat
from isobath.report.race_sections.traffic import MOST, summed
from isobath.report.wording import count_of, percent, significant
from isobath.units import format_bytes
from isobath.view.content import Figure, Section, Table, columns, nothing

TITLE = "Who sends to whom"

PAIRS = 16
"""rows of the table of pairs"""


def render(data: ProfileData) -> Section:
    """A matrix of bytes for each class of traffic, and the heaviest pairs."""
    ranks = data.profile.whole.ranks
    heats = []
    for one in data.profile.matrices:
        sent = dict(zip(zip(one.sender, one.receiver, strict=True), one.bytes_sent, strict=True))
        cells = grouped(sent, ranks)
        largest = max(map(max, cells))
        if largest:
            title = one.traffic.replace("_", " ")
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
    note = f" Ranks are summed in groups to at most {MOST} rows." if ranks > MOST else ""
    figure = Figure(
        matrix_charts.matrices(heats),
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
    return Section("matrix", TITLE, (figure,), lead=lead(data, whole))


def grouped(sent: dict[tuple[int, int], int], ranks: int) -> Cells:
    """The matrix, of many ranks in groups of equal size."""
    full = tuple(
        tuple(sent.get((sender, receiver), 0) for receiver in range(ranks))
        for sender in range(ranks)
    )
    if ranks <= MOST:
        return full
    width = -(-ranks // MOST)
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
