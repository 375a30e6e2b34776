# SPDX-License-Identifier: Apache-2.0
"""Who sends how much to whom: a matrix of bytes and one of messages for every plan."""

from collections.abc import Sequence

from isobath.report.race_cell import RacedCell
from isobath.report.race_communication import MOST_ROWS, Cells, TrafficMatrix, matrix_of, summed
from isobath.report.race_data import RaceData
from isobath.report.race_marks import Heat, MatrixChart
from isobath.report.wording import compact, count_of, listing, percent
from isobath.units import format_bytes
from isobath.view.content import Block, Figure, Section, Table, columns, nothing

TITLE = "Who sends to whom"


def render(race: RaceData) -> Section:
    """Matrices between ranks; folded by node where there is more than one node."""
    pairs = [(cell, matrix_of(cell.first.records, "search")) for cell in race.profiled]
    known = [(cell, matrix) for cell, matrix in pairs if matrix is not None and total(matrix.bytes)]
    if not known:
        return nothing("traffic", TITLE, "No run of this race carries who sent to whom.")
    blocks: list[Block] = [_figure(race, known)]
    folded = [(cell, by_node(cell, matrix)) for cell, matrix in known if cell.nodes > 1]
    if folded:
        blocks.append(_folded_figure(race, folded))
    return Section("traffic", TITLE, tuple(blocks), lead=caption(known))


def total(cells: Cells) -> int:
    """The sum of a matrix."""
    return sum(map(sum, cells))


def by_node(cell: RacedCell, matrix: TrafficMatrix) -> TrafficMatrix:
    """The matrix between nodes; one that the records folded already stays as it is."""
    places = cell.node_of_rank
    if matrix.unit == "node" or len(places) != len(matrix.bytes):
        return matrix
    return TrafficMatrix(
        "node",
        summed(matrix.bytes, places.__getitem__, cell.nodes),
        summed(matrix.messages, places.__getitem__, cell.nodes),
    )


def caption(known: Sequence[tuple[RacedCell, TrafficMatrix]]) -> str:
    """One sentence: who talks to how many, and how uneven it is."""
    partners = {cell.plan: _partners(matrix.bytes) for cell, matrix in known}
    fewest = min(partners, key=lambda plan: partners[plan])
    most = max(partners, key=lambda plan: partners[plan])
    ranks = known[0][0].ranks
    if partners[fewest] == partners[most]:
        return (
            f"Of {count_of(ranks, 'rank')} each sends to {partners[most]:.3g} others on average, "
            "whatever the plan."
        )
    return (
        f"Of {count_of(ranks, 'rank')} each sends to {partners[fewest]:.3g} others on average "
        f"under {fewest}, and to {partners[most]:.3g} under {most}."
    )


def _partners(cells: Cells) -> float:
    """To how many others a rank sends, mean over ranks."""
    return sum(
        value > 0 for i, row in enumerate(cells) for j, value in enumerate(row) if i != j
    ) / len(cells)


def grouped(cell: RacedCell, cells: Cells) -> tuple[Cells, tuple[int, ...]]:
    """At most ``MOST_ROWS`` rows, and the rows at which a node begins."""
    size = len(cells)
    if size > MOST_ROWS:
        width = -(-size // MOST_ROWS)
        return summed(cells, lambda rank: rank // width, -(-size // width)), ()
    places = cell.node_of_rank
    if len(places) != size:
        return cells, ()
    return cells, tuple(i for i in range(1, size) if places[i] != places[i - 1])


def _figure(race: RaceData, known: Sequence[tuple[RacedCell, TrafficMatrix]]) -> Figure:
    heats, rows = [], []
    for cell, matrix in known:
        heats += _heats(cell, matrix)
        rows += _rows(cell, matrix)
    grouped = max(len(matrix.bytes) for _, matrix in known) > MOST_ROWS
    note = f" Ranks are summed in groups to at most {MOST_ROWS} rows." if grouped else ""
    lines = " Lines part the nodes." if any(cell.nodes > 1 for cell, _ in known) else ""
    units = {matrix.unit for _, matrix in known}
    return Figure(
        MatrixChart(tuple(heats), race.words),
        f"Bytes and messages of all searches from each {listing(sorted(units))} (row) to each "
        f"(column); the strongest colour of each matrix is its largest value.{lines}{note}",
        table=Table(
            "The heaviest pairs in numbers",
            columns("=plan", "#from", "#to", "#bytes", "#messages", "#of all bytes"),
            tuple(rows),
            folded=True,
        ),
        title=f"Between {listing(f'{unit}s' for unit in sorted(units))}",
    )


def _heats(cell: RacedCell, matrix: TrafficMatrix) -> list[Heat]:
    """Bytes and messages; the title says what the strongest colour stands for."""
    sent, cuts = grouped(cell, matrix.bytes)
    messages, _ = grouped(cell, matrix.messages)
    return [
        Heat((cell.plan, "bytes", f"up to {format_bytes(max(map(max, sent)))}"), sent, cuts),
        Heat((cell.plan, "messages", f"up to {compact(max(map(max, messages)))}"), messages, cuts),
    ]


def _rows(cell: RacedCell, matrix: TrafficMatrix, most: int = 8) -> list[tuple[str, ...]]:
    pairs = [
        (value, i, j) for i, row in enumerate(matrix.bytes) for j, value in enumerate(row) if value
    ]
    whole = total(matrix.bytes)
    return [
        (
            cell.plan,
            str(i),
            str(j),
            f"{value:,}",
            f"{matrix.messages[i][j]:,}",
            percent(value / whole),
        )
        for value, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))[:most]
    ]


def _folded_figure(race: RaceData, folded: Sequence[tuple[RacedCell, TrafficMatrix]]) -> Figure:
    heats = [heat for cell, matrix in folded for heat in _heats(cell, matrix)]
    rows, shares = [], {}
    for cell, matrix in folded:
        whole = total(matrix.bytes)
        inside = sum(matrix.bytes[i][i] for i in range(len(matrix.bytes)))
        shares[cell.plan] = 1 - inside / whole
        loads = [sum(v for j, v in enumerate(row) if j != i) for i, row in enumerate(matrix.bytes)]
        searches = max(1, len(cell.first.data.searches))
        rows.append(
            (cell.plan, str(cell.nodes), f"{inside:,}", f"{whole - inside:,}",
             percent(shares[cell.plan]), format_bytes(max(loads) / searches))
        )  # fmt: skip
    pretended = any(cell.first.records.run.node_map_is_override for cell, _ in folded)
    most = max(shares, key=lambda plan: shares[plan])
    mark = " The nodes are pretended: an override says which rank is where." if pretended else ""
    return Figure(
        MatrixChart(tuple(heats), race.words),
        f"The same folded by node; {percent(shares[most])} of the bytes of {most} leave "
        f"their node, the largest share of all plans.{mark}",
        table=Table(
            "Load of the nodes",
            columns("=plan", "#nodes", "#inside, bytes", "#between nodes, bytes", "#share",
                    "#busiest node sends per search"),
            tuple(rows),
        ),
        title="Between nodes",
    )  # fmt: skip
