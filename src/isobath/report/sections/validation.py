# SPDX-License-Identifier: Apache-2.0
"""What was checked, against what, and what was found."""

from collections.abc import Sequence

from isobath.records.search import RuleName, SearchRecord
from isobath.report.run_data import RunData
from isobath.report.wording import all_of, count_of, was_of
from isobath.stats.estimates import summary
from isobath.units import format_seconds
from isobath.view.content import Block, Paragraph, Section, Table, columns

TITLE = "Validation"

SHOWN_FAILURES = 64

MEANINGS: dict[RuleName, str] = {
    "parent_range": (
        "A parent is \N{MINUS SIGN}1 or a vertex of the graph, and the root is its own parent."
    ),
    "tree": "The parents form a tree rooted at the root, without cycles (specification, rule 1).",
    "tree_levels": (
        "A tree edge joins vertices whose levels differ by exactly one (specification, rule 2)."
    ),
    "leads_to_root": "The parents of a vertex that has one lead to the root (shortest paths).",
    "distance_range": (
        "Reached vertices have finite distances that are not negative, the root 0, all others an "
        "infinite one (shortest paths)."
    ),
    "edge_levels": (
        "Every input edge joins vertices whose levels differ by at most one "
        "(specification, rule 3)."
    ),
    "edge_distances": (
        "No input edge makes a shorter path, added in single precision "
        "(shortest paths; specification, rule 3)."
    ),
    "spans_component": (
        "No input edge leads out of the tree: the whole component is reached "
        "(specification, rule 4)."
    ),
    "tree_edges": "A vertex and its parent are joined by an input edge (specification, rule 5).",
    "traversed_edges": (
        "The edges counted by validation are those that construction counted for TEPS."
    ),
}

needs = ("run.validation", "search.validation")


def render(data: RunData) -> Section:
    """Every rule with its violations over all searches; the searches that failed."""
    checked = [search for search in data.searches if search.validation is not None]
    blocks: list[Block] = []
    if checked:
        blocks.append(_rules(checked))
        failed = [s for s in checked if s.validation is not None and not s.validation.passed]
        if failed:
            blocks.append(_failures(failed))
        blocks.append(Paragraph(_against(data)))
    return Section("validation", TITLE, tuple(blocks), lead=caption(data))


def caption(data: RunData) -> str:
    """One sentence: how many searches passed."""
    checked = [s.validation for s in data.searches if s.validation is not None]
    count = len(data.searches)
    if not count:
        return "No search was completed, so there was nothing to validate."
    if not checked:
        why = "" if data.records.run.validation else " (the run was asked to leave it out)"
        return f"UNVALIDATED: none of {count_of(count, 'search', 'searches')} was validated{why}."
    typical = format_seconds(summary([item.seconds for item in checked]).median)
    if data.passed == count:
        return (
            f"{all_of(count, 'search', 'searches')} passed every rule; validating one took "
            f"{typical} (median), outside of the timed search."
        )
    broken = sum(1 for item in checked if not item.passed)
    missing = count - len(checked)
    parts = []
    if broken:
        parts.append(f"{broken:,} broke a rule")
    if missing:
        parts.append(f"{missing:,} {was_of(missing)} not validated")
    return (
        f"UNVALIDATED: of {count_of(count, 'search', 'searches')} {data.passed:,} passed every rule"
        f", {' and '.join(parts)}."
    )


def _rules(checked: Sequence[SearchRecord]) -> Table:
    violations: dict[RuleName, int] = {}
    examples: dict[RuleName, str] = {}
    applied: set[RuleName] = set()
    for search in checked:
        for outcome in search.validation.rules if search.validation else ():
            applied.add(outcome.rule)
            violations[outcome.rule] = violations.get(outcome.rule, 0) + outcome.violations
            if outcome.violations and outcome.rule not in examples:
                vertex = "" if outcome.first_vertex is None else f", vertex {outcome.first_vertex}"
                other = "" if outcome.first_other is None else f" and {outcome.first_other}"
                examples[outcome.rule] = f"search {search.index}{vertex}{other}"
    heads = columns("rule", "what must hold", "#violations", "first example")
    rows: list[tuple[str, ...]] = [
        (rule.replace("_", " "), meaning, f"{violations[rule]:,}", examples.get(rule, "none"))
        for rule, meaning in MEANINGS.items()
        if rule in applied
    ]
    if not examples:  # a column of nothing but "none" takes the room of the words
        heads, rows = heads[:3], [row[:3] for row in rows]
    searches = count_of(len(checked), "search", "searches")
    title = f"Rules, applied to every input edge after each of {searches}"
    return Table(title, heads, tuple(rows))


def _failures(failed: list[SearchRecord]) -> Table:
    rows = tuple(
        (str(s.index), str(s.root), s.validation.first_violation or "")
        for s in failed
        if s.validation is not None
    )
    left = len(rows) - SHOWN_FAILURES
    return Table(
        "Searches that broke a rule",
        columns("#search", "#root", "first violation"),
        rows[:SHOWN_FAILURES],
        left_out=f"{left:,} more stand in records.jsonl." if left > 0 else "",
    )


def _against(data: RunData) -> str:
    storage = {
        "memory": "kept in memory since they were generated",
        "file": "read back from their file",
        "regenerate": "generated anew",
    }[data.records.run.edges_storage]
    text = (
        "Validation never looks at the searched graph. It goes through the original edges "
        f"({storage}), so that construction is not checked against itself."
    )
    check = None if data.records.construction is None else data.records.construction.check
    if check is None:
        return (
            f"{text} Whether every edge was stored both ways was not checked in this run; "
            "--official does."
        )
    outcome = "passed" if check.passed else "failed (UNVALIDATED)"
    return (
        f"{text} The construction check {outcome}: every edge that is no self-loop must be stored "
        f"both ways, {check.expected_arcs:,} arcs in all; {check.arcs:,} are stored and "
        f"{check.missing_arcs:,} are missing."
    )
