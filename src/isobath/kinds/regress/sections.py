# SPDX-License-Identifier: Apache-2.0
"""A regression as sections: the verdict, what to do, what changed, and every cell."""

from collections.abc import Iterator

from isobath.baseline.gathering import cell_from, side_from
from isobath.compared.where_it_went import switch_row, tables_block
from isobath.compared.wording import value_words
from isobath.comparison.changes import Change, changes_of
from isobath.comparison.decisions import decisions_of
from isobath.comparison.matching import Pair
from isobath.guard.design import FASTER, GUIDELINES, SAME, SLOWER, TOLERANCE
from isobath.kinds.regress.moved import TABLE, moved_switches, moved_tables
from isobath.kinds.regress.outcome import FIRST, CellResult, Outcome, is_over
from isobath.kinds.regress.wording import advice_words, verdict_words
from isobath.report.wording import count_of
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Listing,
    Page,
    Paragraph,
    Section,
    Table,
    columns,
    first_rows,
)

MOST_ROWS = 30


def sections_of(outcome: Outcome) -> Iterator[Section]:
    """All of them, in their order."""
    yield verdict_section(outcome)
    function = function_section(outcome)
    if function.blocks:
        yield function
    yield changes_section(outcome)
    if outcome.cells:
        yield cells_section(outcome)
        yield decisions_section(outcome)
    yield method_section(outcome)


def notices_of(outcome: Outcome) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    reading = outcome.found
    unfinished = () if is_over(reading) else ("UNFINISHED: turns are left to be measured.",)
    return (*unfinished, *reading.problems)


def page_of(outcome: Outcome) -> Page:
    """One page that a person can act upon."""
    reading = outcome.found
    _, *others = sections_of(outcome)
    nodes = {node: None for sides in reading.sides.values() for side in sides
             for node in side.facts.get("nodes", ())}  # fmt: skip
    return Page(
        title=f"Regression against {reading.plan.baseline}: {verdict_words(outcome)}",
        heading=verdict_words(outcome),
        place=", ".join(nodes),
        noun="regression",
        name=reading.folder.study_id,
        made_from="records.jsonl",
        sections=(verdict_section(outcome, is_headed=True), *others),
        doubts=notices_of(outcome),
    )


def verdict_section(outcome: Outcome, *, is_headed: bool = False) -> Section:
    """The verdict in words first, then what to do.

    Args: is_headed says that the verdict stands above it already, as the heading of a page.
    """
    plan, reading = outcome.found.plan, outcome.found
    counts = {word: len(outcome.of(word)) for word in FIRST}
    told = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
    against = f"{plan.mpi['old']}, in turns" if plan.in_turns else "the baseline's launches"
    noise = outcome.apart.words() if outcome.apart is not None else ""
    is_held = plan.purpose == "regression"
    facts = (
        *((Fact("cells", told or "none"),) if is_held else ()),
        Fact("measured", plan.mpi["new"], " ".join(plan.variables)),
        *((Fact("against", against, noise),) if is_held else ()),
        Fact(
            "turns",
            f"{reading.turns} of {plan.turns} at most",
            f"{reading.seconds:.0f} s of launches",
        ),
    )
    if is_headed:
        return Section("verdict", "What to do", (Facts(facts, style="pairs"),),
                       lead=advice_words(outcome))  # fmt: skip
    title = f"Against {plan.baseline}"
    blocks = (Paragraph(advice_words(outcome)), Facts(facts, style="pairs"))
    return Section("verdict", title, blocks, lead=verdict_words(outcome))


def function_section(outcome: Outcome) -> Section:
    """What was wrong, and what could not be measured."""
    reading = outcome.found
    blocks: list[Block] = []
    if reading.wrong:
        blocks.append(Listing("Wrong", reading.wrong))
    if reading.failed:
        blocks.append(Listing("Could not be measured", reading.failed))
    if reading.unaudited:
        blocks.append(Listing("Not audited", reading.unaudited))
    if outcome.not_measured:
        told = [f"{name}: {one.why}" for one in outcome.not_measured for name in one.cells]
        blocks.append(Listing("Not measured", tuple(told)))
    if reading.beyond_audit:
        blocks.append(Listing("Cannot be audited", reading.beyond_audit))
    return Section("function", "Function", tuple(blocks), measured=False)


def changes_section(outcome: Outcome) -> Section:
    """What is not as it was when the baseline was measured; in turns also between the libraries."""
    reading = outcome.found
    changes: dict[str, Change] = {}
    for member, side in reading.measured_again("new"):
        if member.kind == side.kind:
            changes |= {one.name: one for one in changes_of(side_from(member), side)}
    title = "What changed since the baseline"
    if not changes:
        return Section("changed", title, lead="Nothing that is recorded.", measured=False)
    rows = tuple((one.name, one.before, one.after) for one in changes.values())
    table = Table("What is not alike", columns("=what", "baseline", "now"), rows, measured=False)
    return Section("changed", title, (table,), measured=False)


