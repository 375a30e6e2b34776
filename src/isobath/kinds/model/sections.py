# SPDX-License-Identifier: Apache-2.0
"""What a fit found, as sections: verdicts first, then parameters, formulas, residuals, points."""

from collections.abc import Iterator

from isobath.kinds.model.model import FitResult, JudgedFormulaFacts, ParameterFacts, SubjectFacts
from isobath.kinds.model.wording import METHOD, formula_words, held_words, percent
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of
from isobath.units import format_seconds
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Listing,
    Notice,
    Section,
    Table,
    columns,
    first_rows,
)

BETWEEN = "random folds"
SHOWN_POINTS = 40
CHARTED = 24


def notices_of(result: FitResult) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    said = list(result.problems)
    if result.cells_left_out:
        said.append(
            f"{count_of(result.cells_left_out, 'cell')} without a result left out: wrong data, or "
            "more ranks than processors."
        )
    crowded = sum(subject.crowded_points for subject in result.subjects if not subject.is_blended)
    if crowded:
        said.append(
            f"OVERSUBSCRIBED: {count_of(crowded, 'point')} had more ranks than processors; their "
            "times say how ranks took turns, too."
        )
    if result.too_few:
        said.append(f"Too few points to fit anything to: {'; '.join(result.too_few)}.")
    return tuple(said)


def labels_of(result: FitResult) -> tuple[str, ...]:
    """Words beside every number: a model's is none that was measured."""
    return ("OVERSUBSCRIBED",) if any(subject.crowded_points for subject in result.subjects) else ()


def verdicts(result: FitResult) -> Iterator[Section]:
    """Of every subject what is to be said of each formula that was looked at."""
    for number, subject in enumerate(result.subjects, start=1):
        rows = tuple(
            (formula_words(model), model.outcome, percent(model.median_error), model.verdict)
            for model in subject.models
        )
        heads = columns("=formula", "=outcome", "#typical error", "why")
        blocks: list[Block] = [Table("Verdicts", heads, rows)]
        if subject.refused:
            blocks.insert(0, Notice(f"The formula was not fitted here: {subject.refused}."))
        if subject.is_blended:
            blocks.insert(0, Notice(
                "Times within and between nodes in one set of parameters, as it must not be done: "
                "no number here is one of a network."
            ))  # fmt: skip
        yield Section(f"verdicts-{number}", title_of(subject), tuple(blocks), lead=_lead(subject))


def parameters(result: FitResult) -> Iterator[Section]:
    """Of every formula that was looked at its parameters, with intervals."""
    for number, subject in enumerate(result.subjects, start=1):
        rows = tuple(
            (
                formula_words(model),
                parameter.name,
                f"{parameter.value:.4g}",
                _interval(parameter),
                _remark(parameter),
            )
            for model in subject.models
            for parameter in model.parameters
        )
        over = dict.fromkeys(model.intervals_over for model in subject.models)
        heads = columns("formula", "=parameter", "#seconds for each", "#95 % interval", "remark")
        lead = f"Intervals over {' and '.join(over)}." if over else "Nothing could be fitted."
        table = Table("Parameters", heads, rows, keys=2)
        yield Section(f"parameters-{number}", f"Parameters: {title_of(subject)}", (table,),
                      lead=lead)  # fmt: skip
        if subject.exponents:
            yield _exponents(number, subject)


def formulas(result: FitResult) -> Iterator[Section]:
    """Every formula that was tried, by what it said of what was held out."""
    for number, subject in enumerate(result.subjects, start=1):
        ways = list(
            dict.fromkeys(held.way for formula in subject.laws for held in formula.held_out)
        )
        heads = columns("=formula", "#parameters", *(f"#{way}" for way in ways))
        rows = tuple(
            (
                formula.law,
                str(formula.parameters),
                *(
                    next((held_words(held) for held in formula.held_out if held.way == way), "")
                    for way in ways
                ),
            )
            for formula in subject.laws
        )
        blocks: list[Block] = [Table("Errors of what was held out", heads, rows)]
        told = tuple(
            (formula.law, formula.formula, formula.source, formula.fails)
            for formula in subject.laws
        )
        what = columns("=name", "formula", "source", "fails")
        blocks.append(Table("What they are", what, told, folded=True, measured=False))
        blocks += _chart(subject)
        lead = f"Chosen by folds between the points: {subject.chosen}. Of each way the median "
        lead += "error, and the bias (+ is too slow)."
        yield Section(f"formulas-{number}", f"Formulas tried: {title_of(subject)}", tuple(blocks),
                      lead=lead)  # fmt: skip


