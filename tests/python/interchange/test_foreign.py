# SPDX-License-Identifier: Apache-2.0
"""What other programs print is read as they print it, and what is no number of theirs is not."""

from pathlib import Path

import pytest

from interchange import foreign_outputs as made
from isobath.errors import EnvironmentProblem, UsageError
from isobath.interchange.foreign import Foreign, read_foreign
from isobath.interchange.foreign_value import ForeignValue


def read(tmp_path: Path, text: str) -> Foreign:
    path = tmp_path / "output.txt"
    path.write_text(text, encoding="utf-8")
    return read_foreign(path)


def by_name(found: Foreign) -> dict[str, ForeignValue]:
    told = {}
    for one in found.values:
        size = "" if one.size_bytes is None else f" {one.size_bytes}"
        told[f"{one.what}{size}"] = one
    return told


def test_a_log_of_osu_gives_its_rows_in_seconds(tmp_path: Path) -> None:
    found = read(tmp_path, made.osu(2e-6))

    values = by_name(found)
    assert found.programs == ("OSU micro-benchmarks 7.5",)
    assert list(values) == ["allreduce 4", "allreduce 8", "allreduce 1024", "barrier"]
    assert values["allreduce 1024"].value == pytest.approx(6e-6)
    assert values["barrier"].value == pytest.approx(2e-6)
    assert {one.ranks for one in found.values} == {None}  # OSU does not print it
    assert {one.trouble for one in found.values} == {""}


def test_rates_overlaps_and_accelerators_of_osu_are_told_apart(tmp_path: Path) -> None:
    values = by_name(read(tmp_path, made.OSU_OTHERS))

    assert list(values) == [
        "alltoall 1", "bandwidth 1048576", "nonblocking bcast 16", "nonblocking bcast, pure 16",
    ]  # fmt: skip
    assert values["alltoall 1"].value == pytest.approx(1e-5)
    assert values["alltoall 1"].settings == {"buffers in": "CUDA"}
    rate = values["bandwidth 1048576"]
    assert (rate.value, rate.unit, rate.more_is_better, rate.ranks) == (2000.0, "MB/s", True, 2)
    assert values["nonblocking bcast, pure 16"].value == pytest.approx(1.6e-5)


def test_wrong_contents_are_no_time(tmp_path: Path) -> None:
    values = by_name(read(tmp_path, made.osu(validation="Fail")))

    assert values["allreduce 4"].trouble == "WRONG DATA: its own validation failed"
    assert by_name(read(tmp_path, made.IMB))["allreduce 1024"].trouble.startswith("WRONG DATA")


def test_imb_is_read_by_the_names_of_its_columns(tmp_path: Path) -> None:
    found = read(tmp_path, made.IMB)

    values = by_name(found)
    assert found.programs == ("Intel MPI Benchmarks 2021.3",)
    assert list(values) == [
        "pingpong 0", "pingpong 8", "allreduce 0", "allreduce 8", "allreduce 1024", "barrier",
    ]  # fmt: skip
    assert values["pingpong 8"].value == pytest.approx(0.6e-6)
    assert values["allreduce 8"].value == pytest.approx(2e-6)
    assert values["allreduce 8"].ranks == 4
    assert values["barrier"].value == pytest.approx(1e-6)


@pytest.mark.parametrize(
    ("kernel", "bang", "what"),
    [
        ("bfs  ", "    !", "search"),
        ("sssp ", "    !", "shortest paths"),
        ("", "", "search"),
        ("bfs_", "", "search"),
    ],
)
def test_all_dialects_of_graph500_are_read(
    tmp_path: Path, kernel: str, bang: str, what: str
) -> None:
    found = read(tmp_path, made.graph500(2.5e7, kernel=kernel, bang=bang))

    values = by_name(found)
    assert list(values) == [what, "construction", "generation"]
    search = values[what]
    assert (search.value, search.unit, search.more_is_better) == (2.5e7, "TEPS", True)
    assert (search.ranks, search.graph, search.keys) == (2, "scale 6", "2 keys")
    assert values["generation"].value == 0.5
    assert found.remarks == ()


