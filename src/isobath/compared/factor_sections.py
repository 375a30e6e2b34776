# SPDX-License-Identifier: Apache-2.0
"""Everything that was varied, as sections: one table of gains, what depends on what, method."""

from collections.abc import Iterator, Sequence

from isobath.compared.factor_facts import level_words, percent_more
from isobath.compared.factor_reading import FactorsFound, Varied
from isobath.compared.wording import few
from isobath.comparison.gains import Gain, Interaction
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of, listing
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Listing,
    Page,
    Section,
    Table,
    columns,
    nothing,
)

CHARTED = 24


def factor_sections(analysis: FactorsFound) -> Iterator[Section]:
    """Of each measure its gains and interactions; then what the words mean."""
    for varied in analysis.varied:
        if not varied.table.factors:
            title = f"Factors: {varied.measure}"
            yield nothing(f"gains-{_anchor(varied)}", title, "Nothing of it was varied.")
            continue
        yield gains_section(varied)
        yield interactions_section(varied)
    yield method_section(analysis)


def factor_notices(analysis: FactorsFound) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    left = f"{count_of(analysis.left_out, 'cell')} without a result left out: wrong data, or more "
    more = (f"{left}ranks and threads than processors.",) if analysis.left_out else ()
    return (*analysis.side.problems, *more)


def factor_page(analysis: FactorsFound) -> Page:
    """All sections, with what has to be known on top."""
    names = few(analysis.side.studies)
    return Page(
        title=f"Factors of {names}",
        heading="What each thing that was varied brings",
        place=", ".join(analysis.side.facts.get("nodes", ())),
        noun="studies" if len(analysis.side.studies) > 1 else "study",
        name=names,
        made_from="records.jsonl",
        sections=tuple(factor_sections(analysis)),
        doubts=factor_notices(analysis),
    )


def gains_section(varied: Varied) -> Section:
    """Each level of each factor against the reference level."""
    rows = [_row(varied, gain) for gain in varied.gains]
    heads = columns("=factor", "level", "against", "#gain", "#interval", "over", "#contrasts",
                    "remark")  # fmt: skip
    blocks: list[Block] = [Table("Gains", heads, tuple(rows), keys=2)]
    blocks += _figure(varied)
    best = max((gain for gain in varied.gains if gain.speed), key=_speed, default=None)
    lead = "No factor can be told from the others."
    if best is not None and _speed(best) <= 1:
        lead = "Nothing is faster than its reference level."
    elif best is not None:
        lead = f"Most brings {best.factor.title} {level_words(varied, best.factor, best.level)}: "
        lead += f"{gain_words(best.speed)} against {_reference(varied, best)}."
    return Section(
        f"gains-{_anchor(varied)}", f"Factors: {varied.measure}", tuple(blocks), lead=lead
    )


def gain_words(speed: float | None) -> str:
    """``gain_words(1.163) == "+16.3 %"``."""
    return "" if speed is None else f"{percent_more(speed):+.1f} %"


def _speed(gain: Gain) -> float:
    return gain.speed or 0.0


def _reference(varied: Varied, gain: Gain) -> str:
    return level_words(varied, gain.factor, gain.factor.levels[0])


def _row(varied: Varied, gain: Gain) -> tuple[str, ...]:
    level = level_words(varied, gain.factor, gain.level)
    names = (gain.factor.title, level, _reference(varied, gain))
    if gain.effect is None:
        with_what = listing(gain.confounded) or "more than one factor at once"
        return (*names, f"confounded with {with_what}: they were not crossed")
    bounds = gain.bounds
    interval = "none" if bounds is None else f"{gain_words(bounds[0])} to {gain_words(bounds[1])}"
    return (
        *names,
        gain_words(gain.speed),
        interval,
        gain.effect.over or "one launch each",
        str(len(gain.contrasts)),
        "; ".join(_remarks(gain)),
    )


def _remarks(gain: Gain) -> Iterator[str]:
    if gain.confounded:
        yield f"confounded: {listing(gain.factor.names)} changed together"
    if gain.other_sitting:
        yield "measured at another time"
    if len(gain.contrasts) > 1:
        yield f"from {gain_words(gain.least)} to {gain_words(gain.most)}"


def _figure(varied: Varied) -> list[Block]:
    told = [
        (f"row {number}", gain)
        for number, gain in enumerate(varied.gains, start=1)
        if gain.speed is not None
    ][:CHARTED]
    if not told:
        return []
    bars = tuple(
        Bar(
            row,
            gain.speed or 0.0,
            gain_words(gain.speed),
            low=gain.bounds[0] if gain.bounds else None,
            high=gain.bounds[1] if gain.bounds else None,
            limit=1.0,
        )
        for row, gain in told
    )
    caption = "How many times as fast as the reference level, all else equal; the mark is at 1. "
    caption += "Rows are those of the table."
    return [Figure(BarChart(bars, axis="times as fast"), caption)]


def interactions_section(varied: Varied) -> Section:
    """Gains that depend on another factor."""
    identifier, title = f"interactions-{_anchor(varied)}", f"What depends on what: {varied.measure}"
    if not varied.tried:
        return nothing(identifier, title, "No two factors were crossed in launches enough to tell.")
    tried = count_of(varied.tried, "interaction")
    if not varied.interactions:
        return nothing(identifier, title, f"{tried} could be tried, and none is surely there.")
    told = tuple(interaction_words(varied, each) for each in varied.interactions)
    lead = f"Of {tried} tried these are surely there."
    return Section(identifier, title, (Listing("Interactions", told),), lead=lead)


def interaction_words(varied: Varied, effect: Interaction) -> str:
    """``plan hybrid against simple: +10.0 % at ranks 1 rank, +41.2 % at 4 ranks (p 0.003)``."""
    level = level_words(varied, effect.factor, effect.level)
    reference = level_words(varied, effect.factor, effect.factor.levels[0])
    at = [level_words(varied, effect.by, each) for each in (effect.by_first, effect.by_second)]
    return (
        f"{effect.factor.title} {level} against {reference}: {gain_words(effect.first)} at "
        f"{effect.by.title} {at[0]}, {gain_words(effect.second)} at {at[1]} (p {effect.p:.2g})"
    )


def method_section(analysis: FactorsFound) -> Section:
    """What the words mean."""
    words = {
        "gain": "how much faster a level is than its reference level, the mean on logarithms over "
        "all contrasts; 100 % is twice as fast",
        "contrast": "two cells that differ in this factor alone, or in what comes with it by "
        "itself (a grid with the number of ranks)",
        "interval": "Student's, 95 %, on logarithms: over turns where launches were taken in "
        "turns, else over launches; over combinations of the other settings where each cell has "
        "one launch",
        "confounded": "no two cells differ in it alone: its gain cannot be told from that of what "
        "changed with it",
        "measured at another time": "not in turns: what else changed in between is in the gain and "
        "not in its interval",
        "interaction": "a gain that is another at another level of a second factor; corrected for "
        "all that were tried (Holm)",
        "studies": ", ".join(analysis.side.studies),
    }
    facts: Sequence[Fact] = tuple(Fact(name, meaning) for name, meaning in words.items())
    return Section(
        "method", "What the words mean", (Facts(tuple(facts), style="words"),), measured=False
    )


def _anchor(varied: Varied) -> str:
    return varied.measure.replace(" ", "-")
