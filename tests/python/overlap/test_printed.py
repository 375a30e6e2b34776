# SPDX-License-Identifier: Apache-2.0

import pytest

from isobath.kinds.overlap.kind import KIND
from isobath.kinds.overlap.sections import page_of
from isobath.kinds.overlap.settings import OverlapSettings
from isobath.overlap.bare import overlap_of
from isobath.overlap.folders import OverlapRead
from isobath.overlap.printed import RUNS_OF_THE_PAPER, SYMBOLS, osu_times, overlap_test
from isobath.overlap.reading import row_of
from isobath.records.overlap import OverlapInside, OverlapParts, OverlapRecord, PartTimes
from records import examples

WIDTH = 80


def launch(number: int, *, longer: int = 0, size: int = 512) -> OverlapRecord:
    """Two ranks, three repetitions of which the last began late. All parts differ. Nanoseconds."""
    one = examples.overlap_record()
    ours = (1_000_000,)  # late: nowhere to be seen

    def part(first: int) -> PartTimes:
        return examples.part_times(first + longer, first + 200 + longer, *ours)

    def inside(first: int) -> tuple[tuple[int, ...], ...]:
        times = (first + longer, first + 200 + longer, *ours)
        return times, tuple(t + 40 for t in times)

    return one.model_copy(
        update={
            "launch": number,
            "size_bytes": size,
            "work_order": 32,
            "work_units": 7,
            "invalid": (2,),
            "parts": OverlapParts(
                blocking=part(1000), nonblocking=part(2000), work=part(3000),
                no_overlap=part(5000), overlap=part(4000), osu=part(6000), imb=part(9000),
            ),
            "inside": OverlapInside(
                start=inside(10), work=inside(20), test=inside(30), wait=inside(40),
                osu_compute=inside(2500), osu_test=inside(300), osu_start=inside(700),
                osu_wait=inside(800), imb_work=inside(50),
            ),
        }
    )  # fmt: skip


def found_of(*records: OverlapRecord) -> OverlapRead:
    return overlap_of([examples.launch_record(), *records], "")


def shown(view: str, *records: OverlapRecord, width: int = WIDTH) -> str:
    parts = KIND.views[view].parts(found_of(*records), width)
    return "\n".join(str(one) for one in parts)


def cells_behind(text: str, *words: str) -> list[list[str]]:
    """The rest of every line that begins with these words."""
    lines = (line.split() for line in text.splitlines())
    return [line[len(words) :] for line in lines if line[: len(words)] == list(words)]


def test_osu_times_are_means_of_ranks_and_repetitions_and_compute_has_no_tests() -> None:
    found = osu_times(row_of(launch(0), launch(1, longer=100)))

    # Means of two repetitions and two launches; times inside are 40 ns longer on one of two ranks.
    assert found.overall == pytest.approx(6150e-9)
    assert found.pure == pytest.approx(2150e-9)
    assert found.test == pytest.approx(470e-9)
    assert found.compute == pytest.approx(2200e-9)  # 2670 - 470: the tests are taken out
    assert found.init == pytest.approx(870e-9)
    assert found.wait == pytest.approx(970e-9)


def test_the_view_of_osu_prints_its_columns_size_by_size() -> None:
    text = shown("osu", launch(0), launch(0, size=4096))

    assert "allreduce, 2 ranks" in text
    assert "Overall Compute Init Test Wait Pure" in " ".join(text.split())
    (small,) = cells_behind(text, "library", "512")
    assert small[:6] == ["6.10", "2.20", "0.82", "0.42", "0.92", "2.10"]
    assert cells_behind(text, "library", "4096")
    assert max(map(len, text.splitlines())) <= WIDTH


def test_older_records_have_no_init_and_no_wait_of_osu() -> None:
    one = launch(0)
    assert one.inside is not None
    without = one.inside.model_copy(update={"osu_start": None, "osu_wait": None})
    old = one.model_copy(update={"inside": without})

    (cells,) = cells_behind(shown("osu", old), "library", "512")

    assert cells[:6] == ["6.10", "2.20", "-", "0.42", "-", "2.10"]


