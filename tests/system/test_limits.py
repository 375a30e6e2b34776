# SPDX-License-Identifier: Apache-2.0
"""isobath doctor --limits on the real engine, and the report of a run after it."""

import json

import pytest

from isobath.report.roofline import limits_of_run
from isobath.report.run_data import read_run
from system.laboratory import Laboratory

pytestmark = pytest.mark.engine


def test_limits_are_measured_kept_recorded_and_drawn(lab: Laboratory) -> None:
    done = lab.isobath("doctor", "--limits", "--json")
    assert done.code == 0, done.err
    assert sum("random reads" in finding["words"] for finding in json.loads(done.out)) == 3

    run = lab.run("--scale", 12, "--keys", 4)

    found = limits_of_run(read_run(run.path))
    assert found is not None
    assert [rates.bytes for rates in found.rates] == [1 << 20, 1 << 24, 1 << 28]
    assert all(rates.read_bytes_per_second > 0 for rates in found.rates)
    shown = lab.isobath("report", run.path)
    assert shown.code == 0, shown.err
