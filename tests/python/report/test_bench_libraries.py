# SPDX-License-Identifier: Apache-2.0
"""A benchmark of two libraries: every line and sentence says of which it is."""

from dataclasses import replace

from bench.made_up import measured_of
from isobath.bench.measured import Measured
from isobath.report.bench_data import BenchData, notices_of
from isobath.report.bench_sections import (
    curves,
    distributions,
    findings,
    headline,
    regret,
)
from isobath.view.content import Listing, Section, Table
from isobath.view.terminal import printed as lines_of

QUICK, SLOW = "hydra-library", "openmpi-library"


def times(slower: float) -> dict[tuple[str, int, str], float]:
    """A trap of scatter above 256 B, a regret of bcast, a guideline that gather breaks."""
    seconds: dict[tuple[str, int, str], float] = {}
    for size in [1 << power for power in range(4, 21, 2)]:
        line = (2e-6 + 1e-9 * size) * slower
        seconds |= {
            ("scatter", size, ""): line * (1 if size <= 256 else 9),
            ("bcast", size, ""): line,
            ("bcast", size, "binomial"): line * 0.4,
            ("gather", size, ""): 5 * line,
            ("allgather", size, ""): line,
        }
    return seconds


def of_both() -> Measured:
    """The same under two libraries, the second twice as slow."""
    first, second = measured_of(times(1)), measured_of(times(2), family="openmpi")
    other = second.plan.arms[0].model_copy(update={"arm": "a02"})
    arms = (*first.plan.arms, other)
    cells = (*first.cells, *(replace(cell, arm=other) for cell in second.cells))
    plan = first.plan.model_copy(update={"arms": arms})
    return replace(first, plan=plan, cells=cells, launches_done=6)


BOTH, ALONE = BenchData(of_both()), BenchData(measured_of(times(1)))


def listed(section: Section, title: str) -> tuple[str, ...]:
    return next(
        block.items
        for block in section.blocks
        if isinstance(block, Listing) and block.title == title
    )


def rows_of(section: Section, caption: str) -> tuple[tuple[str, ...], ...]:
    tables = [block for block in section.blocks if isinstance(block, Table)]
    return next(table.rows for table in tables if table.caption == caption)


def names_one(line: str) -> bool:
    return (QUICK in line) != (SLOW in line)


def test_what_to_know_first_says_under_which() -> None:
    first = listed(headline.render(BOTH), "What to know first")

    assert len(first) == 4
    assert all(map(names_one, first)), first
    assert any(
        line.startswith(f"scatter, 2 ranks, {QUICK}: above 256 B the rate") for line in first
    )
    assert any(f"bcast, 16 B, 2 ranks, {QUICK} takes 2.50 times" in line for line in first)
    assert any("is broken at" in line and f"under {QUICK}" in line for line in first)


def test_traps_regrets_switch_points_and_guidelines_say_under_which() -> None:
    section = findings.render(BOTH)

    for title in ("Traps", "Clear regrets"):
        lines = listed(section, title)
        assert all(map(names_one, lines)), lines
        assert {QUICK in line for line in lines} == {True, False}
    assert all(names_one(row[0]) for row in rows_of(section, "Switch points"))
    assert all(map(names_one, listed(findings.guidelines(BOTH), "Broken")))


def test_leads_say_under_which() -> None:
    ends = curves.lead(BOTH)

    assert f"the quickest is scatter under {QUICK}, " in ends
    assert f"the slowest gather under {SLOW}, " in ends
    assert f"16 B under {QUICK} most" in regret.lead(BOTH)


def test_distributions_say_under_which() -> None:
    (figure,) = distributions.render(BOTH).blocks

    assert figure.table is not None  # type: ignore[union-attr]
    assert all(names_one(row[0]) for row in figure.table.rows)  # type: ignore[union-attr]
    assert QUICK in figure.caption  # type: ignore[union-attr]


def test_wrong_data_are_those_of_a_library() -> None:
    measured = of_both()
    last = measured.cells[-1]
    broken = last.records[0].model_copy(
        update={"data_check": "failed", "data_check_failure": "rank 0: 1 is 2"}
    )
    wrong = replace(last, records=(broken, *last.records[1:]))

    said = notices_of(replace(measured, cells=(*measured.cells[:-1], wrong)))

    (notice,) = (notice for notice in said if notice.startswith("WRONG DATA"))
    assert f"allgather, 1 MiB, 2 ranks, {SLOW}: rank 0" in notice


def test_of_one_library_lines_are_as_short_as_can_be() -> None:
    sections = [part.render(ALONE) for part in (headline, findings, curves, distributions)]

    text = "\n".join(line.plain for line in lines_of(sections, 500, whole=True))
    assert f"under {QUICK}" not in text
    assert f"ranks, {QUICK}" not in text
