# SPDX-License-Identifier: Apache-2.0
"""TSUBAME's figures 5 and 6: simulated on the platform that there is, closed forms by hand."""

import hashlib
from importlib.resources import files
from pathlib import Path

import pytest
import tsubame_figures as benchmark

from isobath.errors import EnvironmentProblem
from isobath.kinds.simulate.stored import result_of
from isobath.records.skeleton import SkeletonRecord
from isobath.reproduce import tsubame_rates as rates
from isobath.reproduce.tsubame_links import all_to_all_bound
from isobath.reproduce.tsubame_simulated import simulated, simulated_exchanges
from isobath.simulation.platform import PLATFORMS
from isobath.simulation.simgrid import platform_xml

TEXT = files("isobath.reproduce").joinpath("tsubame_simulated.toml").read_text("utf-8")
SIMULATED = (
    Path(__file__).resolve().parents[2]
    / "data/studies/simulate-whole/studies/20261126-010423-simulate-ac37"
)


def test_what_was_simulated_is_all_and_of_the_platform_that_there_is() -> None:
    digest = hashlib.sha256(platform_xml(PLATFORMS["tsubame2"]).encode()).hexdigest()
    assert f'platform_digest = "{digest}"' in TEXT, "simulate again: benchmarks/tsubame_figures.py"
    known = {(row.plan, row.nodes, row.grid) for row in simulated().values()}
    assert known == {(cell.plan, cell.nodes, cell.grid) for cell in benchmark.cells()}
    assert max(row.ranks for row in simulated().values()) == 1024


def test_closed_forms_by_hand() -> None:
    """128 nodes: 2^33 vertices, 1 GiB of bitmap in each of 8 levels at 5 GB/s. 16 nodes of 16: 2^22
    vertices a rank, 32 arcs each, 16 bytes; 15 of 16 leave the node, 240 of 255 others.
    """
    assert rates.replicated_seconds(128) == pytest.approx(8 * 2**30 / 5e9)
    sent = 2**22 * 32 * 16 * (1 - 1 / 256)
    bytes_alone = 16 * sent * (240 / 255) / 6.4e9
    assert rates.simple_seconds(16, 0.0) == pytest.approx(bytes_alone)
    assert rates.simple_seconds(16, 1e-6) == pytest.approx(bytes_alone + sent / 4096 * 1e-6)


def test_closed_forms_agree_with_what_was_simulated() -> None:
    assert rates.checks() == {
        "replicated on 256 ranks": pytest.approx(1, abs=0.05),
        "simple on 256 ranks": pytest.approx(1, abs=0.05),
    }


def test_the_one_number_that_is_fitted_meets_the_stated_rate() -> None:
    seconds = rates.computing_seconds() + simulated()["two-dim", 512].simulated_seconds
    assert rates.edges_of(512) / seconds / 1e9 == pytest.approx(22.8, abs=0.05)


def test_every_number_says_what_it_is_and_figures_have_their_nodes() -> None:
    five, six = rates.rates()
    assert [row[0] for row in five.tables[0].rows] == [str(1 << power) for power in range(8)]
    assert [row[0] for row in six.tables[0].rows][-1] == "512"
    for figure in (five, six):
        assert figure.status == "simulated"
        assert "by construction" in figure.how
        for row in figure.tables[0].rows:
            assert ("computed" in row[4]) == (int(row[0]) > 128)
    assert six.tables[0].rows[-1][3] == "22.8"


def test_a_closed_form_that_is_wrong_makes_the_figures_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = {figure.fails for figure in rates.rates()}
    monkeypatch.setattr(rates, "NODE_BYTES", 2.5e9)
    assert {figure.fails for figure in rates.rates()} == {True}
    assert before == {rates.computing_seconds() <= 0}


def test_the_file_is_written_from_studies_and_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / SIMULATED.name).symlink_to(SIMULATED)
    assert benchmark.results_in(tmp_path) == {}  # scale 12 is not theirs
    with pytest.raises(EnvironmentProblem, match="was not simulated; run it first"):
        list(benchmark.text_of({}, {}))
    result, record = result_of(SIMULATED), exchanged()
    every = dict.fromkeys(benchmark.exchanges(), record)
    lines = list(benchmark.text_of(dict.fromkeys(benchmark.cells(), result), every))
    assert f'platform_digest = "{result.platform.digest}"' in lines
    assert lines.count("[[search]]") == len(benchmark.cells())
    other = result.model_copy(update={"simgrid": "4.1"})
    mixed = dict.fromkeys(benchmark.cells(), result) | {benchmark.cells()[0]: other}
    with pytest.raises(EnvironmentProblem, match="the same platform"):
        list(benchmark.text_of(mixed, every))
    with pytest.raises(EnvironmentProblem, match="was not simulated; run it first"):
        list(benchmark.text_of(dict.fromkeys(benchmark.cells(), result), {}))
    assert lines.count("[[alltoallv]]") == len(benchmark.exchanges())


def exchanged() -> SkeletonRecord:
    return SkeletonRecord(
        run_id="x", origin="simulated", ranks=4, step=0, level=0, phase="fold", call="alltoallv",
        communicator="world", calls=4, messages=12, bytes_sent=64, seconds_mean=1.0,
        seconds_max=1.0, ended_seconds=1.0,
    )  # fmt: skip


def test_an_exchange_is_kept_as_the_skeleton_says_it(tmp_path: Path) -> None:
    exchange = benchmark.Exchange(32, 1024)
    (step,) = exchange.schedule.steps
    assert exchange.schedule.grid.size == 128
    assert step.each is not None
    assert step.each.units == 8 * 2**20
    assert benchmark.exchanges_in(tmp_path) == {}
    exchange.file(tmp_path).write_text(exchanged().model_dump_json(by_alias=True) + "\n")
    assert benchmark.exchanges_in(tmp_path) == {exchange: exchanged()}


def test_exchanges_were_simulated_as_fast_as_links_let_them_at_most() -> None:
    known = simulated_exchanges()
    assert set(known) == {
        (exchange.nodes, exchange.mebibytes) for exchange in benchmark.exchanges()
    }
    for (nodes, _), row in known.items():
        inside = 3 / (4 * nodes - 1)  # what stays on the node is not on its rails
        assert row.rate * (1 - inside) <= all_to_all_bound(nodes) * 1.001
