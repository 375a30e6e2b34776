# SPDX-License-Identifier: Apache-2.0
"""A prediction as sections. No number stands here without the word predicted, or measured."""

from collections.abc import Iterator

from isobath.predicted.facts import bottlenecks, measured_levels, measured_parts, part_name
from isobath.predicted.reading import Answered
from isobath.predicted.simulated import Simulated
from isobath.predicted.wording import (
    METHOD,
    change_words,
    gteps_words,
    seconds_words,
    spread_words,
    unknown_notice,
    without,
)
from isobath.prediction.calls import COSTS
from isobath.prediction.pieces import Spread
from isobath.prediction.predicted import Prediction
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of
from isobath.units import format_bytes, format_seconds
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Listing,
    Notice,
    Page,
    Section,
    Table,
    columns,
)

LABEL, SIMULATED = "PREDICTED", "SIMULATED"
AXIS = "predicted, ms"
"""of charts: a picture may be shown without its page"""


def notices_of(answered: Answered) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    said = list(answered.problems)
    if answered.prediction.far:
        said.append(
            "EXTRAPOLATED: beyond four times what was measured (ranks, bytes, vertices, arcs) "
            f"nothing supports the predicted times: {'; '.join(answered.prediction.far)}."
        )
    if answered.prediction.unknown:
        said.append(unknown_notice(answered.prediction.unknown))
    if answered.observed.crowded:
        said.append(
            f"OVERSUBSCRIBED: {answered.observed.run_id} had more ranks than processors; times "
            "predicted from it say how ranks took turns, too."
        )
    if answered.simulated is not None:
        said.append(answered.simulated.notice)
    return tuple(said)


def sections_of(answered: Answered) -> Iterator[Section]:
    """In the order of a page: the errors first, where there is a measurement."""
    yield summary(answered)
    if answered.budget is not None:
        yield budget(answered)
    yield ranking(answered)
    yield levels(answered)
    yield changes(answered)
    yield basis(answered)
    yield Section(
        "method",
        "What the words mean",
        (Facts(tuple(Fact(name, words) for name, words in METHOD.items()), style="words"),),
        measured=False,
    )


def page_of(answered: Answered) -> Page:
    """All sections."""
    return Page(
        title=f"Predicted from {answered.observed.run_id}",
        heading=f"Predicted: {target_words(answered.prediction)}",
        place="",
        noun="run",
        name=answered.observed.run_id,
        made_from="records.jsonl",
        sections=tuple(sections_of(answered)),
        doubts=notices_of(answered),
        labels=(LABEL,) if answered.simulated is None else (LABEL, SIMULATED),
    )


def target_words(prediction: Prediction) -> str:
    """The search, in few words."""
    target = prediction.target
    layout = target.layout
    return (
        f"{target.switches.plan} at scale {target.scale} on {layout.grid}, "
        f"{count_of(layout.grid.size, 'rank')} on {count_of(layout.nodes, 'node')}"
    )


def summary(answered: Answered) -> Section:
    """The rate, and the time of a search."""
    prediction = answered.prediction
    interval = f"90 % interval{without(prediction.unknown)}"
    facts = [
        Fact("predicted rate", gteps_words(prediction.gteps), interval),
        Fact("predicted time of a search", seconds_words(prediction.spread), interval),
    ]
    if answered.measured is not None:
        facts.append(Fact("measured time", format_seconds(answered.measured.seconds),
                          answered.measured.run_id))  # fmt: skip
    if answered.simulated is not None:
        facts.append(Fact("simulated time", format_seconds(answered.simulated.seconds),
                          answered.simulated.study_id))  # fmt: skip
    return Section(
        "summary",
        f"Predicted: {target_words(prediction)}",
        (Facts(tuple(facts), style="pairs"),),
        lead=f"Predicted from {answered.observed.run_id}: computed, not measured.",
    )


def budget(answered: Answered) -> Section:
    """Three bars that add up to the error."""
    known = answered.budget
    assert known is not None  # asked by the caller
    parts = (
        ("volume", known.volume, "bytes that the closed forms say, instead of those sent"),
        (
            "cost model",
            known.cost_model,
            "what calls of these bytes cost, instead of what they took",
        ),
        ("application", known.application, "computation, waiting, caches"),
    )
    rows = tuple(
        (name, _signed(seconds), f"{100 * seconds / known.measured:+.1f} %", words)
        for name, seconds, words in parts
    )
    bars = tuple(Bar(name, abs(seconds) * 1e3, _signed(seconds)) for name, seconds, _ in parts)
    caption = "Predicted less measured time of a search, cut in three; + is predicted too slow."
    heads = columns("=part", "#predicted - measured", "#of measured", "what it holds")
    return Section(
        "budget",
        "Error budget",
        (
            Table("Error budget", heads, rows),
            Figure(BarChart(bars, axis="predicted - measured, ms"), caption),
        ),
        lead=f"Predicted {format_seconds(known.predicted)}, measured "
        f"{format_seconds(known.measured)}: {100 * known.error / known.measured:+.1f} %.",
    )


