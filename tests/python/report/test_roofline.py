# SPDX-License-Identifier: Apache-2.0
"""Limits of a search: the formulas by hand, and what the page says with and without them."""

from pathlib import Path
from typing import Any

import pytest

from isobath.records.memory_limits import MemoryLimits, MemoryRates
from isobath.records.run_records import RunRecords
from isobath.report.phase_shares import shares
from isobath.report.roofline import footprint, limits_of_run, phase_limits, why_no_limits
from isobath.report.run_data import RunData, read_run
from isobath.report.sections import phases
from isobath.view.content import Figure, Paragraph
from report.sample_runs import ARCS, FRONTIER, UPWARD, Sample, records, write

ORIGINALS, SEARCHED = 1 << 20, 481_813
"""of the sample run"""


def rates(size: int, read: float, write: float, random: float) -> MemoryRates:
    return MemoryRates(
        bytes=size,
        read_bytes_per_second=read,
        write_bytes_per_second=write,
        random_reads_per_second=random,
    )


def limits(*found: MemoryRates, threads: int = 2) -> MemoryLimits:
    return MemoryLimits(
        threads=threads,
        rates=found or (rates(1 << 20, 1e9, 2e9, 1e9),),
        hostname="lab-1",
        cpu_model="a processor",
        measured_at=0.0,
        load=0.0,
    )


def data_with(found: MemoryLimits | None, sample: Sample | None = None) -> RunData:
    facts: dict[str, Any] = {"memory_limits": found.model_dump(mode="json")} if found else {}
    kept = RunRecords.of(records(sample or Sample(searches=3)))
    return RunData(kept, environment={"nodes": [facts]})


def test_limits_are_those_of_the_formulas() -> None:
    found = phase_limits(data_with(limits()), limits())

    bitmaps = 3 * SEARCHED / 8
    assert found["emit"].moved == 12 * ORIGINALS
    assert found["emit"].seconds == pytest.approx(ORIGINALS * (4 / 1e9 + 8 / 2e9))
    assert found["reset"].moved == int(bitmaps)
    assert found["reset"].seconds == pytest.approx(bitmaps / 2e9)
    for phase, upward in (("top_down", False), ("bottom_up", True)):
        arcs = sum(a for a, up in zip(ARCS, UPWARD, strict=True) if up is upward)
        frontier = sum(f for f, up in zip(FRONTIER, UPWARD, strict=True) if up is upward)
        passes = 3 * bitmaps if upward else 0.0  # three levels
        assert found[phase].moved == int(4 * arcs + passes + (0 if upward else 8 * frontier))
        assert found[phase].seconds == pytest.approx(4 * arcs / 1e9 + passes / 2e9)


def test_the_slower_of_moving_and_looking_up_counts() -> None:
    slow = limits(rates(1 << 20, 1e9, 2e9, 1e7))
    found = phase_limits(data_with(slow), slow)
    arcs = sum(a for a, up in zip(ARCS, UPWARD, strict=True) if up)
    assert found["bottom_up"].seconds == pytest.approx(arcs / 1e7)


def test_rates_are_those_of_the_size_that_is_passed_over() -> None:
    cache, memory = rates(1 << 20, 9e9, 9e9, 9e9), rates(1 << 28, 1e9, 2e9, 1e9)
    found = phase_limits(data_with(limits(cache, memory)), limits(cache, memory))
    assert found["reset"].seconds == pytest.approx(3 * SEARCHED / 8 / 9e9)
    assert found["emit"].seconds == pytest.approx(ORIGINALS * (4 / 1e9 + 8 / 2e9))
    assert limits(cache, memory).at(1 << 20) is cache
    assert limits(cache, memory).at((1 << 20) + 1) is memory
    assert limits(cache, memory).at(1 << 40) is memory


def test_a_validation_in_between_empties_the_caches() -> None:
    graph = data_with(None).records.construction
    assert graph is not None
    without = footprint(graph, validated=False)
    assert without == 4 * graph.stored_arcs + 12 * ORIGINALS
    assert footprint(graph, validated=True) - without == 7 * graph.num_edges


def test_the_page_says_how_much_of_its_limit_each_phase_reaches(tmp_path: Path) -> None:
    fast = limits(rates(1 << 20, 1e11, 1e11, 1e10))
    data = read_run(write(tmp_path, Sample(limits=fast)))
    assert limits_of_run(data) == fast

    section = phases.render(data)

    figure, sentence = section.blocks[0], section.blocks[1]
    assert isinstance(figure, Figure)
    assert isinstance(sentence, Paragraph)
    assert "upright mark" in figure.caption
    assert figure.table is not None
    assert [column.title for column in figure.table.columns][-2:] == ["limit, ms", "reached"]
    by_phase = {row[0]: row for row in figure.table.rows}
    emit = next(item for item in shares(data) if item.phase == "emit")
    reached = 12 * ORIGINALS / 1e11 / emit.mean
    assert by_phase["emit"][-1] == f"{reached * 100:.0f} %"
    assert by_phase["reduce"][-1] == ""
    assert f"emit {by_phase['emit'][-1]}" in sentence.text
    assert "most is to be gained in bottom-up" in sentence.text
    plain = phases.render(read_run(write(tmp_path / "plain", Sample()))).blocks[0]
    assert isinstance(plain, Figure)
    bad, none = (one.chart.draw().wide.count("var(--bad)") for one in (figure, plain))
    assert bad > none


def test_without_limits_the_page_says_how_to_get_them(tmp_path: Path) -> None:
    section = phases.render(read_run(write(tmp_path, Sample())))
    sentence = section.blocks[1]
    assert isinstance(sentence, Paragraph)
    assert "./isobath doctor --limits" in sentence.text
    figure = section.blocks[0]
    assert isinstance(figure, Figure)
    assert figure.table is not None
    assert len(figure.table.columns) == 5


@pytest.mark.parametrize(
    ("sample", "found", "words"),
    [
        (Sample(searches=1), limits(threads=3), "measured with 3 threads; a run of 2"),
        (Sample(searches=1, oversubscribed=True), limits(), "whose processors suffice"),
        (Sample(searches=1, levels=False), limits(), "Without records"),
    ],
)
def test_where_there_are_none_the_reason_is_said(
    sample: Sample, found: MemoryLimits, words: str
) -> None:
    assert words in why_no_limits(data_with(found, sample))


@pytest.mark.parametrize("facts", [3, {"memory_limits": {"threads": "many"}}, {}, []])
def test_damaged_facts_are_no_limits(facts: object) -> None:
    data = data_with(None)
    damaged = RunData(data.records, environment={"nodes": [facts]})
    assert limits_of_run(damaged) is None
    assert "doctor --limits" in why_no_limits(damaged)