def test_riken_is_told_from_the_reference(tmp_path: Path) -> None:
    found = read(tmp_path, made.riken())

    assert found.programs == ("RIKEN's search",)
    assert by_name(found)["search"].value == 3e9


def test_what_was_not_validated_or_is_invalid_is_said(tmp_path: Path) -> None:
    assert read(tmp_path, made.graph500(validated=-1)).remarks == (
        "its searches were not validated",
    )
    text = made.graph500() + "SCALE: 7\nNo results printed for invalid run.\n"
    assert "another run in it is invalid" in read(tmp_path, text).remarks[0]
    with pytest.raises(UsageError, match="holds no result: the program says that its run"):
        read(tmp_path, "SCALE: 7\nNo results printed for invalid run.\n")


def test_a_report_of_reframe_says_by_units_which_way_is_better(tmp_path: Path) -> None:
    cases = (
        made.case("osu_lat", {"latency": [1.5, 1.2, None, 0.1, "us", "fail"]}, result="fail",
                  fail_phase="performance"),
        made.case("stream", {"triad": [200.0, 190, -0.1, None, "GB/s"]}),
        made.case("power", {"peak": [300.0, 310, None, 0.1, "W"]}),
        made.case("count", {"events": [5, None, None, None, None]}),
        made.case("nothing", {"time": [None, 1, None, 0.1, "s"]}, result="fail",
                  fail_phase="sanity"),
    )  # fmt: skip
    found = read(tmp_path, made.reframe(*cases))

    values = by_name(found)
    assert found.programs == ("ReFrame 4.8.0",)
    assert list(values) == ["osu_lat, latency", "stream, triad", "power, peak"]
    slow = values["osu_lat, latency"]
    assert slow.value == pytest.approx(1.5e-6)
    assert (slow.unit, slow.trouble) == ("s", "")
    assert values["stream, triad"].more_is_better
    assert not values["power, peak"].more_is_better  # it has an upper threshold alone
    assert slow.settings == {"system": "centre:cpu", "environment": "gnu"}
    assert slow.ranks == 8
    assert "does not say whether more is better" in found.remarks[0]
    assert "it has no value above 0" in found.remarks[1]


def test_a_case_of_reframe_whose_sanity_failed_is_wrong(tmp_path: Path) -> None:
    wrong = made.case("x", {"time": [1.0, 1, None, 0.1, "s"]}, result="fail", fail_phase="sanity")
    again = made.case("x %repeat_no=1", {"time": [1.0, 1, None, 0.1, "s"]})

    first, second = read(tmp_path, made.reframe(wrong, again)).values

    assert first.trouble == "WRONG DATA: its check of sanity failed"
    assert (second.what, second.trouble) == (first.what, "")


def test_reports_of_reframe_of_before_are_read(tmp_path: Path) -> None:
    (value,) = read(tmp_path, made.REFRAME_OF_BEFORE).values

    assert (value.what, value.value, value.unit) == ("Stream, triad", 12.5, "GB/s")


def test_a_log_may_hold_several_programs(tmp_path: Path) -> None:
    found = read(tmp_path, made.osu() + made.IMB)

    assert len(found.programs) == 2
    assert {one.program for one in found.values} == {"OSU", "IMB"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is no output that is known: of the OSU"),
        ("hello\n4  1.0\n", "is no output that is known"),
        ("{}", "is no output that is known"),
        ('{"runs": 1, "session_info": {}}', "is no output that is known"),
        ('{"runs": [', "is no JSON that can be read"),
        ('{"entries":3,"head":"x"}', "./isobath baseline import"),
        ("# OSU MPI Allreduce Latency Test v7.5\n# Size       Avg Latency(us)\n4   nan\n8  1e999\n",
         "holds no result: it has no row of numbers"),
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused_in_a_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)

    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        made.graph500().replace("num_mpi_processes:              2", "num_mpi_processes: nan"),
        made.graph500().replace("edgefactor:                     16", "edgefactor: 1e999"),
        made.osu().replace("1024", "1e400"),
        made.IMB.replace("1000", "9" * 400, 1),
        made.reframe(made.case("x", {"t": [10**400, None, None, 0.1, "s"]},
                               num_tasks=10**400)).replace("gnu", "\\u001b[31m"),
        made.reframe(made.case("x", {"t": [1.0, None, None, "much", "s"]}, fail_phase=7)),
    ],
)  # fmt: skip
def test_numbers_that_are_none_end_nothing(tmp_path: Path, text: str) -> None:
    try:
        found = read(tmp_path, text)
    except UsageError:
        return
    assert all(0 < one.value < 1e100 for one in found.values)


