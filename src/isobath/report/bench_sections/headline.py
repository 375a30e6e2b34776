# SPDX-License-Identifier: Apache-2.0
"""What was measured, on what, and what may not be believed."""

from isobath.report.bench_data import BenchData
from isobath.report.wording import count_of, listing
from isobath.units import size_words
from isobath.view.content import Block, Fact, Facts, Headline, Listing, Section, nothing

TITLE = "Result"

SHOWN = 8


def render(bench: BenchData) -> Section:
    """The number of results, then the worst of each kind of finding in a sentence."""
    measured = bench.measured
    if not measured.cells:
        return nothing("result", TITLE, "No launch of this benchmark has left a record yet.")
    blocks: list[Block] = [_headline(bench)]
    worst = findings(bench)
    if worst:
        blocks.append(Listing("What to know first", worst))
    blocks.append(Facts(_figures(bench), style="large"))
    idle = _not_runnable(bench)
    if idle:
        blocks.append(Listing("Not runnable", idle[:SHOWN]))
    return Section("result", TITLE, tuple(blocks), lead=sentence(bench))


def _headline(bench: BenchData) -> Headline:
    measured = bench.measured
    wrong = sum(bool(cell.data_failure) for cell in measured.cells)
    total = len(measured.plan.arms) * measured.plan.launches
    complete = measured.launches_done == total
    badge = f"WRONG DATA in {count_of(wrong, 'cell')}" if wrong else "data of every cell were right"
    return Headline(
        f"{len(measured.results):,}",
        "",
        "cell" if len(measured.results) == 1 else "cells",
        f"of {len(measured.cells):,} with times that count, each from "
        f"{count_of(measured.plan.launches, 'launch', 'launches')}",
        badge,
        not wrong and complete and not measured.problems,
    )


def sentence(bench: BenchData) -> str:
    """The benchmark in words."""
    measured = bench.measured
    names = {cell.cell.collective for cell in measured.cells}
    sizes = [cell.cell.size_bytes for cell in measured.cells if cell.cell.size_bytes]
    ranks = sorted({arm.ranks for arm in measured.plan.arms})
    span = f", {size_words(min(sizes))} to {size_words(max(sizes))}" if sizes else ""
    return (
        f"{count_of(len(names), 'collective')} of {listing(bench.libraries)} on "
        f"{listing(map(str, ranks))} ranks{span}: medians over launches, in random order."
    )


def findings(bench: BenchData) -> tuple[str, ...]:
    """The worst of each kind."""
    measured = bench.measured
    sentences = [trap.sentence for trap in bench.traps[:3]]
    clear = [regret for regret in bench.regrets if regret.is_clear]
    if clear:
        worst = max(clear, key=lambda regret: regret.loss)
        sentences.append(
            f"The largest regret: {measured.name_of(worst.default)} takes {1 + worst.loss:.2f} "
            f"times as long as with {worst.best.choice}."
        )
    broken = [check for check in bench.checks if check.outcome == "broken"]
    if broken:
        check = max(broken, key=lambda check: check.factor)
        sentences.append(f"{check.sentence(bench.under(check.left))}.")
    return tuple(sentences)


def _figures(bench: BenchData) -> tuple[Fact, ...]:
    measured = bench.measured
    idle = sum(bool(cell.not_runnable) for cell in measured.cells)
    broken = sum(check.outcome == "broken" for check in bench.checks)
    return (
        Fact("launches", f"{measured.launches_done}", f"{measured.plan.launches} of each arm"),
        Fact("switch points", f"{len(bench.switches)}", "found again by most bootstrap samples"),
        Fact("traps", f"{len(bench.traps)}", "sizes that cost more than they need"),
        Fact("clear regrets", f"{sum(regret.is_clear for regret in bench.regrets)}",
             f"of {len(bench.regrets)} defaults with rivals"),
        Fact("guidelines broken", f"{broken}", f"of {len(bench.checks)} checks"),
        Fact("not runnable", f"{idle}", "for want of memory, or unknown here"),
    )  # fmt: skip


def _not_runnable(bench: BenchData) -> tuple[str, ...]:
    """A sentence for each reason."""
    names_by_reason: dict[str, list[str]] = {}
    for cell in bench.measured.cells:
        if cell.not_runnable:
            names_by_reason.setdefault(cell.not_runnable, []).append(bench.measured.name_of(cell))
    return tuple(
        f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {reason}"
        for reason, names in names_by_reason.items()
    )
