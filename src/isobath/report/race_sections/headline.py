# SPDX-License-Identifier: Apache-2.0
"""What was raced, where, who was first, and whether every byte was accounted for."""

from isobath.report.race_cell import RacedCell, bytes_ratio, speed_ratio
from isobath.report.race_data import RaceData, fastest
from isobath.report.race_wording import OVERSUBSCRIBED, ratio_number, times
from isobath.report.wording import count_of, gteps, listing
from isobath.units import format_bytes
from isobath.view.content import Fact, Facts, Headline, Section, nothing

TITLE = "Result"

SHOWN_CELLS = 8

SHOWN_PROBLEMS = 32


def render(race: RaceData) -> Section:
    """The winner with its lead over the next, and a few figures."""
    if not race.done:
        what = "could be read" if race.problems else "has a completed search yet"
        return nothing("result", TITLE, f"No cell of this race {what}.")
    blocks = (headline(race), Facts(_figures(race), style="large"))
    return Section("result", TITLE, blocks, lead=sentence(race))


def headline(race: RaceData) -> Headline:
    """The fastest plan and how far it leads; by bytes where no time describes the machine."""
    good = race.validated and not deviations(race) and bool(race.audit) and not todo(race)
    if race.timed_ranks:
        ranks = race.timed_ranks
        cells = [cell for cell in race.at(ranks) if not cell.oversubscribed]
        first = fastest(cells)
        others = [cell for cell in cells if cell is not first]
        second = fastest(others)
        if first is not None and second is not None:
            meaning = lead_over(race, first, second)
            return Headline(first.plan, "", "", meaning, badge(race), good)
        if first is not None and first.teps is not None:
            alone = f"the only plan with {_ranks(race, first)}: {gteps(first.teps.value)} GTEPS"
            return Headline(first.plan, "", "", alone, badge(race), good)
    least = fewest_bytes(race.at(race.most_ranks))
    if least is None:
        return Headline("no winner", "", "", "no plan has a rate", badge(race), good)
    meaning = f"sends least with {_ranks(race, least)}: {format_bytes(least.mean_bytes)} per search"
    return Headline(least.plan, "", "", meaning, badge(race), good)


def _ranks(race: RaceData, cell: RacedCell) -> str:
    """``4 ranks``, and under which library where there are several."""
    under = race.under(cell)
    return count_of(cell.ranks, "rank") + (f" under {under}" if under else "")


def lead_over(race: RaceData, first: RacedCell, second: RacedCell) -> str:
    """How many times as fast, with the interval, and whether that is clear."""
    ratio = speed_ratio(first, second)
    ranks, other = _ranks(race, first), second.plan
    if race.under(second) != race.under(first):
        other += f" under {race.under(second)}"
    if ratio is None:
        return f"fastest with {ranks}, before {other}"
    text = f"fastest with {ranks}: {times(ratio.value)} as fast as {other}, the next"
    if ratio.low is None or ratio.high is None:
        return text
    low, high = ratio_number(ratio.low), ratio_number(ratio.high)
    doubt = (
        "" if ratio.is_clear else "; the interval holds 1, so this race does not tell them apart"
    )
    return f"{text} (95 % interval {low} to {high}{doubt})"


def fewest_bytes(cells: tuple[RacedCell, ...]) -> RacedCell | None:
    """The cell that sends least; None where nothing is sent."""
    sending = [cell for cell in cells if cell.mean_bytes > 0]
    return min(sending, key=lambda cell: cell.mean_bytes, default=None)


def badge(race: RaceData) -> str:
    """The verdict of the byte audit."""
    if not race.audit:
        return "NOT AUDITED: no byte of this race was compared with what was expected"
    wrong = deviations(race)
    total = f"{len(race.audit):,}"
    if wrong:
        return f"AUDIT FAILED: {wrong:,} of {total} entries are not as expected"
    return f"every byte accounted for: {total} of {total} entries as expected"


def deviations(race: RaceData) -> int:
    """Entries of the audit that are not as expected."""
    return sum(not line.equal for line in race.audit)


def todo(race: RaceData) -> int:
    """Cells without a completed search."""
    return len(race.cells) - len(race.done)