def test_a_file_that_cannot_be_read_or_is_too_large_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EnvironmentProblem, match="check the path"):
        read_foreign(tmp_path / "none")
    monkeypatch.setattr("isobath.interchange.foreign.LARGEST", 10)
    with pytest.raises(EnvironmentProblem, match="is too large"):
        read(tmp_path, made.osu())
    monkeypatch.undo()
    bomb = '{"runs":[' + "[]," * 2_000_000 + "[]]}"  # 6 MB, and 130 MB once it is read
    with pytest.raises(UsageError, match="has more values than a report has"):
        read(tmp_path, bomb)


DATA = Path(__file__).resolve().parents[2] / "data"


def test_what_the_reference_really_printed_is_read() -> None:
    """Graph500's reference 3.0, two ranks."""
    bfs = by_name(foreign := read_foreign(DATA / "reference-3.0-stdout-bfs.txt"))
    both = by_name(read_foreign(DATA / "reference-3.0-stdout-bfs-sssp.txt"))

    assert (foreign.programs, foreign.remarks) == (("Graph500 reference",), ())
    assert {name: (one.value, one.unit) for name, one in bfs.items()} == {
        "search": (3.1659e7, "TEPS"), "construction": (0.00262557, "s"),
        "generation": (0.0147625, "s"),
    }  # fmt: skip
    search = bfs["search"]
    assert (search.ranks, search.graph, search.keys) == (2, "scale 12", "64 keys")
    assert list(both) == ["search", "shortest paths", "construction", "generation"]
    assert both["shortest paths"].value > 0


def test_what_imb_really_printed_is_read() -> None:
    """Intel MPI 2021.18's: mpiexec -n 2, and the calling sequence that stands in each file; lines
    with the date and the kernel of the machine were taken out.
    """
    foreign = read_foreign(DATA / "imb-2021.11-mpi1-stdout.txt")
    of_nbc = read_foreign(DATA / "imb-2021.11-nbc-stdout.txt")

    assert foreign.programs == of_nbc.programs == ("Intel MPI Benchmarks 2021.11",)
    assert {one.ranks for one in (*foreign.values, *of_nbc.values)} == {2}
    values = by_name(foreign)
    sizes = (0, *(2**power for power in range(3, 11)))
    assert list(values) == [
        *(f"{what} {size}" for what in ("pingpong", "sendrecv", "allreduce") for size in sizes),
        "barrier",
    ]
    assert values["pingpong 1024"].value == pytest.approx(0.60e-6)
    assert values["sendrecv 1024"].value == pytest.approx(0.23e-6)  # its t_avg
    assert values["allreduce 1024"].value == pytest.approx(0.40e-6)
    begun = by_name(of_nbc)
    assert list(begun)[:4] == ["ibcast 0", "ibcast, pure 0", "ibcast 8", "ibcast, pure 8"]
    assert begun["ibcast 8"].value == pytest.approx(0.91e-6)
    assert begun["ibcast, pure 8"].value == pytest.approx(0.96e-6)


@pytest.mark.parametrize("cut", range(0, 3600, 97))
def test_an_output_that_ends_early_gives_whole_rows_alone(tmp_path: Path, cut: int) -> None:
    text = (DATA / "imb-2021.11-mpi1-stdout.txt").read_text(encoding="utf-8")
    whole = {(one.what, one.size_bytes): one.value for one in read(tmp_path, text).values}

    try:
        early = read(tmp_path, text[: text.rfind("\n", 0, cut) + 1])
    except UsageError:
        return
    assert early.values
    assert all(whole[one.what, one.size_bytes] == one.value for one in early.values)