def ranking(answered: Answered) -> Section:
    """What takes longest, predicted beside measured."""
    rows = []
    bars = []
    found = bottlenecks(answered.prediction, answered.measured, answered.simulated)
    spreads = answered.prediction.by(part_name)
    for row, spread in zip(found, spreads.values(), strict=True):
        took, simulated = row["measured_seconds"], row["simulated_seconds"]
        rows.append(
            (
                str(row["predicted_place"]),
                row["name"],
                seconds_words(spread),
                str(row["measured_place"] or "-"),
                _or_dash(took),
                *_if(answered.simulated, _or_dash(simulated)),
            )
        )
        bars.append(_bar(row["name"], spread, took, simulated))
    took_by_part = measured_parts(answered.measured) if answered.measured is not None else {}
    rows += [
        ("-", name, "unknown", "-", _or_dash(took_by_part.get(name)), *_if(answered.simulated, "-"))
        for name in answered.prediction.unknown
    ]
    heads = columns("#place", "=part", "#predicted (90 %)", "#measured place", "#measured",
                    *_if(answered.simulated, "#simulated"))  # fmt: skip
    first = found[0]["name"]
    return Section(
        "bottlenecks",
        "Bottlenecks, predicted",
        (
            Table("Predicted bottlenecks", heads, tuple(rows), keys=2),
            Figure(
                BarChart(tuple(bars), axis=AXIS),
                f"Predicted time of a search by part{_overlaid(answered)}.",
            ),
        ),
        lead=f"Most time is predicted for {first}.",
    )


def levels(answered: Answered) -> Section:
    """By level and phase, levels beside measured ones."""
    prediction = answered.prediction
    rows = tuple(
        (
            _level_name(piece.level),
            part_name(piece),
            format_seconds(piece.seconds),
            spread_words(piece.spread),
        )
        for piece in prediction.pieces
    )
    heads = columns("=level", "=phase", "#predicted", "#90 % interval")
    took = measured_levels(answered.measured) if answered.measured is not None else {}
    simulated = answered.simulated.levels if answered.simulated is not None else {}
    by_level = sorted(prediction.by(lambda piece: piece.level).items(), key=lambda one: str(one[0]))
    told = [(int(str(level)), spread) for level, spread in by_level]
    whole = tuple(
        (
            _level_name(level),
            seconds_words(spread),
            _or_dash(took.get(level)),
            *_if(answered.simulated, _or_dash(simulated.get(level))),
        )
        for level, spread in told
    )
    heads_of_levels = ("=level", "#predicted (90 %)", "#measured",
                       *_if(answered.simulated, "#simulated"))  # fmt: skip
    bars = tuple(
        _bar(_level_name(level), spread, took.get(level), simulated.get(level))
        for level, spread in told
    )
    return Section(
        "levels",
        "Levels, predicted",
        (
            Table(
                "Predicted by level",
                columns(*heads_of_levels),
                whole,
            ),
            Figure(
                BarChart(bars, axis=AXIS),
                f"Predicted time of a search by level{_overlaid(answered)}.",
            ),
            Table("Predicted by level and phase", heads, rows, folded=True, keys=2),
        ),
    )


def _level_name(level: int) -> str:
    return str(level) if level >= 0 else "outside"


def _or_dash(seconds: float | None) -> str:
    return "-" if seconds is None else format_seconds(seconds)


def _if(simulated: Simulated | None, word: str) -> tuple[str, ...]:
    """A column that stands there only beside a simulation."""
    return (word,) if simulated is not None else ()


def _bar(name: str, spread: Spread, measured: float | None, simulated: float | None) -> Bar:
    """Predicted with its interval, and marks where it was measured and simulated."""
    words = format_seconds(spread.middle)
    words += f", measured {format_seconds(measured)}" if measured is not None else ""
    words += f", simulated {format_seconds(simulated)}" if simulated is not None else ""
    return Bar(
        name, spread.middle * 1e3, words, low=spread.low * 1e3, high=spread.high * 1e3,
        limit=None if measured is None else measured * 1e3,
        second=None if simulated is None else simulated * 1e3,
    )  # fmt: skip


def _overlaid(answered: Answered) -> str:
    """What the marks of a chart are, in its caption."""
    words = "; the line is its 90 % interval"
    words += "; the mark across a bar was measured" if answered.measured is not None else ""
    words += "; the shorter mark is SIMULATED" if answered.simulated is not None else ""
    return words


def changes(answered: Answered) -> Section:
    """What if."""
    rows = tuple(
        (one.name, one.outcome, change_words(one.change))
        if one.change is not None
        else (one.name, one.outcome, one.why_not)
        for one in answered.what_ifs
    )
    told = [one.name for one in answered.what_ifs if one.outcome == "faster"]
    return Section(
        "what-if",
        "What if, predicted",
        (Table("Predicted changes", columns("=instead", "=predicted", "time (90 %)"), rows),),
        lead=f"Predicted to be faster: {'; '.join(told)}." if told
        else "No change can be told to be faster.",
    )  # fmt: skip


def basis(answered: Answered) -> Section:
    """What the prediction rests on."""
    blocks: list[Block] = [
        Listing("Costs of calls", answered.prediction.sources),
        Listing("Computation", (answered.works.words,)),
    ]
    rows = []
    known = {**answered.costs.by_call}
    if answered.costs.fallback is not None:
        known["others"] = answered.costs.fallback
    for name, costs in known.items():
        fitted = costs.central[len(costs.known) :] > 0  # what no file tells
        known_too = (*costs.known, *(bool(is_there) for is_there in fitted))
        values = [
            f"{value:.3g}" if is_known else "-"
            for value, is_known in zip(costs.central, known_too, strict=True)
        ]
        bend = format_bytes(costs.bend) if values[-1] != "-" else "-"
        rows.append((name, *values, bend, str(costs.points), f"{100 * costs.scatter:.0f} %"))
    heads = columns("=call", *(f"#{cost}" for cost in COSTS), "#from", "#points", "#scatter")
    blocks.append(Table("Costs in seconds", heads, tuple(rows), folded=True))
    if not rows:
        blocks.append(Notice("No call between ranks is predicted: one rank searches."))
    return Section("basis", "What it rests on", tuple(blocks))


def _signed(seconds: float) -> str:
    return f"{'+' if seconds >= 0 else '-'}{format_seconds(abs(seconds))}"
