# SPDX-License-Identifier: Apache-2.0
"""The plan's memory against what runs take; benchmarks/plan_accuracy.py goes on to scale 22."""

import json

import pytest

from system.laboratory import Laboratory, records_of

CASES = [(scale, grid) for scale in (16, 18) for grid in ("1x1", "1x2", "2x2", "2x3")]


@pytest.mark.parametrize(("scale", "grid"), [*CASES, (20, "1x1")])
def test_the_peak_is_within_ten_percent(lab: Laboratory, scale: int, grid: str) -> None:
    run = lab.run("--scale", scale, "--grid", grid, "--keys", 2)
    planned = lab.isobath("plan", "--scale", scale, "--grid", grid, "--json")

    records = records_of(run)
    assert records.finish is not None
    assert planned.code == 0, planned.err
    (row,) = json.loads(planned.out)["scales"]
    assert row["peak_bytes"] == pytest.approx(records.finish.peak_bytes, rel=0.10)


@pytest.mark.parametrize("scale", [16, 18])
def test_the_peak_of_an_official_run_is_within_ten_percent(lab: Laboratory, scale: int) -> None:
    run = lab.run("--scale", scale, "--official")
    planned = lab.isobath("plan", "--scale", scale, "--official", "--json")

    records = records_of(run)
    assert records.finish is not None
    (row,) = json.loads(planned.out)["scales"]
    assert row["peak_bytes"] == pytest.approx(records.finish.peak_bytes, rel=0.10)
