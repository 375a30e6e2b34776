# SPDX-License-Identifier: Apache-2.0
"""Shortest paths, where a run searched for them after its breadth-first searches."""

from isobath.records.search import SearchRecord
from isobath.report.run_data import RunData
from isobath.report.wording import count_of, milliseconds, percent, phase_name
from isobath.stats.estimates import harmonic_mean_teps, summary
from isobath.units import format_seconds, format_teps
from isobath.view.content import Block, Fact, Facts, Notice, Section, Table, columns

TITLE = "Shortest paths (kernel 3)"

needs = ("run.kernel", "search.distances", "search.rounds")


def applies(data: RunData) -> bool:
    """Whether the page has this section: a run of shortest paths alone fills the others."""
    return data.records.run.kernel == "both"


def pruned_notice(data: RunData, of: str) -> tuple[Notice, ...]:
    """What must stand above numbers of a run that left out edges. Args: ``of`` which they are."""
    paths = data.records.path_plan
    if paths is None or not paths.pruned:
        return ()
    return (
        Notice(
            "PRUNED: construction left out edges that lie on no shortest path. This holds for "
            f"every number of this {of}; an official run leaves out none."
        ),
    )


def render(data: RunData) -> Section:
    """Speed, trust, phases and rules of the searches for shortest paths."""
    searches = data.records.path_searches
    if not searches:
        return Section("paths", TITLE, lead="No search for shortest paths was completed.")
    blocks: list[Block] = [*pruned_notice(data, "section")]
    paths = data.records.path_plan
    blocks += [Facts(_figures(data, searches), style="large"), _phases(searches), _rules(searches)]
    plan = "" if paths is None else f" by the plan {paths.plan}"
    if paths is not None and paths.reason:
        plan += f" ({paths.reason})"
    checked = [search.validation for search in searches if search.validation is not None]
    passed = sum(validation.passed for validation in checked)
    return Section(
        "paths",
        TITLE,
        tuple(blocks),
        lead=f"Shortest paths were found from {count_of(len(searches), 'root')}{plan}, in a loop "
        f"of its own after the breadth-first ones; {passed} of {len(searches)} passed every rule.",
    )


def _figures(data: RunData, searches: tuple[SearchRecord, ...]) -> tuple[Fact, ...]:
    seconds = [search.seconds for search in searches]
    figures = []
    if all(search.traversed_edges > 0 for search in searches):
        rate = harmonic_mean_teps([search.traversed_edges for search in searches], seconds)
        figures.append(Fact("harmonic mean", format_teps(rate.value), "of shortest paths"))
    typical = summary(seconds).median
    low, high = milliseconds(min(seconds)), milliseconds(max(seconds))
    figures.append(Fact("typical search", format_seconds(typical), f"{low} to {high} ms"))
    built = data.records.construction_of("sssp")
    if built is not None:
        figures.append(Fact("construction", format_seconds(built.seconds), "for shortest paths"))
    checks = [search.validation.seconds for search in searches if search.validation is not None]
    if checks:
        figures.append(Fact("validation", format_seconds(summary(checks).median), "median search"))
    distances = [search.distances for search in searches if search.distances is not None]
    if distances:
        mean = sum(distance.mean for distance in distances) / len(distances)
        figures.append(
            Fact(
                "distance",
                f"{mean:.3f}",
                f"mean; {max(distance.max for distance in distances):.3f} at most",
            )
        )
    return tuple(figures)


def _phases(searches: tuple[SearchRecord, ...]) -> Table:
    totals: dict[str, float] = {}
    for search in searches:
        for phase, seconds in search.phases.items():
            totals[phase] = totals.get(phase, 0.0) + seconds
    whole = sum(totals.values()) or 1.0
    rows = tuple(
        (phase_name(phase), milliseconds(total / len(searches)), percent(total / whole))
        for phase, total in sorted(totals.items(), key=lambda item: -item[1])
    )
    heads = columns("phase", "#mean, ms", "#share of time")
    return Table("Phases of the searches for shortest paths", heads, rows)


def _rules(searches: tuple[SearchRecord, ...]) -> Table:
    broken: dict[str, int] = {}
    for search in searches:
        for rule in search.validation.rules if search.validation is not None else ():
            broken[rule.rule] = broken.get(rule.rule, 0) + rule.violations
    rows = tuple((rule, f"{count:,}") for rule, count in broken.items())
    heads = columns("rule", "#violations over all searches")
    return Table("Rules of the searches for shortest paths", heads, rows, folded=True)
