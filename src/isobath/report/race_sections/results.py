# SPDX-License-Identifier: Apache-2.0
"""Every cell in one table, with what each factor changes; libraries and transports side by side."""

from collections.abc import Sequence

from isobath.race.comparisons import left_aside
from isobath.report.race_cell import RacedCell, speed_ratio
from isobath.report.race_data import WHOSE, RaceData
from isobath.report.race_marks import Curve, CurveChart, Plot, Spot, linear_axis, log_axis
from isobath.report.race_sections.cell_words import (
    audit_of,
    bytes_of_rank,
    memory_of,
    share_in_mpi,
)
from isobath.report.race_sections.factor_changes import changes_table
from isobath.report.race_wording import change, plan_colour, plan_place, plan_shape, with_interval
from isobath.report.wording import count_of, gteps, listing, milliseconds, significant
from isobath.stats.ratios import Ratio
from isobath.units import format_bytes, format_seconds
from isobath.view.content import (
    Block,
    Column,
    Figure,
    Legend,
    Link,
    Links,
    Paragraph,
    Section,
    Table,
    columns,
    first_rows,
    nothing,
)

TITLE = "All results"

SHOWN_ROWS, SHOWN_LINKS = 512, 256

MOST_KEYS = 4
"""columns that name a row; of more, a terminal repeats the name of the cell alone"""


def render(race: RaceData) -> Section:
    """The table of all cells, then libraries and transports, then scale where it is a factor."""
    if not race.done:
        return nothing("results", TITLE, "No cell of this race has a completed search.")
    blocks: list[Block] = [
        _table(race),
        *changes_table(race.changes),
        *_scale_figure(race),
        *_libraries(race),
    ]
    links = tuple(
        Link(run.records.run.run_id, run.link)
        for cell in race.done
        for run in cell.runs
        if run.link
    )
    if links:
        blocks.append(Links("Raw lines of every run", links[:SHOWN_LINKS]))
    if len(links) > SHOWN_LINKS:
        blocks.append(Paragraph(f"{len(links) - SHOWN_LINKS:,} more runs lie beside these."))
    return Section("results", TITLE, tuple(blocks), lead=caption(race))


def varied(race: RaceData) -> tuple[str, ...]:
    """Factors with more than one value, the plan and the ranks apart."""
    return tuple(name for name in race.other_factors if name in race.factors)


def reference(race: RaceData, cell: RacedCell, factor: str) -> RacedCell | None:
    """The cell that differs from this one in nothing but ``factor``, which has its first value."""
    values = race.factors.get(factor, ())
    if not values or factor not in cell.factors or cell.factors[factor] == values[0]:
        return None
    wanted = dict(cell.factors) | {factor: values[0]}
    for other in race.done:
        if other.group == cell.group and dict(other.factors) == wanted and other.plan == cell.plan:
            return other
    return None


def reference_values(race: RaceData) -> dict[str, str]:
    """What the column of ratios compares with: the race's own reference, else its first plan."""
    plans = race.factors.get("plan", ())
    return dict(race.reference) or ({"plan": plans[0]} if plans else {})


def base_of(race: RaceData, cell: RacedCell) -> RacedCell | None:
    """The cell with the reference's values, all else equal; None for that cell itself."""
    wanted = reference_values(race)
    follows = left_aside(wanted, race.factors)
    here = {name: value for name, value in cell.factors.items() if name not in follows}
    for other in race.matrix:
        is_reference = all(value_of(other, name) == value for name, value in wanted.items())
        if is_reference and all(other.factors.get(name) == value for name, value in here.items()):
            return None if other is cell else other
    return None


def value_of(cell: RacedCell, name: str) -> str:
    """A factor or setting of a cell as text."""
    return cell.factors.get(name) or str(cell.settings.get(name, ""))


def caption(race: RaceData) -> str:
    """One sentence: what stands in the table, and the factor that changes most."""
    text = (
        f"{count_of(len(race.done), 'cell')} of the design, "
        f"{count_of(sum(len(cell.searches) for cell in race.done), 'search', 'searches')}"
    )
    effects = []
    for factor in varied(race):
        for cell in race.done:
            other = reference(race, cell, factor)
            ratio = speed_ratio(cell, other) if other else None
            if ratio is not None and other is not None and _is_told_apart(cell, other, ratio):
                effects.append((abs(1 - ratio.value), factor, cell, ratio.value))
    if effects:
        _, factor, cell, value = max(effects, key=lambda effect: effect[0])
        text += (
            f"; of the other factors {factor.replace('_', ' ')} changes most: {change(value)} "
            f"GTEPS for {cell.plan} with {cell.factors[factor]}"
        )
    if race.ladder:
        text += "; the steps of the ladder stand above"
    return f"{text}."


