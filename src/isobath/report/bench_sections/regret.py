# SPDX-License-Identifier: Apache-2.0
"""What the library's choice loses against the best algorithm, and the file that would mend it."""

from isobath.report.bench_data import BenchData
from isobath.report.marks import HeatCell, HeatMap
from isobath.report.wording import count_of, percent
from isobath.units import format_seconds, size_words
from isobath.view.content import Block, Figure, Preformatted, Section, Table, columns, nothing

TITLE = "Regret of the default"

DARKEST = 1.0
"""Regret from which on a field has the full colour: twice the time."""


UNCLEAR = 0.25
"""share of the colour where the intervals touch"""


def render(bench: BenchData) -> Section:
    """Heat map of collective and size, the table behind it, and rule files."""
    if not bench.regrets:
        return nothing(
            "regret", TITLE, "No algorithm was forced, so there is nothing to compare with."
        )
    blocks: list[Block] = [_figure(bench)]
    blocks += [
        Preformatted(f"{rule.name} for {rule.mpi}: {rule.how}", rule.text, wrapped=True)
        for rule in bench.rules
    ]
    return Section("regret", TITLE, tuple(blocks))


def lead(bench: BenchData) -> str:
    """How often another algorithm is clearly faster, and where most."""
    clear = [regret for regret in bench.regrets if regret.is_clear]
    total = count_of(len(bench.regrets), "default")
    if not clear:
        return f"None of {total} loses clearly against an algorithm that can be forced."
    worst = max(clear, key=lambda regret: regret.loss)
    under = bench.under(worst.default)
    return (
        f"{len(clear)} of {total} lose clearly; {worst.default.cell.collective} at "
        f"{size_words(worst.default.cell.size_bytes)}{f' under {under}' if under else ''} most, "
        f"{percent(worst.loss)} more time than "
        f"with {worst.best.choice}."
    )


def _figure(bench: BenchData) -> Figure:
    several = bench.measured.has_several
    names: dict[str, int] = {}
    sizes: dict[int, int] = {}
    for regret in bench.regrets:
        cell = regret.default.cell
        name = f"{cell.collective}, {regret.default.arm.where}" if several else cell.collective
        names.setdefault(name, len(names))
        sizes[cell.size_bytes] = 0
    for number, size in enumerate(sorted(sizes)):
        sizes[size] = number
    fields: dict[tuple[int, int], HeatCell] = {}
    for regret in bench.regrets:
        cell = regret.default.cell
        name = f"{cell.collective}, {regret.default.arm.where}" if several else cell.collective
        strength = min(1.0, regret.loss / DARKEST) * (1.0 if regret.is_clear else UNCLEAR)
        row, column = names[name], sizes[cell.size_bytes]
        per_cent = f"{100 * regret.loss:.0f}"
        text = per_cent + ("" if regret.is_clear or per_cent == "0" else "?")
        field = HeatCell(row, column, strength, text)
        if (row, column) not in fields or field.strength > fields[row, column].strength:
            fields[row, column] = field
    heat = HeatMap(
        tuple(names), tuple(size_words(size) for size in sorted(sizes)), tuple(fields.values()),
        "size", bench.words,
    )  # fmt: skip
    return Figure(
        heat,
        f"{lead(bench)} In each field how many per cent longer the library's own choice takes than "
        "the fastest forced algorithm; 0 where it is as fast, ? where the intervals touch or the "
        "loss is below 5 %.",
        table=_table(bench),
    )


def _table(bench: BenchData) -> Table:
    rows = tuple(
        (
            case.default.cell.words(), case.default.arm.where, format_seconds(case.default.seconds),
            case.best.choice, format_seconds(case.best.seconds), percent(case.loss),
            "yes" if case.is_clear else "no", str(case.tried),
        )
        for case in sorted(bench.regrets, key=lambda case: -case.loss)
    )  # fmt: skip
    return Table(
        "In numbers",
        columns("cell", "=library", "#default", "best algorithm", "#its time", "#regret",
                "clear", "#tried"),
        rows,
        folded=True,
    )  # fmt: skip
