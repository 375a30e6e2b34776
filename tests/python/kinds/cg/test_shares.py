# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.kinds.cg.reading import groups_of
from isobath.kinds.cg.shares import region_of, shares_of
from isobath.records.communication import Spread
from isobath.records.profile import ProfileCellRecord
from records import examples


def cell(region: str | None, call: str, seconds: float) -> ProfileCellRecord:
    return ProfileCellRecord(
        run_id=examples.RUN_ID,
        call=call,
        region=region,
        ranks=2,
        calls=1,
        messages=0,
        bytes_sent=0,
        bytes_received=0,
        kept_bytes=0,
        argument_bytes=0,
        seconds=Spread(min=0, mean=seconds, max=2 * seconds),
    )


def test_shares_are_of_the_solves_of_that_launch_and_the_largest_comes_first() -> None:
    record = examples.krylov_record(nanoseconds=(1000, 1000, 2000))
    region = region_of(record)
    assert region == "pipelined/library/0/64"

    found = shares_of(
        [
            record,
            cell(region, "iallreduce", 0.4e-6),
            cell(region, "wait", 0.5e-6),
            cell(region, "wait", 0.5e-6),
            cell("cg/blocking/0/64", "allreduce", 1),
            cell(None, "barrier", 1),
        ]
    )

    assert list(found) == [region]
    assert [one.call for one in found[region]] == ["wait", "iallreduce"]
    assert [one.part for one in found[region]] == pytest.approx([0.25, 0.1])
    (group,) = groups_of("some", [(True, record)])
    assert group.with_shares(found).rows[0].shares == found[region]
    assert group.with_shares({}).rows[0].shares == ()