def _is_told_apart(cell: RacedCell, other: RacedCell, ratio: Ratio) -> bool:
    """A result: of processors of their own, and its interval leaves 1 out."""
    if cell.oversubscribed or other.oversubscribed:
        return False
    return ratio.is_clear or ratio.low is None


def _table(race: RaceData) -> Table:
    factors = varied(race)
    base = " ".join(reference_values(race).values()) or "the first"
    is_named = 2 + len(factors) > MOST_KEYS
    heads: tuple[Column, ...] = (
        *columns(*(["=cell"] if is_named else [])),
        *columns("=plan", "#ranks", *(["#scale"] if _has_scales(race) else [])),
        *(Column(factor.replace("_", " "), whole=True) for factor in factors),
        *columns("=grid", "=remark", "#GTEPS", "#95 % from", "#to", f"#times {base} (95 %)"),
        *(
            Column(f"against {f.replace('_', ' ')} {race.factors[f][0]}", numeric=True)
            for f in factors
        ),
        *columns(
            "#bytes a rank",
            "#messages",
            "#in MPI",
            "=audit",
            "#ms per search",
            "#bytes per search",
            "#construction",
            "#peak memory",
        ),
    )
    ordered = sorted(
        race.done, key=lambda cell: (cell.group != "matrix", plan_place(cell.plan), cell.ranks)
    )
    told = [cell for cell in ordered if cell.group != "ladder"]
    rows = [(*([cell.name] if is_named else []), *_row(race, cell, factors)) for cell in told]
    shown, left_out = first_rows(rows, SHOWN_ROWS, "the run folders")
    keys = 1 if is_named else 2 + len(factors)
    return Table("Cells of the race", heads, shown, left_out=left_out, keys=keys)


def _has_scales(race: RaceData) -> bool:
    """The scale goes with the ranks, and is no factor that has a column."""
    return race.scaling == "weak" and "scale" not in varied(race)


def _row(race: RaceData, cell: RacedCell, factors: Sequence[str]) -> tuple[str, ...]:
    interval = cell.interval
    bounds = ("", "")
    if interval is not None:
        bounds = (gteps(max(0.0, interval.low)), gteps(interval.high))
    base = base_of(race, cell)
    ratio = speed_ratio(cell, base) if base else None
    changes = []
    for factor in factors:
        other = reference(race, cell, factor)
        effect = speed_ratio(cell, other) if other else None
        changes.append(change(effect.value) if effect else "")
    built = cell.result.construction_seconds
    return (
        cell.plan,
        str(cell.ranks),
        *([str(cell.scale)] if _has_scales(race) else []),
        *(cell.factors.get(factor, "") for factor in factors),
        cell.grid,
        _remark(cell),
        gteps(cell.teps.value) if cell.teps else "",
        *bounds,
        with_interval(ratio) if ratio else "",
        *changes,
        bytes_of_rank(cell),
        f"{cell.mean_messages:,.0f}",
        share_in_mpi(cell),
        audit_of(cell),
        milliseconds(cell.mean_seconds),
        f"{cell.mean_bytes:,.0f}",
        format_seconds(built) if built is not None else "",
        memory_of(cell),
    )


def _remark(cell: RacedCell) -> str:
    words = [] if cell.group == "matrix" else [cell.step or cell.group]
    if not cell.validated:
        words.append("UNVALIDATED")
    if cell.oversubscribed:
        words.append("oversubscribed")
    return ", ".join(words)


