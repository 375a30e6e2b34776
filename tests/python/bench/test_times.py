# SPDX-License-Identifier: Apache-2.0
"""What a time is: of repetitions, of batches that stream, of ranks that come late on purpose."""

import json
from typing import Any

import pytest

from bench import made_up
from isobath.bench.measured import seconds_of, waits_of
from isobath.records.codec import encode
from isobath.records.collective import CollectiveRecord
from records.examples import collective_record

# Rank 0 sends at once and runs ahead: it makes three calls in 30 ns, while rank 1 takes until 300.
AHEAD = {
    "cadence": "streaming",
    "batch_starts": [0, 1, 4],
    "warm_up_repetitions": 1,
    "entry_nanoseconds": [[0, 1000, 1010, 1020, 2000, 2010], [0, 1000, 1100, 1200, 2006, 2100]],
    "exit_nanoseconds": [[50, 1010, 1020, 1030, 2010, 2020], [50, 1100, 1200, 1300, 2100, 2200]],
    "context_switches": [],
}


def record(**changes: Any) -> CollectiveRecord:
    fields = json.loads(encode(collective_record())) | changes
    return CollectiveRecord.model_validate_json(json.dumps(fields))


def nanoseconds(record: CollectiveRecord) -> list[float]:
    return [round(one * 1e9, 3) for one in seconds_of(record)]


def test_the_time_of_a_stream_is_that_of_its_batch_by_its_calls() -> None:
    # Repetition by repetition it would be 100, 190 and 280: the backlog of rank 0 again and again.
    assert nanoseconds(record(**AHEAD)) == [100, 100]


def test_a_batch_with_an_invalid_call_does_not_count() -> None:
    assert nanoseconds(record(**AHEAD, invalid=[1])) == [100]
    assert nanoseconds(record(**AHEAD, invalid=[4])) == [100]
    assert nanoseconds(record(**AHEAD, invalid=[1, 5])) == []


def test_the_slowest_of_several_communicators_counts_batch_by_batch() -> None:
    found = record(**AHEAD, communicators=2, together=True, slowest_nanoseconds=[60, 600, 500])

    assert nanoseconds(found) == [200, 250]


def test_an_isolated_repetition_is_a_batch_of_one() -> None:
    alone = record(
        entry_nanoseconds=[[0, 1000, 2000], [0, 1040, 2000]],
        exit_nanoseconds=[[90, 1100, 2090], [90, 1110, 2070]],
        context_switches=[],
    )

    assert nanoseconds(alone) == [110, 90]


def test_a_delay_on_purpose_is_no_part_of_the_time() -> None:
    times = {
        "entry_nanoseconds": [[0, 1000, 3000], [0, 1500, 3400]],
        "exit_nanoseconds": [[90, 1600, 3480], [90, 1590, 3490]],
        "context_switches": [],
    }
    late = record(**times, alignment="roundtime", arrival="one-late:0.5", timed_from="last_entry")
    plain = record(**times)

    assert nanoseconds(late) == [100, 90]
    assert nanoseconds(plain) == [600, 490]
    assert [[round(wait * 1e9) for wait in rank] for rank in waits_of(late)] == [[500, 400], [0, 0]]


@pytest.mark.parametrize("first_is_late_too", [0, 3_000, 4_999_000, 70_000_000])
def test_a_known_delay_is_in_no_time_however_late_other_ranks_are(first_is_late_too: int) -> None:
    delay, call = 5_000_000, 1_700
    begun = [0, 20_000_000, 160_000_000]
    first = [round_begun + first_is_late_too for round_begun in begun]
    last = [round_begun + delay for round_begun in begun]
    ends = [max(pair) + call for pair in zip(first, last, strict=True)]

    late = record(
        entry_nanoseconds=[first, last], exit_nanoseconds=[ends, ends], context_switches=[],
        alignment="roundtime", arrival="one-late:5000", timed_from="last_entry",
    )  # fmt: skip

    assert nanoseconds(late) == [call] * 2  # the first one warms up
    waited = max(delay - first_is_late_too, 0), max(first_is_late_too - delay, 0)
    assert [[round(wait * 1e9) for wait in rank] for rank in waits_of(late)] == [
        [one] * 2 for one in waited
    ]


def test_cells_with_delays_say_that_their_time_is_that_of_the_transfer() -> None:
    cell = made_up.measured_of({("bcast", 64, ""): 1e-6}).cells[0]
    delayed = cell.cell.model_copy(update={"arrival": "one-late:50"})

    assert delayed.words().endswith("arrival one-late:50 (transfer time)")
    assert "transfer" not in cell.cell.words()
    assert cell.longest_wait == pytest.approx(0.0)
