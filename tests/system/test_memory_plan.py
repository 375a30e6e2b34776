# SPDX-License-Identifier: Apache-2.0
"""The plan's memory against what real runs took."""

import pytest

from isobath.plan.memory import estimate_memory
from system.laboratory import Laboratory, records_of

GRIDS = ("1x1", "1x2", "2x2", "2x3")
CASES = [(scale, grid) for scale in (16, 18, 20) for grid in GRIDS] + [(22, "1x1")]


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "grid"), CASES)
def test_the_peak_is_within_ten_percent(lab: Laboratory, scale: int, grid: str) -> None:
    rows, cols = (int(word) for word in grid.split("x"))
    run = lab.run("--scale", scale, "--grid", grid, "--keys", 4)

    records = records_of(run)
    assert records.finish is not None
    expected = estimate_memory(
        scale, rows=rows, cols=cols, threads=records.run.threads_per_rank
    ).peak_bytes
    assert expected == pytest.approx(records.finish.peak_bytes, rel=0.10)
