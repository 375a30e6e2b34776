# SPDX-License-Identifier: Apache-2.0
"""Ranks in which several threads call MPI: shares of each and of all, never more than the whole."""

import pytest

from isobath.profile.merge import merge
from isobath.profile.profile import Profile
from isobath.profile.rank_files import RankFile
from isobath.records.profile import ProfileRankRecord, ProfileRecord
from isobath.report.profile_data import ProfileData, in_mpi, share_of_rank
from isobath.report.profile_sections import headline, ranks, threads
from isobath.view.content import Section, Table
from isobath.view.terminal import printed
from profiles.rank_lines import threaded_ranks, two_ranks

WALL = 10_000
"""nanoseconds of each rank of ``two_ranks``"""


def data_of(files: list[RankFile]) -> ProfileData:
    return ProfileData(Profile.of(merge("made-up", files)), ("mpirun",), "", 8)


def test_each_thread_has_a_row_and_none_more_than_its_wall_time() -> None:
    found = Profile.of(merge("made-up", threaded_ranks()))

    assert [(one.rank, one.thread, one.threads) for one in found.threads] == [
        (0, 0, 1),
        (0, 1, 1),
        (0, 2, 5),
    ]
    assert all(one.mpi_seconds <= one.wall_seconds for one in found.threads)
    assert found.threads[0].calls == 7
    assert (found.threads[0].bytes_sent, found.threads[0].bytes_received) == (10, 20)
    assert [one.threads for one in found.ranks] == [7, 1]
    assert found.ranks[0].thread_seconds == pytest.approx(30_000e-9)
    assert found.ranks[1].thread_seconds is None


def test_the_share_of_a_rank_is_that_of_all_its_threads() -> None:
    whole = Profile.of(merge("made-up", threaded_ranks())).whole

    assert whole.threads == 7
    assert whole.share_of_wall.max == pytest.approx(27_500 / 30_000)
    assert whole.share_of_wall.min == pytest.approx(230 / WALL)


def test_views_show_threads_and_the_share_of_all_of_them() -> None:
    data = data_of(threaded_ranks())

    (table,) = threads.render(data).blocks
    assert isinstance(table, Table)
    assert [row[:4] for row in table.rows] == [
        ("0", "0", "10 us", "95 %"),
        ("0", "1", "8 us", "100 %"),
        ("0", "5 threads more", "12 us", "83 %"),
    ]
    assert "thread 1 of rank 0" in threads.render(data).lead
    assert "of the wall time of the threads in MPI" in shown(headline.render(data))
    assert "92 %" in shown(ranks.render(data))


def test_one_thread_a_rank_needs_no_rows() -> None:
    data = data_of(two_ranks())

    assert data.profile.threads == ()
    assert data.profile.whole.threads == 1
    assert threads.ONE_EACH in shown(threads.render(data))
    assert "of the wall time in MPI" in shown(headline.render(data))


def test_a_profile_of_before_does_not_say_more_than_the_whole() -> None:
    """It added up the time of threads, and divided it by the wall time of one."""
    whole = as_before(Profile.of(merge("made-up", threaded_ranks())).whole)
    rank = ProfileRankRecord.model_validate(
        Profile.of(merge("made-up", threaded_ranks()))
        .ranks[0]
        .model_dump(exclude={"threads", "thread_seconds"})
    )

    assert in_mpi(whole) == "unknown"
    assert share_of_rank(rank) is None


def as_before(whole: ProfileRecord) -> ProfileRecord:
    values = whole.model_dump(exclude={"threads"})
    return ProfileRecord.model_validate(
        values | {"share_of_wall": {"min": 3.7, "mean": 3.76, "max": 3.8}}
    )


def shown(section: Section) -> str:
    return "\n".join(part.plain for part in printed([section], 100, whole=True))
