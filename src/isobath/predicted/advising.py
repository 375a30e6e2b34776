# SPDX-License-Identifier: Apache-2.0
"""Advice from stored runs and costs: read, told as sections and for programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import Field

from isobath.costmodel.switches import PLANS
from isobath.errors import UsageError
from isobath.predicted.commands import command_of, mapping_words
from isobath.predicted.model import SpreadFacts
from isobath.predicted.reading import LARGEST_SCALE, MOST_RANKS, read_costs, read_observed
from isobath.predicted.wording import (
    change_words,
    gteps_words,
    seconds_words,
    unknown_notice,
    without,
)
from isobath.prediction.advice import Advice, Advised, advise
from isobath.prediction.costs import Costs
from isobath.prediction.observed import Observed, nothing_run
from isobath.records.described import Described
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of
from isobath.settings.values import no_choice
from isobath.stats.comparisons import MARGIN
from isobath.study.findings import Facts
from isobath.study.shelf import Shelf
from isobath.study.tables import DataTable, TableOf, table_of
from isobath.units import format_seconds
from isobath.view.content import Fact, Figure, Listing, Page, Section, Table, columns
from isobath.view.content import Facts as FactsBlock

ADVICE_SCHEMA = 1
SHOWN = 12
WITHOUT_RUN = ("hybrid", "two-dim", "simple", "replicated-csc")
"""Plans that are looked at where no run is named."""


class ChoiceFacts(Facts):
    """A choice, predicted."""

    plan: str
    grid: str
    ranks_per_node: int
    mapping: Literal["columns", "rows"]
    """what lies side by side on a node"""
    exchange: str
    command: str
    """that runs it, in the default mapping"""
    mapping_words: str
    """what to do for this mapping instead; empty where the command lays ranks out so"""
    predicted_seconds: SpreadFacts
    predicted_gteps: SpreadFacts
    predicted_change: SpreadFacts
    """share of the time of the usual choice; below 0 is faster"""
    predicted_best: float
    """share of draws in which no other choice is faster"""


class AlgorithmFacts(Facts):
    """A collective of the first choice, and which algorithm it should be made to use."""

    call: str
    taken: str
    """by the library itself, or forced in the run; several where sizes differ"""
    best: str
    outcome: Literal["as it is", "faster", "cannot tell"]
    predicted_change: SpreadFacts
    """share of the time of the search with the best at every size; below 0 is faster"""


class AdviceFindings(Facts):
    """Advice. Fields as of predictions."""

    schema_number: Literal[1] = Field(alias="schema")
    kind: Literal["advise"]
    nodes: int
    scale: int
    runs: list[str]
    communication_alone: bool
    """no run was named: computation is in no number"""
    usual: ChoiceFacts
    choices: list[ChoiceFacts]
    algorithms: list[AlgorithmFacts]
    rests_on: list[str]
    to_measure: list[str]
    refused: list[str]
    beyond: list[str]
    unknown: list[str]
    """parts of a search that a run does not tell: they are in no number of its plan"""
    problems: list[str]


TABLES = {"choices": TableOf("every choice, the best first", "choices")}


@dataclass(frozen=True)
class Sought:
    """What advice is asked for."""

    nodes: int
    scale: int
    networks: tuple[str, ...]
    runs: tuple[str, ...] = ()
    per_node: tuple[int, ...] = (1,)
    plans: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    """networks, too, by the other name of their option"""


@dataclass(frozen=True)
class AdviceFound:
    """Advice with all that stands around it."""

    sought: Sought
    runs: dict[str, Observed]
    advice: Advice
    problems: tuple[str, ...]

    @property
    def is_of_calls(self) -> bool:
        """No run was named."""
        return not self.sought.runs


def find_advice(where: Shelf, sought: Sought) -> AdviceFound:
    """Raises: UsageError for what cannot be asked; EnvironmentProblem for a study that cannot be
    read.
    """
    _check(sought)
    runs: dict[str, Observed] = {}
    problems: list[str] = []
    for word in sought.runs:
        observed, doubt = read_observed(where, word)
        plan = observed.setting.switches.plan
        if plan in runs:
            raise UsageError(f"--run {word}: another run of {plan} is named; one of each plan does")
        runs[plan] = observed
        problems += [doubt] if doubt else []
    if not sought.runs:
        runs = {plan: nothing_run(sought.scale, plan) for plan in sought.plans or WITHOUT_RUN}
    costs = _costs(where, sought, runs)
    advice = advise(runs, sought.scale, sought.nodes, sought.per_node, costs)
    return AdviceFound(sought, runs, advice, tuple(problems))


def _costs(where: Shelf, sought: Sought, runs: Mapping[str, Observed]) -> dict[str, Costs]:
    """By plan: those of the networks that are named, else of the plan's own run."""
    if sought.networks or sought.platforms:
        return dict.fromkeys(runs, read_costs(where, sought.networks, None, sought.platforms))
    return {plan: read_costs(where, (), run) for plan, run in runs.items()}