def residuals(result: FitResult) -> Iterator[Section]:
    """Over every factor what the formulas say too slow or too fast."""
    for number, subject in enumerate(result.subjects, start=1):
        heads = columns("formula", "=factor", "#systematic", "#p", "by level (+ is too slow)")
        rows = tuple(
            (
                formula_words(model),
                residual.factor,
                percent(residual.size),
                f"{residual.p:.2g}",
                ", ".join(
                    f"{each.level}: {percent(each.error, signed=True)}" for each in residual.levels
                ),
            )
            for model in subject.models
            for residual in model.residuals
        )
        there = [
            f"{formula_words(model)}: {residual.words}"
            for model in subject.models
            for residual in model.residuals
            if residual.is_structure
        ]
        blocks: list[Block] = [Listing("Structure", tuple(there))] if there else []
        blocks.append(Table("Residuals over every factor", heads, rows, keys=2, folded=True))
        lead = "" if there else "No structure in the residuals of any formula that was looked at."
        yield Section(f"residuals-{number}", f"Residuals: {title_of(subject)}", tuple(blocks),
                      lead=lead)  # fmt: skip


def points(result: FitResult) -> Iterator[Section]:
    """What was measured beside what the formulas say."""
    for number, subject in enumerate(result.subjects, start=1):
        names = [model.law for model in subject.models]
        heads = columns("point", "#launches", "#measured", *(f"#predicted: {one}" for one in names))
        rows, left = first_rows(
            [
                (
                    point.point + _number_words(point.numbers),
                    str(point.launches),
                    format_seconds(point.seconds),
                    *(_said(point.predicted_seconds.get(name), point.seconds) for name in names),
                )
                for point in subject.points
            ],
            SHOWN_POINTS,
            "show --view points --format csv",
        )
        table = Table("Points", heads, rows, folded=True, left_out=left)
        yield Section(f"points-{number}", f"Points: {title_of(subject)}", (table,))


def method(result: FitResult) -> Iterator[Section]:
    """What the words mean."""
    words = {**METHOD, "studies": ", ".join(result.studies)}
    if result.formula:
        words["formula"] = result.formula
    facts = tuple(Fact(name, meaning) for name, meaning in words.items())
    yield Section("method", "What the words mean", (Facts(facts, style="words"),), measured=False)


def all_sections(result: FitResult) -> Iterator[Section]:
    """In the order of a page."""
    for form in (verdicts, parameters, formulas, residuals, points, method):
        yield from form(result)


def title_of(subject: SubjectFacts) -> str:
    """With its place."""
    place = "all places blended" if subject.is_blended else subject.place
    return f"{subject.subject}, {place}" if place else subject.subject


def _lead(subject: SubjectFacts) -> str:
    first = subject.models[0] if subject.models else None
    if first is None:
        return "Nothing could be judged."
    beyond = [
        f"with the {null.way} {' and '.join(null.winners)} did better"
        for null in first.beyond
        if null.winners
    ]
    words = f"{formula_words(first)}{_sentence(first)}."
    return f"{words} Beyond the points it has no skill: {'; '.join(beyond)}." if beyond else words


def _sentence(model: JudgedFormulaFacts) -> str:
    """Behind the name of a formula."""
    if model.outcome == "holds":
        return f" {model.verdict}"
    formula = "" if formula_words(model) == model.formula else f" ({model.formula})"
    return f"{formula}: {model.verdict}"


def _exponents(number: int, subject: SubjectFacts) -> Section:
    rows = tuple(
        (
            exponent.symbol,
            f"{exponent.exponent:.3f}",
            f"{exponent.interval[0]:.3f} to {exponent.interval[1]:.3f}",
            "" if exponent.interval[0] <= 1 <= exponent.interval[1] else "not linear",
        )
        for exponent in subject.exponents
    )
    heads = columns("=time against", "#exponent", "#95 % interval", "remark")
    return Section(
        f"parameters-{number}-exponents",
        f"Exponents: {title_of(subject)}",
        (Table("Exponents", heads, rows),),
        lead="Of what grows, beside what every curve has at size 0.",
    )


def _interval(parameter: ParameterFacts) -> str:
    if parameter.interval is None:
        return "given" if parameter.given else "none"
    return f"{parameter.interval[0]:.4g} to {parameter.interval[1]:.4g}"


def _remark(parameter: ParameterFacts) -> str:
    is_nothing = parameter.interval is not None and parameter.interval[0] <= 0
    return "cannot be told from 0" if is_nothing and not parameter.given else ""


def _chart(subject: SubjectFacts) -> list[Block]:
    bars = []
    for formula in subject.laws[:CHARTED]:
        held = next((said for said in formula.held_out if said.way == BETWEEN), None)
        if held is not None:
            bars.append(Bar(formula.law, 100 * held.median_error, percent(held.median_error)))
    if not bars:
        return []
    caption = "Median error of points that were held out at random; less is better."
    return [Figure(BarChart(tuple(bars), axis="%"), caption)]


def _number_words(numbers: dict[str, float]) -> str:
    ranks = numbers.get("p")
    return f", {ranks:g} ranks" if ranks is not None else ""


def _said(predicted: float | None, measured: float) -> str:
    if predicted is None:
        return ""
    return f"{format_seconds(predicted)} ({percent(predicted / measured - 1, signed=True)})"
