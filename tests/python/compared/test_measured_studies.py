# SPDX-License-Identifier: Apache-2.0
"""From measuring to a verdict: studies that the laboratory made, under an MPI without ranks."""

import json

import pytest

from cli.conftest import Checkout, checkout

__all__ = ["checkout"]

BENCH = ("bench", "collectives", "--ranks", "2", "--forms", "blocking", "--no-report",
         "--algorithms", "none", "--collectives", "bcast,gather", "--sizes", "4K",
         "--launches", "5")  # fmt: skip


def test_a_collective_that_an_update_made_slower_is_found(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout.isobath(*BENCH, "--seed", "1").code == 0
    checkout.isobath("tag", "last", "before")
    state = checkout.prefix / "records.json"
    records = state.read_text(encoding="utf-8")
    assert "MPICH" in records
    state.write_text(records.replace("5.0.2", "5.0.9"), encoding="utf-8")
    monkeypatch.setenv("FAKE_SLOWER", "bcast:1.3")
    assert checkout.isobath(*BENCH, "--seed", "2").code == 0

    said = checkout.isobath("compare", "before", "last", "--json", "--margin", "10")

    assert said.code == 0, said.err
    (against,) = json.loads(said.out)["against"]
    outcomes = {one["cell"].split(", ")[0]: one for one in against["cells"]}
    assert outcomes["bcast"]["outcome"] == "slower"
    assert outcomes["bcast"]["speed"] == pytest.approx(1 / 1.3, rel=0.03)
    assert outcomes["gather"]["outcome"] == "same"
    assert {one["launches_after"] for one in against["cells"]} == {5}
    changed = {one["name"]: one["after"] for one in against["changes"]}
    assert "5.0.9" in changed["MPI library"]
    only = checkout.isobath("compare", "before", "last", "--only", "slower")
    assert "bcast" in only.out
    assert "gather" not in only.out


def test_a_race_with_repeats_has_factors_over_turns(checkout: Checkout) -> None:
    raced = checkout.isobath("race", "--plan", "simple,hybrid", "--ranks", "1,2", "--scale", "6",
                             "--threads", "1", "--repeats", "2", "--no-audit", "--no-ladder",
                             "--no-report", "--seed", "1")  # fmt: skip
    assert raced.code == 0, raced.err

    said = checkout.isobath("factors", "last", "--json")

    assert said.code == 0, said.err
    found = json.loads(said.out)
    gains = [one for one in found["gains"] if one["measure"] == "search"]
    assert {one["interval_over"] for one in gains} == {"turns"}
    assert all(one["gain_percent"] == pytest.approx(0.0, abs=1e-9) for one in gains)
    assert {one["factor"] for one in gains} == {"plan", "ranks"}
    assert {one["contrasts"] for one in gains} == {2}


def test_transports_of_a_benchmark_are_told_apart_and_are_a_factor(checkout: Checkout) -> None:
    """Pooled, launches of both were one cell."""
    bench = ("bench", "collectives", "--ranks", "2", "--forms", "blocking", "--algorithms", "none",
             "--collectives", "bcast", "--sizes", "8", "--launches", "3", "--no-report",
             "--transport", "shared-memory,tcp")  # fmt: skip
    assert checkout.isobath(*bench).code == 0

    said = checkout.isobath("factors", "last", "--json")

    assert said.code == 0, said.err
    (gain,) = json.loads(said.out)["gains"]
    assert (gain["factor"], gain["reference"], gain["level"]) == (
        "transport", "shared-memory", "tcp",
    )  # fmt: skip
    assert (gain["contrasts"], gain["interval_over"]) == (1, "turns")
    assert checkout.isobath("baseline", "set", "both", "last").code == 0
    kept = json.loads(checkout.isobath("baseline", "show", "both", "--json").out)
    cells = kept["entries"][0]["members"][0]["cells"]
    assert [(one["name"], len(one["samples"])) for one in cells] == [
        ("bcast, 8 B, 2 ranks, transport shared-memory", 3),
        ("bcast, 8 B, 2 ranks, transport tcp", 3),
    ]
    again = checkout.isobath("regress", "both", "--suite", "full", "--turns", "2", "--variables",
                             "FAKE_OTHER=1", "--no-report", "-q", "--json")  # fmt: skip
    assert again.code == 6, again.err
    assert [one["turns"] for one in json.loads(again.out)["cells"]] == [2, 2]
