# SPDX-License-Identifier: Apache-2.0
"""Which algorithm ran in every blocking cell, and how that is known."""

from isobath.report.bench_data import BenchData
from isobath.report.wording import count_of
from isobath.view.content import Section, Table, columns, nothing

TITLE = "Which algorithm ran"


def render(bench: BenchData) -> Section:
    """One row for neighbouring sizes of which the same is known."""
    if not bench.stretches:
        return nothing("algorithms", TITLE, "No blocking collective has run yet.")
    several = bench.measured.has_several
    rows = tuple(
        (
            f"{stretch.title}, {stretch.first.arm.where}" if several else stretch.title,
            stretch.sizes,
            stretch.identity.algorithm or "not known",
            stretch.identity.source,
            stretch.identity.confidence,
            stretch.identity.evidence,
        )
        for stretch in bench.stretches
    )
    heads = columns("collective", "sizes", "algorithm", "known by", "confidence", "how")
    table = Table("By collective and size", heads, rows, folded=len(rows) > 24)
    return Section("algorithms", TITLE, (table,), lead=lead(bench))


def lead(bench: BenchData) -> str:
    """How much of the library's own choice is known, and what contradicts."""
    own = [stretch for stretch in bench.stretches if stretch.first.cell.algorithm is None]
    seen = sum(stretch.identity.source == "stack" for stretch in own)
    table = sum(stretch.identity.source == "table" for stretch in own)
    text = (
        f"Of {count_of(len(own), 'stretch', 'stretches')} of sizes with the library's own choice, "
        f"{seen} were seen on stacks of the call and {table} are known from the library's table "
        "alone."
    )
    others = [stretch for stretch in bench.stretches if stretch.identity.contradicts]
    if others:
        under = bench.under(others[0].first)
        text += (
            f" In {count_of(len(others), 'stretch', 'stretches')} another algorithm ran than was "
            f"forced{f', first under {under}' if under else ''}: {others[0].identity.evidence}."
        )
    return text