def _libraries(race: RaceData) -> list[Block]:
    """MPI libraries and transports in the columns of one table."""
    compared = [name for name in WHOSE if len(race.factors.get(name, ())) > 1]
    if not compared:
        return [
            Paragraph(
                "One MPI library and one transport were raced; isobath race --mpi with several "
                "libraries, or --transport, puts them side by side here."
            )
        ]
    rows: dict[tuple[str, ...], dict[tuple[str, ...], RacedCell]] = {}
    rest = [name for name in race.factors if name not in compared and name not in ("plan", "ranks")]
    for cell in race.matrix:
        key = (cell.plan, str(cell.ranks), *(cell.factors.get(name, "") for name in rest))
        value = tuple(cell.factors.get(name, "") for name in compared)
        rows.setdefault(key, {})[value] = cell
    values = sorted(
        {value for by_value in rows.values() for value in by_value},
        key=lambda value: tuple(
            race.factors[name].index(word)
            if word in race.factors[name]
            else len(race.factors[name])
            for name, word in zip(compared, value, strict=True)
        ),
    )
    texts = []
    for key, by_value in rows.items():
        first = by_value.get(values[0])
        line = list(key)
        for value in values:
            own = by_value.get(value)
            line.append(gteps(own.teps.value) if own is not None and own.teps else "")
            if value == values[0]:
                continue
            ratio = speed_ratio(own, first) if own is not None and first is not None else None
            line.append(change(ratio.value) if ratio else "")
        marked = any(cell.oversubscribed for cell in by_value.values())
        texts.append((*line, "oversubscribed" if marked else ""))
    heads = [*columns("=plan", "#ranks"), *(Column(name.replace("_", " ")) for name in rest)]
    for value in values:
        word = " ".join(value)
        heads.append(Column(f"GTEPS {word}", numeric=True))
        if value != values[0]:
            heads.append(Column(f"against {' '.join(values[0])}", numeric=True))
    title = f"By {listing(name.replace('mpi', 'MPI library') for name in compared)}"
    return [Table(title, (*heads, Column("remark")), tuple(texts))]


def _scale_figure(race: RaceData) -> list[Block]:
    """GTEPS and memory against scale; figures 5 and 8 of the deck have the former."""
    scales = sorted({cell.scale for cell in race.matrix})
    if len(scales) < 2:
        return []
    ranks = race.most_ranks
    cells = [cell for cell in race.matrix if cell.ranks == ranks and cell.teps is not None]
    chosen: dict[tuple[str, int], RacedCell] = {}
    for cell in cells:
        chosen.setdefault((cell.plan, cell.scale), cell)
    ordered = sorted(chosen.values(), key=lambda cell: (plan_place(cell.plan), cell.scale))
    plans = list(dict.fromkeys(cell.plan for cell in ordered))
    if not ordered:
        return []
    ticks = tuple((float(scale), str(scale)) for scale in scales)
    x = linear_axis("scale", [float(scales[-1])], str)
    x = type(x)("scale", scales[0] - 0.4, scales[-1] + 0.4, ticks)
    rates = [_curve(plan, [c for c in ordered if c.plan == plan], memory=False) for plan in plans]
    sizes = [_curve(plan, [c for c in ordered if c.plan == plan], memory=True) for plan in plans]
    fast = linear_axis(
        "GTEPS",
        [spot.high or spot.y for curve in rates for spot in curve.spots],
        lambda value: significant(value, 2) if value else "0",
    )
    wide = log_axis(
        "peak memory of all ranks",
        [spot.y for curve in sizes for spot in curve.spots],
        format_bytes,
    )
    plots = [Plot("GTEPS", tuple(rates), x, fast), Plot("memory", tuple(sizes), x, wide)]
    legend = [Legend(plan_colour(plan), plan, plan_shape(plan)) for plan in plans]
    if any(cell.oversubscribed for cell in ordered):
        legend.append(Legend("muted", "hollow: oversubscribed, no time of this machine", "ring"))
    return [
        Figure(
            CurveChart(tuple(plots), race.words),
            f"Rate and memory from scale {scales[0]} to {scales[-1]} with "
            f"{count_of(ranks, 'rank')}; the deck has the rate of its two codes against scale.",
            tuple(legend),
            title="Against scale",
        )
    ]


def _curve(plan: str, cells: Sequence[RacedCell], *, memory: bool) -> Curve:
    spots = []
    for cell in cells:
        if memory:
            if cell.peak_bytes:
                spots.append(Spot(cell.scale, float(cell.peak_bytes)))
            continue
        interval = cell.interval
        low = max(0.0, interval.low / 1e9) if interval else None
        high = interval.high / 1e9 if interval else None
        rate = cell.teps.value / 1e9 if cell.teps else 0.0
        spots.append(Spot(cell.scale, rate, low, high, cell.oversubscribed))
    return Curve(plan, plan_colour(plan), tuple(spots), plan_shape(plan))