def sentence(race: RaceData) -> str:
    """The race in words: what, where, and how much less the most economical plan sends."""
    run = race.done[0].first.records.run
    machine = run.hosts[0].hostname
    if len(run.hosts) > 1:
        machine = f"{len(run.hosts)} machines"
    scales = sorted({cell.scale for cell in race.done})
    graph = f"a graph of scale {scales[0]}"
    if len(scales) > 1:
        graph = f"graphs of scale {listing(map(str, scales))}"
    ranks = sorted({cell.ranks for cell in race.done})
    roots = len({search.root for search in race.done[0].searches})
    text = (
        f"On {machine}, {listing(race.plans) or race.done[0].plan} searched {graph} from the same "
        f"{count_of(roots, 'root')}, with {listing(map(str, ranks))} ranks."
    )
    cells = race.at(race.most_ranks)
    least = fewest_bytes(cells)
    others = [cell for cell in cells if least is not None and cell.mean_bytes > least.mean_bytes]
    if least is None or not others:
        return text
    most = max(others, key=lambda cell: cell.mean_bytes)
    ratio = bytes_ratio(most, least)
    factor = ratio.value if ratio else most.mean_bytes / least.mean_bytes
    return (
        f"{text} With {race.most_ranks} ranks {least.plan} sends least, "
        f"{format_bytes(least.mean_bytes)} per search; {most.plan} sends {times(factor)} as much."
    )


def doubts(race: RaceData) -> tuple[str, ...]:
    """What the reader must know before believing a number."""
    sentences = _doubts_of_cells(race) if race.done else []
    if race.runs_left:
        are = "is" if race.runs_left == 1 else "are"
        sentences.append(f"{count_of(race.runs_left, 'run')} {are} still to do.")
    more = len(race.problems) - SHOWN_PROBLEMS
    rest = (f"{more} more runs failed or are not as they were sealed.",) if more > 0 else ()
    return (*sentences, *race.problems[:SHOWN_PROBLEMS], *rest)


def _doubts_of_cells(race: RaceData) -> list[str]:
    sentences = []
    if not race.validated:
        bad = [cell.name for cell in race.done if not cell.validated]
        sentences.append(
            f"UNVALIDATED: in {count_of(len(bad), 'cell')} ({listing(bad[:SHOWN_CELLS])}) not "
            "every search passed all rules, so no number of this race may be trusted."
        )
    if race.oversubscribed:
        cells = f"{len(race.oversubscribed)} of {count_of(len(race.done), 'cell')}"
        sentences.append(
            f"{OVERSUBSCRIBED} Here: {cells}; hollow marks and remarks in tables say which."
        )
    if not race.official:
        sentences.append(
            f"NOT OFFICIAL: a comparison from {count_of(race.keys, 'key')} without the rules of an "
            "official run; no number here is a Graph500 result."
        )
    wrong = [line for line in race.audit if not line.equal]
    if wrong:
        first = wrong[0]
        cell = race.with_run(first.run_id)
        unequal = ", ".join(raced.name for raced in race.cells if raced.audited is False)
        where = "outside of levels" if first.level < 0 else f"level {first.level}"
        sentences.append(
            f"AUDIT FAILED{f' in {unequal}' if unequal else ''}: "
            f"{cell.plan if cell else first.run_id}, search {first.search}, {where}, phase "
            f"{first.phase}: {first.counted_bytes:,} bytes counted, {first.expected_bytes:,} "
            "expected."
        )
    if todo(race):
        sentences.append(
            f"UNFINISHED: {todo(race)} of {count_of(len(race.cells), 'cell')} have no completed "
            "search; the same command again does what is missing."
        )
    return sentences


def _figures(race: RaceData) -> tuple[Fact, ...]:
    figures = [
        Fact("cells", f"{len(race.done)}", f"of {len(race.cells)} in the design"),
        Fact("runs", f"{sum(len(cell.runs) for cell in race.done)}", f"{race.repeats} per cell"),
        Fact("searches", f"{sum(len(cell.searches) for cell in race.done):,}", "timed"),
    ]
    best = fastest([cell for cell in race.main if not cell.oversubscribed])
    if best is not None and best.teps is not None:
        figures.append(
            Fact(
                "best rate",
                f"{gteps(best.teps.value)} GTEPS",
                f"{best.plan}, {_ranks(race, best)}",
            )
        )
    least = fewest_bytes(race.at(race.most_ranks))
    if least is not None:
        figures.append(
            Fact(
                "fewest bytes",
                format_bytes(least.mean_bytes),
                f"{least.plan}, {_ranks(race, least)}, per search",
            )
        )
    if len(race.ladder) > 1:
        ratio = bytes_ratio(race.ladder[0], race.ladder[-1])
        if ratio is not None:
            figures.append(
                Fact(
                    "ladder",
                    f"{ratio_number(ratio.value)} \N{MULTIPLICATION SIGN}",
                    "fewer bytes at its end",
                )
            )
    return tuple(figures)
