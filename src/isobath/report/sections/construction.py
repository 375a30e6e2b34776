# SPDX-License-Identifier: Apache-2.0
"""Kernel 1: how long the graph took to construct, and what it is made of."""

from isobath.records.construction import ConstructionRecord
from isobath.records.phases import PHASE_NAMES
from isobath.report.marks import Bar, BarChart, Span
from isobath.report.run_data import RunData
from isobath.report.run_marks import CompositionChart
from isobath.report.wording import parts_of, percent, phase_name, significant
from isobath.units import format_seconds
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Legend,
    Notice,
    Section,
    Table,
    columns,
)

TITLE = "Construction"

needs = ("construction.seconds", "construction.phases", "construction.num_vertices")


def render(data: RunData) -> Section:
    """Seconds per phase, what became of the vertices, and facts of the graph."""
    built = data.records.construction
    if built is None:
        return Section("construction", TITLE, lead="The run ended before construction was over.")
    blocks: list[Block] = []
    if built.phases:
        blocks.append(_phases_figure(built, unvalidated=not data.validated))
    blocks.append(_vertices_figure(built, unvalidated=not data.validated))
    blocks.append(Facts(_facts(built), title="The graph"))
    if built.check is not None and not built.check.passed:
        blocks.append(
            Notice(
                f"UNVALIDATED: the construction check failed, {built.check.missing_arcs:,} arcs "
                f"are missing and {built.check.arcs:,} of {built.check.expected_arcs:,} are stored."
            )
        )
    return Section("construction", TITLE, tuple(blocks), lead=caption(built))


def caption(built: ConstructionRecord) -> str:
    """One sentence on time and rate."""
    rate = significant(built.num_edges / built.seconds / 1e6) if built.seconds else "no"
    text = (
        f"The searchable graph was constructed from {built.num_edges:,} edges in "
        f"{format_seconds(built.seconds)} ({rate} million edges per second)"
    )
    if built.phases:
        name = max(built.phases, key=lambda phase: built.phases[phase])
        text += f"; the longest phase is {phase_name(name)}"
    if built.retrieval_seconds > 0:
        text += f"; fetching the edges took {format_seconds(built.retrieval_seconds)} of it"
    return f"{text}."


def _phases_figure(built: ConstructionRecord, *, unvalidated: bool) -> Figure:
    names = [phase for phase in PHASE_NAMES if built.phases.get(phase, 0) > 0]
    spent = max(built.seconds, sum(built.phases.values())) or 1.0
    in_seconds = built.seconds >= 1
    unit, axis, factor = ("s", "seconds", 1.0) if in_seconds else ("ms", "milliseconds", 1e3)
    rows = [
        Bar(
            phase_name(name),
            built.phases[name] * factor,
            f"{parts_of(built.phases[name] * factor, spent * factor)} {unit}, "
            f"{percent(built.phases[name] / spent)}",
        )
        for name in names
    ]
    table = Table(
        "Construction phases in numbers",
        columns("phase", "#seconds", "#share"),
        (
            *(
                (phase_name(n), significant(built.phases[n]), percent(built.phases[n] / spent))
                for n in names
            ),
            ("all", significant(built.seconds), ""),
            ("edge generation, no part of it", significant(built.generation_seconds), ""),
        ),
        folded=True,
    )
    return Figure(
        BarChart(tuple(rows), axis, unvalidated),
        "Time of each construction phase, in the order of the run, slowest rank.",
        table=table,
        title="By phase",
    )


def _vertices_figure(built: ConstructionRecord, *, unvalidated: bool) -> Figure:
    parts = (
        ("vertices-searched", "searched", built.searched_vertices),
        ("vertices-leaves", "leaves (one distinct neighbour)", built.leaves),
        ("vertices-isolated", "isolated", built.isolated_vertices),
    )
    total = sum(number for _, _, number in parts) or 1
    spans, clock = [], 0
    for colour, _, number in parts:
        if number:
            spans.append(Span(clock, clock + number, colour))
            clock += number
    return Figure(
        CompositionChart(tuple(spans), unvalidated),
        f"Of {built.num_vertices:,} vertices {percent(built.searched_vertices / total)} are in the "
        f"searched graph, {percent(built.leaves / total)} are leaves that the emit pass fills in, "
        f"and {percent(built.isolated_vertices / total)} have no edge.",
        tuple(
            Legend(colour, f"{name}: {number:,} ({percent(number / total)})")
            for colour, name, number in parts
        ),
        title="What became of the vertices",
    )


def _facts(built: ConstructionRecord) -> tuple[Fact, ...]:
    facts = [
        Fact("vertices", f"{built.num_vertices:,}"),
        Fact("edges", f"{built.num_edges:,}", "as generated"),
        Fact("self-loops", f"{built.self_loops:,}", "dropped"),
        *(
            [Fact("distinct edges", f"{built.distinct_edges:,}", "without self-loops")]
            if built.distinct_edges is not None
            else []
        ),
        Fact("stored arcs", f"{built.stored_arcs:,}", "between searched vertices"),
        Fact("hubs", f"{built.hubs:,}", "first degree class"),
        Fact("highest degree", f"{built.max_degree_with_duplicates:,}", "duplicates counted"),
        Fact("components", f"{built.components:,}", "without isolated ones"),
        Fact(
            "largest component",
            f"{built.largest_component_vertices:,}",
            f"vertices, {built.largest_component_edges:,} edges",
        ),
        Fact("imbalance", _imbalance(built), "arcs, maximum / mean"),
        Fact("edge generation", format_seconds(built.generation_seconds), "not in construction"),
    ]
    if built.check is not None:
        outcome = "passed" if built.check.passed else "UNVALIDATED: failed"
        facts.append(
            Fact("construction check", outcome, f"{built.check.expected_arcs:,} arcs expected")
        )
    return tuple(facts)


def _imbalance(built: ConstructionRecord) -> str:
    return "no arcs" if built.imbalance is None else f"{built.imbalance:.3f}"
