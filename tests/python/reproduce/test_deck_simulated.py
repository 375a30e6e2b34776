# SPDX-License-Identifier: Apache-2.0
"""The deck's shares, sizes and interconnects: simulated on the platforms that there are."""

from pathlib import Path

import deck_figures as benchmark
import pytest

from isobath.costmodel.grid import Grid
from isobath.errors import EnvironmentProblem
from isobath.records.skeleton import SkeletonRecord
from isobath.reproduce import deck_simulated as deck
from isobath.reproduce.answer import command_word
from isobath.reproduce.deck import STATED

TEXT = (Path(deck.__file__).parent / "deck_simulated.toml").read_text(encoding="utf-8")


def test_what_was_simulated_is_all_and_of_the_platforms_that_there_are() -> None:
    words = f'platform_digest = "{benchmark.links_digest()}"'
    assert words in TEXT, "simulate again: benchmarks/deck_figures.py"
    wanted = {(one.plan, one.scale, one.platform) for one in benchmark.searches()}
    assert set(deck.searches()) == set(deck.shares()) == wanted
    assert {(one.plan, one.scale) for one in deck.messages()} == {one[:2] for one in wanted}
    assert tuple(deck.LINKS.values()) == benchmark.INTERCONNECTS
    ranks = benchmark.NODES * benchmark.RANKS_PER_NODE
    assert {Grid.typed(grid).size for grid in benchmark.GRIDS.values()} == {ranks}


def test_shares_add_up_and_sizes_are_those_of_the_schedule() -> None:
    for calls in deck.shares().values():
        assert sum(calls.values()) == pytest.approx(1)
    schedule = benchmark.Search("two-dim", 22, "deck-fdr").schedule
    for call in ("alltoallv", "allgatherv", "alltoall"):
        own = [row for row in deck.messages() if (row.plan, row.scale, row.call) ==
               ("two-dim", 22, call)]  # fmt: skip
        totals = [one for key, one in schedule.totals().items() if key[2] == call]
        assert sum(row.messages for row in own) == sum(one.messages for one in totals)
        sent = sum(row.messages * row.message_bytes for row in own)
        assert sent == pytest.approx(sum(one.bytes_sent for one in totals))


def test_one_number_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 s on FDR and 1.8 on QDR, stated 1.16: (c + 1.8) = 1.16 (c + 1), so c is 4."""
    made = {
        (plan, 22, platform): deck.SimulatedSearch(plan, 22, platform, "8x16", seconds)
        for plan in ("two-dim", "hybrid")
        for platform, seconds in zip(deck.LINKS.values(), (1.0, 1.8, 6.5), strict=True)
    }
    monkeypatch.setattr(deck, "searches", lambda: made)

    assert deck.computing_seconds("two-dim", 22, 1.16) == pytest.approx(4)
    assert deck.times_as_fast("two-dim", 22, "10GbE", 4.0) == pytest.approx(10.5 / 5)
    assert deck.predicted_factors(1.16, ["two-dim"]) == [pytest.approx(2.1)]
    assert not deck.simulated_interconnects(STATED).fails
    made["two-dim", 22, "deck-10gbe"] = deck.SimulatedSearch("two-dim", 22, "x", "8x16", 9.0)
    assert deck.simulated_interconnects(STATED).fails


def test_every_number_says_what_it_is_and_what_is_not_met_is_said() -> None:
    for item in (deck.simulated_interconnects(STATED), deck.call_shares(), deck.message_sizes()):
        assert item.status == "simulated"
        assert "SIMULATED" in item.how
        assert not item.fails
    assert "13 % Allreduce are not" in deck.call_shares().how
    assert "no size of it can be met or missed" in deck.message_sizes().how
    two_dim = [row for row in deck.call_shares().tables[0].rows if row[0] == "two-dim"]
    assert [row[5] for row in two_dim if row[3] == "alltoall"] == ["38 %", "", "38 %", ""]


def test_half_of_the_bytes_by_hand() -> None:
    """10 of 10 B and 1 of 150 B: most bytes are in the one; not where it has 90 B."""
    few = deck.SimulatedMessages("two-dim", 22, "alltoallv", 10, 20, 10)
    for size in (150, 90):
        large = deck.SimulatedMessages("two-dim", 22, "alltoallv", size, size, 1)
        told = deck._sizes("two-dim", 22, [large, few])
        assert told[4:7] == ("10 B", "150 B" if size == 150 else "10 B", f"{size} B")


def test_a_command_that_simulates_is_not_said_to_measure() -> None:
    assert command_word(deck.COMMAND) == "simulated"
    assert command_word("./isobath verify --claim deck-sizes") == "computed"
    assert command_word("./isobath race --mpi all") == "measured"


def test_the_file_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="was not simulated; run it first"):
        list(benchmark.text_of(benchmark.searches_in(tmp_path), "3.32"))
    first = benchmark.searches()[0]
    first.file(tmp_path).write_text(step().model_dump_json(by_alias=True) + "\n")
    assert list(benchmark.searches_in(tmp_path)) == [first]
    steps = benchmark.searches_in(tmp_path)[first]
    lines = list(benchmark.text_of(dict.fromkeys(benchmark.searches(), steps), "3.32"))
    assert lines.count("[[search]]") == len(benchmark.searches())
    assert lines.count("[[message]]") == len(benchmark.searches()) / 3
    assert "message_bytes = 8" in lines


def step() -> SkeletonRecord:
    return SkeletonRecord(
        run_id="x", origin="simulated", ranks=4, step=0, level=0, phase="fold", call="alltoallv",
        communicator="world", calls=4, messages=12, bytes_sent=96, seconds_mean=1.0,
        seconds_max=1.0, ended_seconds=1.0,
    )  # fmt: skip
