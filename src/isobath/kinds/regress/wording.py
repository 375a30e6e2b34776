# SPDX-License-Identifier: Apache-2.0
"""A regression in two sentences: the verdict, and what to do."""

from collections.abc import Iterator

from isobath.errors import ExitCode
from isobath.kinds.regress.held_against import foreign_words, other_library
from isobath.kinds.regress.outcome import CellResult, Outcome, is_over
from isobath.report.wording import count_of, listing

MOST_NAMED = 3

NO_TURN = "no turn was completed"


def verdict_words(outcome: Outcome) -> str:
    """The first line of the page: the verdict, then what it does not hold for."""
    code = outcome.exit_code
    if outcome.found.plan.purpose != "regression" or code in (
        ExitCode.VIOLATIONS,
        ExitCode.ENVIRONMENT,
    ):
        return _first_words(outcome)
    return " ".join((_first_words(outcome), *_limits(outcome)))


def _first_words(outcome: Outcome) -> str:
    reading = outcome.found
    name, cells = reading.plan.baseline, len(outcome.cells)
    if reading.plan.purpose != "regression":
        return f"{count_of(reading.turns, 'turn')} measured; nothing was held against a baseline."
    code = outcome.exit_code
    if code == ExitCode.VIOLATIONS:
        first = (
            *reading.wrong,
            *(f"{result.name}: {result.reason}" for result in outcome.of("wrong")),
        )[0]
        whose = {("old",): " of the old library", ("old", "new"): " of both libraries"}
        return f"WRONG RESULTS{whose.get(outcome.wrong_sides, '')}: {first}."
    if code == ExitCode.REGRESSION:
        slower = outcome.of("slower")
        parts = []
        if slower:
            parts.append(f"{count_of(len(slower), 'cell')} of {cells} slower: {_named(slower)}")
        if outcome.guidelines:
            words = listing([result.words for result in outcome.guidelines[:MOST_NAMED]])
            parts.append(f"{count_of(len(outcome.guidelines), 'guideline')} newly broken: {words}")
        if outcome.moved:
            parts.append(_moved(outcome))
        first = "SLOWER than" if slower else "DECIDES OTHERWISE than"
        if outcome.guidelines and not slower:
            first = "BREAKS A GUIDELINE that held under"
        return f"{first} {other_library(reading) or name}: {'; '.join(parts)}."
    if code == ExitCode.ENVIRONMENT:
        failed = (*reading.failed, *reading.problems)
        first = (*failed, *reading.unaudited, NO_TURN)[0]
        number = 0 if failed else len(reading.unaudited) - 1
        more = f", and {count_of(number, 'launch')} more" if number > 0 else ""
        return f"COULD NOT MEASURE: {first}{more}."
    if code == ExitCode.INCONCLUSIVE:
        return _undecided(outcome)
    margin = f"{100 * reading.plan.margin:g} %"
    accepted = len(allowed(outcome))
    where = f"in {cells - accepted} of" if accepted else "in all"
    return f"NOTHING SLOWER: {where} {count_of(cells, 'cell')} {margin} or more is excluded."


def _undecided(outcome: Outcome) -> str:
    open_ones = outcome.of("cannot tell")
    told = "" if is_over(outcome.found) else " (unfinished)"
    cells = count_of(len(outcome.cells), "cell")
    if not open_ones:
        return f"CANNOT TELL of all: of the {cells} that were measured none is slower."
    return (
        f"CANNOT TELL: {len(open_ones)} of {cells} are undecided{told}; of the others none is "
        "slower."
    )


def _limits(outcome: Outcome) -> Iterator[str]:
    """What the first sentence does not hold for, a sentence each: it is all that many read."""
    reading = outcome.found
    name = reading.plan.baseline
    for left_out in outcome.not_measured:
        number = len(left_out.cells)
        what = f"{count_of(number, 'cell')} more {'was' if number == 1 else 'were'} not measured"
        yield f"{what}: {left_out.why}."
    accepted = allowed(outcome)
    if accepted:
        told = [f"{result.name} ({result.accepted.factor:.2f} times as long)"
                for result in accepted[:MOST_NAMED] if result.accepted]  # fmt: skip
        more = len(accepted) - MOST_NAMED
        more_words = f"; and {more} more" if more > 0 else ""
        yield f"Accepted as slower, and held against that: {'; '.join(told)}{more_words}."
    other = other_library(reading)
    if other:
        yield f"Held against {other}, which is not the library of {name}."
    foreign = foreign_words(reading) if reading.plan.across_machines else ""
    if foreign:
        yield f"Across machines: {foreign}."