def _check(sought: Sought) -> None:
    if not 1 <= sought.scale <= LARGEST_SCALE:
        raise UsageError(f"--scale {sought.scale} is no scale; take 1 to {LARGEST_SCALE}")
    if sought.nodes < 1:
        raise UsageError(f"--nodes {sought.nodes}: at least one node searches")
    most = sought.nodes * max(sought.per_node)
    if min(sought.per_node) < 1 or most > MOST_RANKS:
        raise UsageError(f"--ranks-per-node: 1 to {MOST_RANKS // sought.nodes:,} on so many nodes")
    if (1 << sought.scale) < most:
        raise UsageError(f"scale {sought.scale} has fewer vertices than {most} ranks")
    if not sought.networks and not sought.platforms and not sought.runs:
        raise UsageError("nothing tells what calls cost: add --network with a study or a file")
    for plan in sought.plans:
        if plan not in PLANS:
            raise no_choice("--plan", plan, PLANS)
    if sought.plans and sought.runs:
        raise UsageError("--plan goes without --run: a run has its plan")


def advice_facts(answer: AdviceFound) -> dict[str, Any]:
    """What advise --json prints; its schema is schema/advice-1.json."""
    advice = answer.advice
    facts = {
        "schema": ADVICE_SCHEMA,
        "kind": "advise",
        "nodes": answer.sought.nodes,
        "scale": answer.sought.scale,
        "runs": [run.run_id for run in answer.runs.values() if run.searches],
        "communication_alone": answer.is_of_calls,
        "usual": _choice(advice.usual, answer.sought.scale),
        "choices": [_choice(one, answer.sought.scale) for one in advice.ranked],
        "algorithms": [
            {
                "call": one.call,
                "taken": one.taken,
                "best": one.best,
                "outcome": one.outcome,
                "predicted_change": asdict(one.change),
            }
            for one in advice.algorithms
        ],
        "rests_on": list(advice.ranked[0].prediction.sources),
        "to_measure": list(advice.to_measure),
        "refused": list(advice.refused),
        "beyond": list(advice.ranked[0].prediction.far),
        "unknown": list(unknown_parts(advice)),
        "problems": list(answer.problems),
    }
    return AdviceFindings.model_validate(facts).model_dump(mode="json", by_alias=True)


def advice_data(answer: AdviceFound, name: str) -> DataTable:
    """A table of it. Raises: KeyError."""
    return table_of(TABLES[name], advice_facts(answer), AdviceFindings)


def _choice(one: Advised, scale: int) -> dict[str, Any]:
    choice = one.choice
    return {
        "plan": choice.plan,
        "grid": str(choice.grid),
        "ranks_per_node": choice.per_node,
        "mapping": choice.mapping,
        "exchange": choice.exchange,
        "command": command_of(choice, scale),
        "mapping_words": mapping_words(choice),
        "predicted_seconds": asdict(one.prediction.spread),
        "predicted_gteps": asdict(one.prediction.gteps),
        "predicted_change": asdict(one.change),
        "predicted_best": one.surely_best,
    }


def unknown_parts(advice: Advice) -> tuple[str, ...]:
    """Of any choice that is compared."""
    return tuple(dict.fromkeys(part for one in advice.ranked for part in one.prediction.unknown))


def advice_notices(answer: AdviceFound) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    said = list(answer.problems)
    if answer.is_of_calls:
        said.append(
            "COMMUNICATION ALONE: no run was named, so predicted times hold calls and no "
            "computation; plans that compute differently are not told apart by it."
        )
    unknown = unknown_parts(answer.advice)
    if unknown:
        said.append(unknown_notice(unknown))
    far = answer.advice.ranked[0].prediction.far
    if far:
        said.append(
            "EXTRAPOLATED: beyond four times what was measured nothing supports the predicted "
            f"times: {'; '.join(far)}."
        )
    return tuple(said)


