# SPDX-License-Identifier: Apache-2.0
"""What was measured, on what, and what may not be believed."""

from isobath.bench.words import size_words
from isobath.report.bench_data import BenchData
from isobath.report.wording import count_of, listing
from isobath.view.content import Block, Fact, Facts, Headline, Listing, Notice, Section, nothing

TITLE = "Result"

SHOWN = 8


def render(bench: BenchData) -> Section:
    """The number of results, then the worst of each kind of finding in a sentence."""
    measured = bench.measured
    if not measured.cells:
        return nothing("result", TITLE, "No launch of this benchmark has left a record yet.")
    blocks: list[Block] = [_headline(bench), *map(Notice, notices(bench))]
    worst = findings(bench)
    if worst:
        blocks.append(Listing("What to know first", worst))
    blocks.append(Facts(_figures(bench), style="large"))
    return Section("result", TITLE, tuple(blocks), lead=sentence(bench))


def _headline(bench: BenchData) -> Headline:
    measured = bench.measured
    right = not any(one.data_failure for one in measured.cells)
    total = len(measured.spec.arms) * measured.spec.launches
    complete = measured.launches_done == total
    badge = "data of every cell were right" if right else "WRONG DATA: see below"
    return Headline(
        f"{len(measured.results):,}",
        "",
        "cells",
        f"of {len(measured.cells):,} have times that count, each from "
        f"{count_of(measured.spec.launches, 'launch', 'launches')}",
        badge,
        right and complete and not measured.problems,
    )


def sentence(bench: BenchData) -> str:
    """The benchmark in words."""
    measured = bench.measured
    names = {one.cell.collective for one in measured.cells}
    sizes = [one.cell.size_bytes for one in measured.cells if one.cell.size_bytes]
    ranks = sorted({arm.ranks for arm in measured.spec.arms})
    span = f", {size_words(min(sizes))} to {size_words(max(sizes))}" if sizes else ""
    return (
        f"{count_of(len(names), 'collective')} of {listing(bench.libraries)} on "
        f"{listing(map(str, ranks))} ranks{span}: medians over launches, in random order."
    )


def notices(bench: BenchData) -> tuple[str, ...]:
    """What the reader must know before believing a number."""
    measured = bench.measured
    found = []
    over = [one for one in measured.cells if one.oversubscribed]
    if over:
        found.append(
            f"OVERSUBSCRIBED: {count_of(len(over), 'cell')} had more ranks than processors. Ranks "
            "took turns, so no time of these is shown on this page; data were checked, bytes are "
            "facts."
        )
    total = len(measured.spec.arms) * measured.spec.launches
    if measured.launches_done < total:
        found.append(f"UNFINISHED: {measured.launches_done} of {total} launches are done.")
    if measured.spec.launches < 3:
        found.append(
            "FEW LAUNCHES: fewer than 3. Launches differ more than the repetitions of one say, so "
            "the intervals are too narrow."
        )
    found += [f"Offload, {mpi}: {words}." for mpi, words in measured.spec.offload.items()]
    apart = [one for one in measured.results if one.launches_disagree]
    if apart:
        found.append(
            f"FEW LAUNCHES: of {count_of(len(apart), 'cell')} the medians of launches differ by "
            "more than a quarter. Their interval is the range of these medians, and nothing is "
            "concluded from them: launch more often."
        )
    found += [
        f"WRONG DATA: {one.cell.words()}: {one.data_failure}"
        for one in measured.cells
        if one.data_failure
    ][:SHOWN]
    return (*found, *measured.problems[:SHOWN])


def findings(bench: BenchData) -> tuple[str, ...]:
    """The worst of each kind."""
    found = [one.sentence for one in bench.traps[:3]]
    clear = [one for one in bench.regrets if one.is_clear]
    if clear:
        one = max(clear, key=lambda one: one.loss)
        found.append(
            f"The largest regret: {one.default.cell.words()} takes {1 + one.loss:.2f} times as "
            f"long as with {one.best.choice}."
        )
    broken = [one for one in bench.checks if one.outcome == "broken"]
    if broken:
        found.append(max(broken, key=lambda one: one.factor).sentence() + ".")
    return tuple(found)


def _figures(bench: BenchData) -> tuple[Fact, ...]:
    measured = bench.measured
    idle = sum(bool(one.not_runnable) for one in measured.cells)
    broken = sum(one.outcome == "broken" for one in bench.checks)
    return (
        Fact("launches", f"{measured.launches_done}", f"{measured.spec.launches} of each arm"),
        Fact("switch points", f"{len(bench.switches)}", "found again by most bootstrap samples"),
        Fact("traps", f"{len(bench.traps)}", "sizes that cost more than they need"),
        Fact("clear regrets", f"{sum(one.is_clear for one in bench.regrets)}",
             f"of {len(bench.regrets)} defaults with rivals"),
        Fact("guidelines broken", f"{broken}", f"of {len(bench.checks)} checks"),
        Fact("not runnable", f"{idle}", "for want of memory, or unknown here"),
    )  # fmt: skip