def allowed(outcome: Outcome) -> tuple[CellResult, ...]:
    """Cells that may take longer than what they were held against, as somebody accepted."""
    return tuple(
        result for result in outcome.cells if result.accepted and result.accepted.factor > 1
    )


def _moved(outcome: Outcome) -> str:
    told = listing([result.words for result in outcome.moved[:MOST_NAMED]])
    more = len(outcome.moved) - MOST_NAMED
    more_words = f"; and {more} more" if more > 0 else ""
    return f"another algorithm in {count_of(len(outcome.moved), 'cell')}: {told}{more_words}"


def _named(cells: tuple[CellResult, ...]) -> str:
    worst = sorted(cells, key=lambda result: -(result.verdict.ratio if result.verdict else 0.0))
    told = [f"{result.name} ({result.verdict.ratio:.2f} times as long)"
            for result in worst[:MOST_NAMED] if result.verdict]  # fmt: skip
    more = len(cells) - MOST_NAMED
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


def advice_words(outcome: Outcome) -> str:
    """The second line: what to do."""
    reading = outcome.found
    name = reading.plan.baseline
    if reading.plan.purpose != "regression":
        return f"./isobath baseline show {name} says what it became."
    code = outcome.exit_code
    if code == ExitCode.VIOLATIONS:
        return _advice_where_wrong(outcome)
    if code == ExitCode.REGRESSION:
        return _advice_where_other(outcome)
    if code == ExitCode.ENVIRONMENT:
        return f"Mend that, then go on: ./isobath resume {reading.folder.study_id}."
    if code == ExitCode.INCONCLUSIVE:
        return _advice_where_open(outcome)
    return _advice_where_nothing(outcome)


def _advice_where_open(outcome: Outcome) -> str:
    name = outcome.found.plan.baseline
    if not outcome.of("cannot tell"):
        return (
            "Nothing was shown to be slower in what was measured. Make a baseline of studies "
            "that can be measured again, or name the cells that are meant in a file "
            "(--suite FILE)."
        )
    reasons = dict.fromkeys(result.reason for result in outcome.of("cannot tell") if result.reason)
    first = next(iter(reasons), "")
    if "calibrate" in first or "--across-machines" in first:
        return f"{first[:1].upper()}{first[1:]}."
    if outcome.apart is not None:
        return (
            f"Longer does not help, more sittings do: ./isobath calibrate noise {name}, hours "
            "apart; or keep the old library for a day and name it with --against, which finds "
            "much smaller changes."
        )
    return (
        f"Give it more time (./isobath regress {name} --budget 1h) or a quieter machine; "
        f"./isobath calibrate noise {name} says what a budget can reach."
    )


def _advice_where_nothing(outcome: Outcome) -> str:
    reading = outcome.found
    name = reading.plan.baseline
    if reading.plan.across_machines and foreign_words(reading):
        return "Measure on the machine of the baseline before users there get the library."
    other = other_library(reading)
    if other:
        return (
            f"Give the library to users of {other}; how it stands to {name} says "
            f"./isobath history {name}."
        )
    return "Nothing: give the library to your users."


def _advice_where_wrong(outcome: Outcome) -> str:
    if outcome.wrong_sides == ("old",):
        return (
            f"It is the old library ({outcome.found.plan.mpi['old']}) that is wrong, and nothing "
            "wrong was seen of the new one: do not go back to the old one, tell its users, and "
            "make a new baseline under the new one: ./isobath baseline set NAME."
        )
    if outcome.wrong_sides == ("old", "new"):
        return (
            "Both libraries are wrong: give neither to users, look for what they share (machine, "
            "network, memory), and report the call, size, rank and place that are named here."
        )
    return (
        "Do not give this library to users: keep the old one, and report the call, size, rank "
        "and place that are named here to who made it."
    )


def _advice_where_other(outcome: Outcome) -> str:
    """Where something is slower, a guideline is broken, or another algorithm runs."""
    name = outcome.found.plan.baseline
    if outcome.of("slower"):
        return (
            "Look first at what changed, below; keep the old library or set the algorithm back "
            f"where it is another now; or take it as it is: ./isobath baseline accept {name} CELL "
            "--reason WORDS."
        )
    if outcome.guidelines:
        return (
            "Nothing was shown to be slower than before, but a guideline that held is broken: keep "
            "the old library or set an algorithm that keeps it; where the new one is meant to be "
            "so, make a new baseline under it: ./isobath baseline set NAME."
        )
    return (
        "Nothing was shown to be slower, but the library decides otherwise: where that is "
        f"meant, take it as it is, cell by cell: ./isobath baseline accept {name} CELL "
        "--reason WORDS; else set the algorithm back."
    )
