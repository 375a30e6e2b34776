# SPDX-License-Identifier: Apache-2.0
"""What the quick suite measures first: what short searches call here, at the sizes they use."""

from collections.abc import Sequence
from typing import Any

import pytest

from guard.made_regressions import archive_of
from isobath.errors import IsobathError
from isobath.guard.design import MOST_CELLS
from isobath.kinds.regress import searched
from isobath.kinds.regress.first import collectives_settings
from isobath.kinds.regress.searched import FIXED, LARGEST, OTHERS, SMALLEST, called_by, spread
from isobath.kinds.regress.suite import OF_A_SEARCH, chosen
from isobath.launch.mpi_library import MpiLibrary
from isobath.records.communication import CallCell
from isobath.records.run_records import RunRecords
from records.examples import calls_record, run_record

SPARE: dict[str, Any] = calls_record().cells[0].model_dump()


def calls(call: str, mean: float, number: int = 4) -> CallCell:
    sent = int(mean * number)
    changed = {"call": call, "calls": number, "messages": number, "bytes_sent": sent}
    return CallCell.model_validate(SPARE | changed)


def test_collectives_and_sizes_are_those_of_the_ledger() -> None:
    """As a search on two ranks really has them, with calls that are none of a benchmark."""
    told = called_by([
        calls("allreduce", 8.0), calls("bcast", 20.0), calls("allgatherv", 252.5),
        calls("allgatherv", 6.0), calls("isend", 4076.0), calls("win_fence", 0.0),
        CallCell.model_validate(SPARE | {"call": "barrier", "messages": 0, "bytes_sent": 0}),
    ])  # fmt: skip

    assert told is not None
    assert told.collectives == ("allgatherv", "allreduce", "bcast", "barrier")
    assert told.sizes == (8, 16, 256)
    assert told.words == (
        "4 collectives at 3 sizes, as short searches here call them, in powers of two"
    )


def test_a_call_that_sent_nothing_has_no_size() -> None:
    silent = CallCell.model_validate(SPARE | {"call": "bcast", "messages": 0, "bytes_sent": 0})
    never = CallCell.model_validate(SPARE | {"call": "alltoall", "calls": 0})

    assert called_by([silent, never]) is None
    told = called_by([silent, never, calls("allreduce", 8.0)])
    assert told is not None
    assert told.collectives == ("allreduce", "bcast")


def test_sizes_have_bounds_and_what_is_beyond_is_said() -> None:
    told = called_by([calls("alltoallv", 2.0), calls("alltoallv", 8e6)])

    assert told is not None
    assert told.sizes == (SMALLEST, LARGEST)
    assert told.words.endswith("; messages of up to 8 MiB are measured as 1 MiB")


@pytest.mark.parametrize("number", [1, 3, 6])
def test_at_most_sixty_cells_come_out_whatever_is_called(number: int) -> None:
    names = OF_A_SEARCH[:number]
    told = called_by([calls(name, 2.0**power) for name in names for power in range(3, 21)])

    assert told is not None
    settings = collectives_settings(2, told)
    cells = len(settings["collectives"]) * len(settings["sizes"])
    assert cells + OTHERS <= MOST_CELLS
    assert told.sizes[0] == SMALLEST
    assert told.sizes[-1] == LARGEST
    assert ("left out for want of room" in told.words) == (len(told.sizes) < 18)
    # Of a baseline that is made so the suite leaves nothing out.
    kept = archive_of({(name, size): [1e-6] for name in told.collectives for size in told.sizes})
    assert len(chosen(kept.members, "quick")) == cells


@pytest.mark.parametrize("most", [1, 2, 5, 9, 10, 20])
def test_sizes_are_spread_from_the_smallest_to_the_largest(most: int) -> None:
    kept = spread(list(range(10)), most)

    assert len(kept) == min(10, most)
    assert kept == sorted(set(kept))
    assert kept[-1] == 9
    assert most == 1 or kept[0] == 0


LIBRARY = MpiLibrary.__new__(MpiLibrary)


def test_short_searches_are_asked_and_their_calls_laid_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plans: list[tuple[str, str | None]] = []

    def short_run(library: Any, layout: Any, scale: int, wanted: Any, *_: Any, **__: Any) -> Any:
        plans.append((wanted.plan, wanted.exchange))
        cell = calls(("allreduce", "alltoallv")[len(plans) - 1], 64.0 * len(plans))
        record = calls_record().model_copy(update={"cells": (cell,)})
        return RunRecords.of([run_record(), record]), 1.0

    monkeypatch.setattr(searched, "short_run", short_run)
    told = searched.called_here(LIBRARY, 2)

    assert plans == [("hybrid", None), ("two-dim", "alltoallv")]
    assert (told.collectives, told.sizes) == (("alltoallv", "allreduce"), (64, 128))


def test_without_a_search_the_suite_is_fixed_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Sequence[Any]:
        raise IsobathError("the short search failed: rank 1 was killed")

    monkeypatch.setattr(searched, "short_run", fails)
    told = searched.called_here(LIBRARY, 2)

    assert (told.collectives, told.sizes) == (FIXED.collectives, FIXED.sizes)
    assert told.words.endswith(
        "from a flag to a frontier: the short search failed: rank 1 was killed"
    )
    sized = [name for name in FIXED.collectives if name != "barrier"]
    assert len(sized) * len(FIXED.sizes) + 1 + OTHERS <= MOST_CELLS
    assert set(FIXED.collectives) == set(OF_A_SEARCH)


def test_searches_that_call_no_collective_leave_the_fixed_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = calls_record().model_copy(update={"cells": ()})
    records = RunRecords.of([run_record(), record])
    monkeypatch.setattr(searched, "short_run", lambda *_, **__: (records, 1.0))

    assert searched.called_here(LIBRARY, 2).words.endswith(": short searches here called none")
