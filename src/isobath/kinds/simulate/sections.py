# SPDX-License-Identifier: Apache-2.0
"""What a simulation found, as sections: the search, its levels, its calls, what it rests on."""

from collections.abc import Iterator

from isobath.kinds.simulate.model import PlatformFacts, SimulationResult, StepFacts
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of
from isobath.units import format_bytes, format_count, format_seconds
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Listing,
    Section,
    Table,
    columns,
    first_rows,
)

LABELS = ("SIMULATED",)
SHOWN = 60
COMPUTING = "compute"

METHOD = {
    "simulated": "SimGrid carries every message of the schedule over the links of the platform; "
    "links share their rate among the messages on them",
    "skeleton": "the program that makes the calls: those of a search, with its counts and without "
    "its data",
    "measured": "the same call in the run that the counts are of, on the machine of that run",
    "not in it": "what happens inside an MPI library besides its messages, losses, other users",
    "messages": "as the ledger counts: to others, with at least a byte",
}


def notices_of(result: SimulationResult) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    said = [
        *result.problems,
        f"SIMULATED: {_done(result)}; times are SimGrid's, on {result.platform.title}.",
    ]
    if result.platform.source != "measured":
        said.append(
            f"Links are {result.platform.source}, not measured: {result.platform.told}. "
            "Take shapes and ratios from it, no times."
        )
    return (*said, *result.notes)


def _done(result: SimulationResult) -> str:
    if result.engine:
        return "the engine searched and validated, on ranks that are simulated"
    return "no search was run"


def summary(result: SimulationResult) -> Iterator[Section]:
    """The search as a whole."""
    facts = [
        Fact("simulated time of the search", format_seconds(result.simulated_seconds)),
        Fact("search", f"{result.plan}, scale {result.scale}, exchange {result.exchange}"),
        Fact("ranks", f"{result.ranks}, grid {result.grid}"),
        Fact(
            "nodes",
            f"{result.nodes}, {result.ranks_per_node} ranks each, {result.mapping} together",
        ),
        Fact("platform", result.platform.title),
        Fact("bytes sent", format_bytes(sum(step.bytes_sent for step in result.steps))),
        Fact("messages", format_count(sum(step.messages for step in result.steps))),
    ]
    if result.simulated_gteps is not None:
        facts.insert(1, Fact("simulated rate", f"{result.simulated_gteps:.3g} GTEPS"))
    if result.measured_seconds is not None:
        words = format_seconds(result.measured_seconds)
        facts.append(Fact("measured time of it", words, f"in {result.run}"))
    yield Section("summary", "Simulated search", (Facts(tuple(facts), style="pairs"),),
                  lead=_lead(result))  # fmt: skip


def _lead(result: SimulationResult) -> str:
    slowest = max(result.steps, key=lambda step: step.simulated_seconds_max)
    return (
        f"Simulated: {slowest.phase} of level {slowest.level} takes longest, "
        f"{format_seconds(slowest.simulated_seconds_max)} in {slowest.call}."
    )


def phases(result: SimulationResult) -> Iterator[Section]:
    """Phases and calls, the slowest first, over all levels."""
    alike: dict[tuple[str, str, str], list[StepFacts]] = {}
    for step in result.steps:
        alike.setdefault((step.phase, step.call, step.communicator), []).append(step)
    order = sorted(alike.items(), key=lambda item: -_seconds(item[1]))
    rows = tuple(
        (
            phase, call, communicator, format_seconds(_seconds(several)), _measured(several),
            format_bytes(sum(step.bytes_sent for step in several)),
            format_count(sum(step.messages for step in several)),
        )
        for (phase, call, communicator), several in order
    )  # fmt: skip
    heads = columns("=phase", "=call", "=ranks", "#simulated", "#measured", "#bytes", "#messages")
    bars = tuple(_bar(f"{phase}, {call}", several) for (phase, call, _), several in order[:12])
    marked = "; the mark across a bar was measured" if any(bar.limit for bar in bars) else ""
    blocks: tuple[Block, ...] = (
        Table("Simulated time by phase and call, slowest rank", heads, rows, keys=3),
        Figure(
            BarChart(bars, axis="simulated, ms"),
            f"Simulated time of the slowest rank by phase and call{marked}.",
        ),
    )
    yield Section("phases", "Phases and calls, simulated", blocks)