def test_the_overlap_test_has_the_papers_symbols_with_mean_median_and_interval() -> None:
    found = overlap_test(row_of(launch(0), launch(1, longer=300), launch(2, longer=900)))

    assert found is not None
    assert (found.elements, found.order, found.rows, found.runs) == (64, 32, 7, 2)
    times = dict(zip(SYMBOLS, found.times, strict=True))
    means = {name: round(one.mean * 1e9) for name, one in times.items()}
    # 100 ns for the second repetition, 400 for the launches, 10 from the first rank to the last;
    # the work is that of the slowest rank
    assert means == {"Tcomm": 1510, "Tnbcomm": 2510, "Tcomp": 3500, "Tblock": 5510, "Tovlp": 4510}
    assert times["Tblock"].median == pytest.approx(5410e-9)
    interval = times["Tblock"].interval
    assert interval is not None
    assert interval.low < 5410e-9 < interval.high


def repeated(number: int, runs: int, *, first: int) -> OverlapRecord:
    """A launch whose runs take 1, 2, 3... times so many nanoseconds, none of them late."""
    one = launch(number)
    times = tuple(first * run for run in range(1, runs + 1))
    part, inside = examples.part_times(*times), (times, times)
    parts = dict.fromkeys(OverlapParts.model_fields, part)
    assert one.inside is not None
    insides = {name: inside for name, value in one.inside if value is not None}
    return one.model_copy(
        update={"invalid": (), "parts": OverlapParts(**parts), "inside": OverlapInside(**insides)}
    )


@pytest.mark.parametrize(
    ("runs", "meant", "mean"),
    [
        # Of runs 1 to 20 the mean is 10.5; of launches of 100 and 300 ns that of 1,050 and 3,150.
        ((20, 20), 20, 2100),
        ((25, 40), 20, 2100),
        ((25, 15), 15, 1600),
        ((1, 30), 1, 200),
    ],
)
def test_the_mean_is_of_the_first_20_runs_of_each_launch_or_of_as_many_as_all_have(
    runs: tuple[int, int], meant: int, mean: float
) -> None:
    launches = [repeated(at, number, first=100 + 200 * at) for at, number in enumerate(runs)]

    found = overlap_test(row_of(*launches))

    assert found is not None
    assert found.runs == meant
    tcomm = found.times[0].mean
    assert tcomm * 1e9 == pytest.approx(mean + 10)  # and 10 ns from the first rank to the last
    text = " ".join(shown("overlap-test", *launches, width=120).split())
    assert f"7 mean of {meant} {tcomm * 1e6:.2f}" in text


def test_a_launch_has_twenty_runs_by_itself() -> None:
    assert OverlapSettings().repetitions == RUNS_OF_THE_PAPER == 20


def test_the_view_of_the_overlap_test_prints_m_n_and_all_times() -> None:
    text = shown("overlap-test", launch(0), launch(1), launch(2), width=120)

    named = ("library", "64", "32", "7")
    assert cells_behind(text, *named, "mean") == [
        ["of", "2", "1.11", "2.11", "3.10", "5.11", "4.11"]
    ]
    assert cells_behind(text, *named, "median") == [["1.11", "2.11", "3.10", "5.11", "4.11"]]
    (low,), (high,) = cells_behind(text, *named, "from"), cells_behind(text, *named, "to")
    assert all(float(a) <= float(b) for a, b in zip(low, high, strict=True))
    assert max(map(len, shown("overlap-test", launch(0)).splitlines())) <= WIDTH


def test_other_work_has_no_order_and_too_many_threads_no_times() -> None:
    triad = launch(0).model_copy(update={"work": "triad", "work_order": None})
    assert "--work product" in shown("overlap-test", triad, width=120)
    crowded = launch(0).model_copy(update={"oversubscribed": True})
    for view in ("osu", "overlap-test"):
        text = shown(view, crowded)
        assert "oversubscribed: no result" in text
        assert "6.10" not in text
        assert "5.11" not in text


def test_the_page_and_all_have_both() -> None:
    titles = [one.title for one in page_of(found_of(launch(0))).sections]
    assert {"As OSU prints it", "Overlap Test"} <= set(titles)
    text = shown("all", launch(0))
    assert "Tnbcomm" in text
    assert "Overall" in text