def advice_sections(answer: AdviceFound) -> Iterator[Section]:
    """The advice, all choices, what it rests on."""
    advice, first = answer.advice, answer.advice.ranked[0]
    mapped = mapping_words(first.choice)
    facts = (
        Fact("advised", str(first.choice)),
        Fact("to run it", command_of(first.choice, answer.sought.scale)),
        *((Fact("mapping", mapped),) if mapped else ()),
        Fact(
            "predicted time of a search",
            seconds_words(first.prediction.spread),
            f"90 % interval{without(first.prediction.unknown)}",
        ),
        *(
            (Fact("predicted rate", gteps_words(first.prediction.gteps)),)
            if not answer.is_of_calls  # without computation it is no rate
            else ()
        ),
        Fact("predicted change", change_words(first.change), f"against {advice.usual.choice}"),
        Fact("predicted to be the best", f"{100 * first.surely_best:.0f} % of draws"),
        *_oftener_best(advice.ranked),
    )
    yield Section(
        "advice",
        f"Advised for {count_of(answer.sought.nodes, 'node')} and scale {answer.sought.scale}",
        (FactsBlock(facts, style="pairs"),),
        lead=_lead(first, advice.usual),
    )
    yield _choices(advice.ranked)
    if advice.algorithms:
        yield _algorithms(advice)
    blocks = [Listing("Costs of calls", first.prediction.sources)]
    if advice.to_measure:
        blocks.append(Listing("Measure to be surer", advice.to_measure))
    if advice.refused:
        blocks.append(Listing("Not told", advice.refused))
    yield Section("basis", "What it rests on", tuple(blocks))


def _algorithms(advice: Advice) -> Section:
    rows = tuple(
        (one.call, one.taken, one.best, one.outcome, change_words(one.change))
        for one in advice.algorithms
    )
    heads = columns("=call", "=taken", "=best", "=predicted", "#time of a search (90 %)")
    faster = [f"{one.best} for {one.call}" for one in advice.algorithms if one.outcome == "faster"]
    return Section(
        "algorithms",
        "Algorithms of the first choice, predicted",
        (Table("Predicted algorithms", heads, rows),),
        lead=f"Predicted to be faster at every size: {', '.join(faster)}." if faster
        else "Predicted: no algorithm is surely faster than what the library takes.",
    )  # fmt: skip


def _oftener_best(ranked: Sequence[Advised]) -> Iterator[Fact]:
    """The first is that of the smallest predicted time; another may be the fastest more often."""
    often = max(ranked, key=lambda one: one.surely_best)
    if often.surely_best > ranked[0].surely_best:
        words = f"{often.choice}, {100 * often.surely_best:.0f} % of draws"
        yield Fact("predicted to be the best more often", words)


def _lead(first: Advised, usual: Advised) -> str:
    """What is gained counts from what ``compare`` takes for a difference."""
    change, little = first.change, f"{100 * MARGIN:.0f} %"
    if first.choice == usual.choice:
        return "Predicted: nothing is faster than the usual choice."
    if change.high < -MARGIN:
        return (
            f"Predicted: surely faster than the usual choice, by more than {little}, as far as its "
            "costs hold."
        )
    if change.low >= -MARGIN and change.high <= MARGIN:
        return f"Predicted: as good as the usual choice, within {little}, which does not matter."
    if change.high < 0:
        return (
            f"Predicted: faster than the usual choice; cannot tell that it is by more than "
            f"{little}, which would matter."
        )
    return "Predicted: cannot tell that it is faster than the usual choice."


def _choices(ranked: Sequence[Advised]) -> Section:
    rows = tuple(
        (
            str(one.choice),
            seconds_words(one.prediction.spread),
            change_words(one.change),
            f"{100 * one.surely_best:.0f} %",
        )
        for one in ranked[:SHOWN]
    )
    left = f"{len(ranked) - SHOWN} more stand in --json." if len(ranked) > SHOWN else ""
    heads = columns("=choice", "#predicted (90 %)", "#against the usual", "#best in")
    bars = tuple(
        Bar(str(one.choice), one.prediction.seconds * 1e3, format_seconds(one.prediction.seconds),
            low=one.prediction.spread.low * 1e3, high=one.prediction.spread.high * 1e3)
        for one in ranked[:SHOWN]
    )  # fmt: skip
    return Section(
        "choices",
        "Choices, predicted",
        (
            Table("Predicted times by choice", heads, rows, left_out=left),
            Figure(
                BarChart(bars, axis="predicted, ms"),
                "Predicted time of a search by choice; the line is its 90 % interval.",
            ),
        ),
    )


def advice_page(answer: AdviceFound) -> Page:
    """All sections."""
    nodes = count_of(answer.sought.nodes, "node")
    return Page(
        title=f"Advice for {nodes}",
        heading=f"Advised for {nodes} and scale {answer.sought.scale}, from predictions",
        place="",
        noun="runs" if len(answer.runs) > 1 else "run",
        name=", ".join(run.run_id for run in answer.runs.values()),
        made_from="records.jsonl",
        sections=tuple(advice_sections(answer)),
        doubts=advice_notices(answer),
        labels=("PREDICTED",),
    )


def schema_text() -> str:
    """schema/advice-1.json, byte for byte."""
    import json

    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= AdviceFindings.model_json_schema(by_alias=True, schema_generator=Described)
    return json.dumps(schema, indent=2) + "\n"