def cells_section(outcome: Outcome) -> Section:
    """Every cell, what is wrong or slower first."""
    before = "#old library" if outcome.found.plan.in_turns else "#baseline"
    heads = columns("cell", "=verdict", "#times as long", "#interval", before, "#now",
                    "#turns")  # fmt: skip
    ordered = sorted(outcome.cells, key=lambda result: (FIRST.index(result.word), -_ratio(result)))
    rows = [_row(result) for result in ordered]
    first, left_out = first_rows(rows, MOST_ROWS, "--view all")
    blocks: list[Block] = [Table("Cells", heads, first, left_out=left_out)]
    if left_out:
        blocks.append(Table("All cells", heads, tuple(rows), folded=True))
    accepted = [f"{result.name}: {result.accepted.factor:.2f} times as long since "
                f"{result.accepted.at:%Y-%m-%d}, {result.accepted.reason}"
                for result in outcome.cells if result.accepted is not None]  # fmt: skip
    if accepted:
        blocks.append(Listing("Accepted", tuple(accepted)))
    no_excuse = [f"{one.name}: {one.reason}" for one in outcome.of("slower") if one.reason]
    if no_excuse:
        blocks.append(Listing("Accepted, and no excuse here", tuple(no_excuse)))
    lead = ""
    if outcome.apart is not None:
        lead = f"Intervals hold what varies between sittings: {outcome.apart.words()}."
    return Section("cells", "Cells", tuple(blocks), lead=lead)


def _ratio(result: CellResult) -> float:
    return result.verdict.ratio if result.verdict else 0.0


def _row(result: CellResult) -> tuple[str, ...]:
    if result.verdict is None:
        return result.name, result.word, result.reason
    verdict, kept = result.verdict, result.measured.kept
    bounds = (
        "" if verdict.low is None or verdict.high is None
        else f"{verdict.low:.3f} to {verdict.high:.3f}"
    )  # fmt: skip
    now = result.measured.sides.get("new")
    old = result.measured.sides.get("old")
    values = sorted(sample.value for sample in kept.samples)
    before = old.value if old else values[len(values) // 2] if values else None
    return (
        result.name, result.word, f"{verdict.ratio:.3f}", bounds, value_words(before, kept.scale),
        value_words(now.value if now else None, kept.scale), str(verdict.turns),
    )  # fmt: skip


def decisions_section(outcome: Outcome) -> Section:
    """Which algorithm runs where another ran, and guidelines that are newly broken."""
    pairs = [Pair(cell_from(one.measured.kept), one.measured.sides["new"])
             for one in outcome.cells if "new" in one.measured.sides]  # fmt: skip
    decisions = decisions_of(pairs)
    rows = tuple(
        (one.curve, f"{one.first_bytes} to {one.last_bytes}", one.before, one.after)
        for one in decisions.algorithms
    )
    blocks: list[Block] = []
    if rows:
        heads = columns("collective", "#bytes", "algorithm before", "algorithm now")
        blocks.append(Table("Another algorithm", heads, rows))
    broken = tuple(f"{one.words}: {one.factor:.2f} times as long, {one.before:.2f} before"
                   for one in outcome.guidelines)  # fmt: skip
    if broken:
        blocks.append(Listing("Guidelines that are newly broken", broken))
    if outcome.moved:
        words = tuple(one.words for one in outcome.moved)
        blocks.append(Listing("Surely decided otherwise", words))
    if decisions.switches:
        heads = columns("collective", "=what", "=before", "=now", "algorithms")
        named = tuple(switch_row(switch) for switch in decisions.switches
                      if switch.known_by == "names")  # fmt: skip
        blocks += [Table("Switch points", heads, named)] if named else []
    tables = moved_tables(outcome.found)
    if tables:
        blocks.append(Listing("Other selection tables in the library's file", tables))
    switches = moved_switches(outcome.found)
    if switches:
        blocks.append(tables_block(switches, "baseline", "now"))
    known = f"{decisions.cells_known} of {count_of(decisions.cells, 'cell')} tell their algorithm"
    others, newly = count_of(len(rows), "other choice"), count_of(len(broken), "guideline")
    lead = f"{known}; {others}, {newly} newly broken."
    by_table = sum(_is_by_table(one) for one in outcome.cells)
    if by_table:
        lead += (
            f" Of {count_of(by_table, 'cell')} only the library's table says it: whether another "
            "algorithm runs there cannot be told."
        )
    return Section("decisions", "Decisions", tuple(blocks), lead=lead)


def _is_by_table(cell: CellResult) -> bool:
    chosen = cell.measured.sides["new"].chosen if "new" in cell.measured.sides else None
    return chosen is not None and chosen.source == TABLE


def method_section(outcome: Outcome) -> Section:
    """What the words promise."""
    plan = outcome.found.plan
    cells = count_of(len(plan.cells), "cell")
    margin = f"{100 * plan.margin:g} %"
    noise = outcome.apart.words() if outcome.apart is not None else "none"
    words = {
        "slower": f"by more than {TOLERANCE:.0%}: of all {cells} one is wrongly called so with a "
        f"probability of {SLOWER:.1%} at most, one faster of {FASTER:.1%}, a guideline newly "
        f"broken of {GUIDELINES:.1%}: {SLOWER + FASTER + GUIDELINES:.1%} together, over all looks",
        "another algorithm": "the library's own functions, or its variable read back, said so on "
        "both sides, or a variable decides on one side alone; nothing is estimated, so nothing is "
        "spent of these errors",
        "not slower": f"{margin} or more is excluded; a cell that is that much slower is called so "
        f"with {SAME:.0%} at most, and so is all of it",
        "the same": f"{margin} is excluded either way",
        "cannot tell": "neither; it is never called the same",
        "test": "pairs of the same turn by Wilcoxon's signed ranks, exact"
        if plan.in_turns
        else "Student's t with the variances between sittings and launches that calibrate noise "
        f"learned ({noise}), degrees of freedom by Satterthwaite",
        "looks": ", ".join(f"{look.share:.0%} of each error after {count_of(look.turns, 'turn')}"
                           for look in plan.design.looks)
        + "; the last takes what is left",
    }  # fmt: skip
    facts = tuple(Fact(name, meaning) for name, meaning in words.items())
    return Section("method", "What the words promise", (Facts(facts, style="words"),),
                   measured=False)  # fmt: skip