def _bar(name: str, several: list[StepFacts]) -> Bar:
    """Simulated, and a mark where it was measured."""
    took = _measured_seconds(several)
    words = format_seconds(_seconds(several))
    words += f", measured {format_seconds(took)}" if took is not None else ""
    return Bar(name, 1e3 * _seconds(several), words, limit=None if took is None else 1e3 * took)


def levels(result: SimulationResult) -> Iterator[Section]:
    """Every call of every level."""
    rows, left = first_rows(
        tuple(
            (
                "outside" if step.level < 0 else str(step.level), step.phase, step.call,
                format_seconds(step.simulated_seconds_max),
                format_seconds(step.simulated_seconds_mean), _measured([step]),
                format_bytes(step.bytes_sent), format_count(step.messages),
            )
            for step in result.steps
        ),
        SHOWN,
        "--view steps --format csv",
    )  # fmt: skip
    heads = columns("#level", "=phase", "=call", "#simulated, slowest", "#simulated, mean",
                    "#measured, slowest", "#bytes", "#messages")  # fmt: skip
    table = Table("Simulated time by level", heads, rows, left_out=left, keys=3)
    yield Section("levels", "Levels, simulated", (table,))


def basis(result: SimulationResult) -> Iterator[Section]:
    """What it rests on, and what it took."""
    platform = result.platform
    facts = (
        Fact("topology", f"{platform.topology}, {count_of(platform.nodes, 'node')}"),
        Fact("link", f"{format_bytes(platform.bytes_per_second)}/s each way"),
        Fact("latency of a link", format_seconds(platform.latency_seconds)),
        _cost_of_a_message(platform),
        Fact("algorithms chosen as by", result.algorithms),
        Fact("SimGrid", result.simgrid),
        _messages(result),
        Fact("simulation took", format_seconds(result.took_seconds),
             f"at most {format_bytes(result.took_bytes)} of memory, here"),
        Fact("digest of the platform", platform.digest[:16]),
    )  # fmt: skip
    blocks: list[Block] = [Facts(facts, style="pairs")]
    blocks.append(Listing("Where its numbers are from", (f"{platform.source}: {platform.told}",)))
    if result.notes:
        blocks.append(Listing("Not as in a search", tuple(result.notes)))
    yield Section("basis", "What it rests on", tuple(blocks))


def _messages(result: SimulationResult) -> Fact:
    """That were simulated."""
    if result.engine:
        return Fact("simulated messages", "those of the engine itself")
    return Fact("simulated messages", format_count(result.flows), "expected, inner ones included")


def _cost_of_a_message(platform: PlatformFacts) -> Fact:
    """For its ranks."""
    if platform.segments:
        return Fact("cost of a message", f"by {count_of(platform.segments, 'segment')} of sizes")
    words = "for who sends it, and for who receives it"
    return Fact("cost of a message", format_seconds(platform.overhead_seconds), words)


def method(result: SimulationResult) -> Iterator[Section]:
    """What the words mean."""
    facts = tuple(Fact(name, words) for name, words in METHOD.items())
    yield Section("method", "What the words mean", (Facts(facts, style="words"),), measured=False)


def all_sections(result: SimulationResult) -> Iterator[Section]:
    """Of the page."""
    for form in (summary, phases, levels, basis, method):
        yield from form(result)


def _seconds(several: list[StepFacts]) -> float:
    return sum(step.simulated_seconds_max for step in several)


def _measured(several: list[StepFacts]) -> str:
    took = _measured_seconds(several)
    return format_seconds(took) if took is not None else ""


def _measured_seconds(several: list[StepFacts]) -> float | None:
    """None where nothing was."""
    told = [step.measured_seconds_max for step in several if step.measured_seconds_max is not None]
    return sum(told) if told else None
