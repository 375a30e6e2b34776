# SPDX-License-Identifier: Apache-2.0
"""All-to-alls on 384 nodes of the K computer, beside the load of its busiest link."""

from dataclasses import replace
from pathlib import Path

import k_figures as benchmark
import pytest

from isobath.errors import EnvironmentProblem
from isobath.records.skeleton import SkeletonRecord
from isobath.reproduce import k_simulated as k
from isobath.reproduce.k_computer import SHAPES, UNIT
from isobath.simulation.platform import PLATFORMS

TEXT = (Path(k.__file__).parent / "k_simulated.toml").read_text(encoding="utf-8")
SIDES = {name: (*xyz, *UNIT) for name, xyz in SHAPES[384].items()}


def test_what_was_simulated_is_all_and_of_the_links_that_there_are() -> None:
    words = f'platform_digest = "{benchmark.links_digest()}"'
    assert words in TEXT, "simulate again: benchmarks/k_figures.py"
    wanted = {(one.name, one.message_bytes) for one in benchmark.exchanges()}
    assert set(k.simulated_exchanges()) == wanted
    assert PLATFORMS["k-computer"].bandwidth == k.LINK_BYTES_PER_SECOND
    assert {one.platform.nodes for one in benchmark.exchanges()} == {384}


def test_the_busiest_link_by_hand() -> None:
    """A ring of 8 in 48 copies, 10 pairs up each link: steps of 1, 2 and 3 have 1 + 2 + 3 pairs,
    those of 4, all one way, 4.
    """
    assert k.link_seconds(SIDES["1D"], 1000) == pytest.approx(48 * 10 * 1000 / 5e9)


def test_the_better_shape_is_faster_at_every_size_and_no_bound_is_broken() -> None:
    item = k.simulated_shapes(SIDES)

    assert item.status == "simulated"
    assert "3D before 1D: met" in item.how
    assert "SIMULATED" in item.how
    assert not item.fails
    for row in k.simulated_exchanges().values():
        assert row.simulated_seconds >= k.link_seconds(SIDES[row.shape], row.message_bytes)


@pytest.mark.parametrize("factor", [0.4, 1.2, 2.0])
def test_times_that_do_not_fit_are_noticed(monkeypatch: pytest.MonkeyPatch, factor: float) -> None:
    """Below the bound; another ratio than by links; the worse shape faster."""
    made = {
        key: replace(
            row, simulated_seconds=row.simulated_seconds * (factor if key[0] == "3D" else 1)
        )
        for key, row in k.simulated_exchanges().items()
    }
    monkeypatch.setattr(k, "simulated_exchanges", lambda: made)

    assert k.simulated_shapes(SIDES).fails


def test_the_file_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="was not simulated; run it first"):
        list(benchmark.text_of(benchmark.exchanges_in(tmp_path), "3.32"))
    first = benchmark.exchanges()[0]
    record = SkeletonRecord(
        run_id="x", origin="simulated", ranks=4, step=0, level=0, phase="fold", call="alltoallv",
        communicator="world", calls=4, messages=12, bytes_sent=96, seconds_mean=1.0,
        seconds_max=2.0, ended_seconds=2.0,
    )  # fmt: skip
    first.file(tmp_path).write_text(record.model_dump_json(by_alias=True) + "\n")
    assert benchmark.exchanges_in(tmp_path) == {first: record}
    every = dict.fromkeys(benchmark.exchanges(), record)
    lines = list(benchmark.text_of(every, "3.32"))
    assert lines.count("simulated_seconds = 2") == len(benchmark.exchanges())
