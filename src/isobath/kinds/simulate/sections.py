# SPDX-License-Identifier: Apache-2.0
"""What a simulation found, as sections: the search, its levels, its calls, what it rests on."""

from collections.abc import Iterator

from isobath.kinds.simulate.model import SimulationResult, StepFacts
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


def notices_of(found: SimulationResult) -> tuple[str, ...]:
    """What has to be known before any number is believed."""
    said = [
        *found.problems,
        f"SIMULATED: no search was run; times are SimGrid's, on {found.platform.title}.",
    ]
    if found.platform.source != "measured":
        said.append(
            f"Links are {found.platform.source}, not measured: {found.platform.told}. Take shapes "
            "and ratios from it, no times."
        )
    return (*said, *found.notes)


def summary(found: SimulationResult) -> Iterator[Section]:
    """The search as a whole."""
    facts = [
        Fact("simulated time of the search", format_seconds(found.simulated_seconds)),
        Fact("search", f"{found.plan}, scale {found.scale}, exchange {found.exchange}"),
        Fact("ranks", f"{found.ranks}, grid {found.grid}"),
        Fact(
            "nodes", f"{found.nodes}, {found.ranks_per_node} ranks each, {found.mapping} together"
        ),
        Fact("platform", found.platform.title),
        Fact("bytes sent", format_bytes(sum(one.bytes_sent for one in found.steps))),
        Fact("messages", format_count(sum(one.messages for one in found.steps))),
    ]
    if found.simulated_gteps is not None:
        facts.insert(1, Fact("simulated rate", f"{found.simulated_gteps:.3g} GTEPS"))
    if found.measured_seconds is not None:
        words = format_seconds(found.measured_seconds)
        facts.append(Fact("measured time of it", words, f"in {found.run}"))
    yield Section("summary", "Simulated search", (Facts(tuple(facts), style="pairs"),),
                  lead=_lead(found))  # fmt: skip


def _lead(found: SimulationResult) -> str:
    slowest = max(found.steps, key=lambda one: one.simulated_seconds_max)
    return (
        f"Simulated: {slowest.phase} of level {slowest.level} takes longest, "
        f"{format_seconds(slowest.simulated_seconds_max)} in {slowest.call}."
    )


def phases(found: SimulationResult) -> Iterator[Section]:
    """Phases and calls, the slowest first, over all levels."""
    alike: dict[tuple[str, str, str], list[StepFacts]] = {}
    for one in found.steps:
        alike.setdefault((one.phase, one.call, one.communicator), []).append(one)
    order = sorted(alike.items(), key=lambda item: -_seconds(item[1]))
    rows = tuple(
        (
            phase, call, communicator, format_seconds(_seconds(several)), _measured(several),
            format_bytes(sum(one.bytes_sent for one in several)),
            format_count(sum(one.messages for one in several)),
        )
        for (phase, call, communicator), several in order
    )  # fmt: skip
    heads = columns("=phase", "=call", "=ranks", "#simulated", "#measured", "#bytes", "#messages")
    bars = tuple(
        Bar(f"{phase}, {call}", 1e3 * _seconds(several), format_seconds(_seconds(several)))
        for (phase, call, _), several in order[:12]
    )
    blocks: tuple[Block, ...] = (
        Table("Simulated time by phase and call, slowest rank", heads, rows, keys=3),
        Figure(BarChart(bars, axis="ms"), "Simulated time of the slowest rank by phase and call."),
    )
    yield Section("phases", "Phases and calls, simulated", blocks)


def levels(found: SimulationResult) -> Iterator[Section]:
    """Every call of every level."""
    rows, left = first_rows(
        tuple(
            (
                "outside" if one.level < 0 else str(one.level), one.phase, one.call,
                format_seconds(one.simulated_seconds_max),
                format_seconds(one.simulated_seconds_mean), _measured([one]),
                format_bytes(one.bytes_sent), format_count(one.messages),
            )
            for one in found.steps
        ),
        SHOWN,
        "--view steps --format csv",
    )  # fmt: skip
    heads = columns("#level", "=phase", "=call", "#simulated, slowest", "#simulated, mean",
                    "#measured, slowest", "#bytes", "#messages")  # fmt: skip
    table = Table("Simulated time by level", heads, rows, left_out=left, keys=3)
    yield Section("levels", "Levels, simulated", (table,))


def basis(found: SimulationResult) -> Iterator[Section]:
    """What it rests on, and what it took."""
    platform = found.platform
    facts = (
        Fact("topology", f"{platform.topology}, {count_of(platform.nodes, 'node')}"),
        Fact("link", f"{format_bytes(platform.bytes_per_second)}/s each way"),
        Fact("latency of a link", format_seconds(platform.latency_seconds)),
        Fact("cost of a message", format_seconds(platform.overhead_seconds),
             "for who sends it, and for who receives it"),
        Fact("algorithms chosen as by", found.algorithms),
        Fact("SimGrid", found.simgrid),
        Fact("simulated messages", format_count(found.flows), "expected, inner ones included"),
        Fact("simulation took", format_seconds(found.took_seconds),
             f"at most {format_bytes(found.took_bytes)} of memory, here"),
        Fact("digest of the platform", platform.digest[:16]),
    )  # fmt: skip
    blocks: list[Block] = [Facts(facts, style="pairs")]
    blocks.append(Listing("Where its numbers are from", (f"{platform.source}: {platform.told}",)))
    if found.notes:
        blocks.append(Listing("Not as in a search", tuple(found.notes)))
    yield Section("basis", "What it rests on", tuple(blocks))


def method(found: SimulationResult) -> Iterator[Section]:
    """What the words mean."""
    facts = tuple(Fact(name, words) for name, words in METHOD.items())
    yield Section("method", "What the words mean", (Facts(facts, style="words"),), measured=False)


def all_sections(found: SimulationResult) -> Iterator[Section]:
    """Of the page."""
    for form in (summary, phases, levels, basis, method):
        yield from form(found)


def _seconds(several: list[StepFacts]) -> float:
    return sum(one.simulated_seconds_max for one in several)


def _measured(several: list[StepFacts]) -> str:
    told = [one.measured_seconds_max for one in several if one.measured_seconds_max is not None]
    return format_seconds(sum(told)) if told else ""
