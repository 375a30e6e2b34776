# SPDX-License-Identifier: Apache-2.0
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout
from isobath.bench.design import BenchDesign, cells_of
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import read_measured
from isobath.cli.places import front_door
from isobath.overlap.folders import PLAN, OverlapFolder
from isobath.overlap.plan import run_name
from isobath.report.bench_sections.curves import spread_over
from isobath.store.folders import OpenRun
from isobath.study.shelf import Shelf
from overlap.test_plan import plan
from patience import patience
from records.examples import overlap_record
from store.test_folders import summary

SMALL = (
    "bench",
    "collectives",
    "--ranks",
    "2",
    "--seed",
    "7",
    "--forms",
    "blocking",
    "--no-report",
)
FEW = (*SMALL, "--collectives", "barrier,scatter,allgather,bcast,gather", "--launches", "3")
SIZES = ("--sizes", "16:16K")


def the_bench(checkout: Checkout) -> BenchFolder:
    (study,) = Shelf((checkout.prefix / "studies",)).studies()
    return BenchFolder(study.path)


def test_every_launch_is_sealed_with_its_cells_in_another_random_order(checkout: Checkout) -> None:
    said = checkout.isobath(*FEW, *SIZES)

    assert said.code == 0, said.err
    bench = the_bench(checkout)
    bench_plan = bench.plan()
    assert (bench_plan.seed, bench_plan.launches, bench_plan.preset) == (7, 3, "small")
    orders = []
    for arm, launch in bench_plan.runs():
        sealed = bench.sealed_run(arm, launch)
        assert sealed is not None
        assert sealed.verify() == []
        assert sealed.summary().verdict == "validated"
        asked = json.loads(sealed.text("cells.json"))
        assert asked == [cell.for_program() for cell in bench_plan.order(arm, launch)]
        if arm.arm == "a01":
            orders.append([json.dumps(one, sort_keys=True) for one in asked])
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    measured = read_measured(bench)
    assert all(one.is_result and len(one.launches) == 3 for one in measured.cells)
    assert {one.algorithm for one in measured.cells} >= {"", "ring", "binomial"}
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "[6/6]" in said.err


def test_the_summary_names_switch_points_traps_and_regret_in_words(checkout: Checkout) -> None:
    said = checkout.isobath(*FEW, *SIZES)
    out = " ".join(said.out.split())

    assert said.code == 0, said.err
    assert "scatter, 2 ranks 256 B 512 B" in out
    assert "scatter, 2 ranks: 512 B takes" in out
    assert "times as long as two calls of 256 B; split it" in out
    assert "ring takes 50% of its time" in out or "ring takes 51% of its time" in out
    (checks,) = outputs(checkout, "guidelines")
    assert "allgather <= gather + bcast is broken at 16 B" in checks
    assert "allgather <= alltoall" not in checks  # there is no alltoall here


def test_refinement_narrows_the_switch_point_to_5_per_cent(checkout: Checkout) -> None:
    said = checkout.isobath(
        *SMALL, "--collectives", "scatter", "--launches", "3", *SIZES, "--refine", "4",
        "--algorithms", "none",
    )  # fmt: skip

    assert said.code == 0, said.err
    assert "round 1: 3 sizes at switch points" in said.err
    from isobath.bench.findings import switches_of

    (switch,) = switches_of(read_measured(the_bench(checkout)))
    assert switch.point.is_sharp
    assert 0.95 * 256 <= switch.point.low <= 256 < switch.point.high


def test_wrong_data_end_the_benchmark_with_1_and_their_times_are_no_result(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "data")

    said = checkout.isobath(*SMALL, "--collectives", "allreduce,bcast", "--sizes", "8",
                            "--launches", "1", "--algorithms", "none")  # fmt: skip

    assert said.code == 1
    assert "WRONG DATA: allreduce, 8 B, 2 ranks: rank 1 has 3, not 7" in said.out
    measured = read_measured(the_bench(checkout))
    assert {one.cell.collective for one in measured.results} == {"bcast"}


def test_a_cell_without_a_record_is_a_defect(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "short")

    said = checkout.isobath(*SMALL, "--collectives", "bcast", "--sizes", "8,16", "--launches", "1",
                            "--algorithms", "none")  # fmt: skip

    assert said.code == 4
    assert "1 of 2 cells left a record" in said.err


def test_the_program_s_own_sentence_and_code_are_handed_on(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "crash")

    said = checkout.isobath(*SMALL, "--collectives", "bcast", "--sizes", "8", "--launches", "1")

    assert said.code == 2
    assert "there is no collective called nonsense" in said.err


def test_what_does_not_fit_is_said_and_the_rest_measured(checkout: Checkout) -> None:
    said = checkout.isobath(
        *SMALL, "--collectives", "alltoall", "--sizes", "1K,1M", "--launches", "1",
        "--memory-limit", "1M", "--algorithms", "none",
    )  # fmt: skip

    assert said.code == 0, said.err
    assert "alltoall, 1 MiB, 2 ranks: needs 8388608 B, has 1048576 B" in " ".join(said.out.split())


def test_more_ranks_than_processors_show_no_time(checkout: Checkout) -> None:
    said = checkout.isobath(
        *SMALL[:2], "--ranks", "64", "--forms", "blocking", "--collectives", "bcast",
        "--sizes", "8,1K", "--launches", "1", "--no-report", "--algorithms", "none",
    )  # fmt: skip

    assert said.code == 0, said.err
    assert "OVERSUBSCRIBED" in said.out
    assert "us" not in said.out.replace("OVERSUBSCRIBED", "").split("benchmark ")[0].split()
    assert read_measured(the_bench(checkout)).results == ()


def test_what_was_cut_off_is_done_again_and_nothing_else(checkout: Checkout) -> None:
    assert checkout.isobath(*FEW, "--sizes", "8").code == 0
    bench = the_bench(checkout)
    arm = bench.plan().arms[0]
    shutil.rmtree(bench.runs / f"{arm.arm}-2")
    kept = (bench.runs / f"{arm.arm}-1" / "MANIFEST.sha256").read_bytes()

    said = checkout.isobath("bench", "collectives", "--resume", "last", "--no-report")

    assert said.code == 0, said.err
    assert "5 of 6 launches are done, going on" in said.err
    assert bench.sealed_run(arm, 2) is not None
    assert (bench.runs / f"{arm.arm}-1" / "MANIFEST.sha256").read_bytes() == kept


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--collectives", "allgaver"), "--collectives allgaver is not known"),
        (("--sizes", "1:x"), "x is no number of bytes"),
        (("--shapes", "3x3"), "--shapes 3x3: that is not 2 ranks"),
        (("--preset", "tiny"), "--preset tiny: choose one of small"),
        (("--view", "pie"), "there is no view pie; there are summary"),
        (("--of", "last", "--sizes", "8"), "leave --sizes out"),
        (("--resume", "last"), "there is no benchmark of collectives in"),
        (("--launches", "0"), "--launches 0: the least is 1"),
        (("--half-width", "2"), "--half-width 2.0: write a share"),
        (("--root-ranks", "-1"), "--root-ranks -1: ranks are 0 to 1"),
        (("--root-ranks", "2", "--dry-run"), "--root-ranks 2: ranks are 0 to 1"),
        (("--counts", "sparse:0"), "--counts sparse:0: behind sparse stands a number from 1"),
        (("--counts", "zipf"), "--counts zipf is not known; there are uniform, zipf:S"),
        (("--counts", "zipf:nan"), "--counts zipf:nan: behind zipf stands a number from 0"),
        (("--counts", "foo:1"), "--counts foo:1 is not known"),
        (("--operations", "band", "--datatypes", "double"), "MPI defines no band of double"),
        (("--operations", "add"), "--operations add: choose one of sum"),
        (("--datatypes", "real"), "--datatypes real: choose one of byte"),
        (("--arrival", "linear:-1"), "--arrival linear:-1: write zero, linear:D"),
        (("--arrival", "linear:nan"), "--arrival linear:nan: write zero"),
        (("--arrival", "one-late:4e9"), "--arrival one-late:4e9: write zero"),
        (("--arrival", "linear:5"), "--arrival linear:5 needs --alignment roundtime"),
        (("--alignment", "luck"), "--alignment luck: choose one of barrier"),
        (("--shapes", "2xa"), "--shapes 2xa: write for example"),
        (("--along", "diagonal"), "--along diagonal: choose world"),
        (("--sizes", "1048576G"), "the sizes are below 2^50 bytes"),
        (("--sizes", "524288G", "--ranks", "100"), "more bytes than 63 bits count"),
        (("--algorithms", "nosuch"), "--algorithms nosuch is none of these collectives"),
        (("--algorithms", "ring", "--collectives", "bcast"), "--algorithms ring is none"),
        (("--counts", "zipf:1", "--collectives", "bcast"), "none of bcast has counts"),
        (("--root-ranks", "0", "--collectives", "barrier"), "none of barrier has a root"),
        (("--operations", "sum", "--collectives", "bcast"), "none of bcast combines anything"),
        (("--collectives", "allreduce", "--datatypes", "byte"), "nothing is left to measure"),
        (("--view", "reproducer:bcast:3"), "--view reproducer:bcast:3: no such cell"),
        (("--of", "last", "--refine", "1"), "leave --refine out"),
        (("--of", "last", "--dry-run"), "leave --dry-run out"),
    ],
)
def test_bad_wishes_end_in_one_sentence(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    ranks = () if {"--of", "--resume", "--ranks"} & set(words) else ("--ranks", "2")

    said = checkout.isobath("bench", "collectives", *ranks, *words)

    assert said.code == 2
    assert not (checkout.prefix / "studies").exists()
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_a_group_without_a_command_shows_its_commands(checkout: Checkout) -> None:
    said = checkout.isobath("bench", "--help")

    assert said.code == 0
    assert "collectives" in said.out
    assert (
        f"see {front_door()} bench collectives --help"
        in checkout.isobath("bench", "collectives", "--wrong").err
    )


def test_the_plan_is_printed_and_nothing_started(checkout: Checkout) -> None:
    said = checkout.isobath(*FEW, *SIZES, "--dry-run")

    assert said.code == 0, said.err
    assert "launches to do; study folder: " in said.out
    assert "a01  fake, 2 ranks" in said.out
    assert "a01f1  fake, 2 ranks, 1 cell" in said.out  # barrier's recexch may crash alone
    assert "INTRA_ALGORITHM" not in said.out  # MPICH's are set cell by cell
    assert not (checkout.prefix / "studies").exists()


def with_kind(checkout: Checkout, kind: str) -> None:
    """Makes the fake MPI one of another family."""
    state = checkout.prefix / ".isobath" / "state.json"
    told = json.loads(state.read_text(encoding="utf-8"))
    told["mpi"]["fake"]["kind"] = kind
    state.write_text(json.dumps(told), encoding="utf-8")


def test_open_mpi_s_algorithms_are_forced_by_environments_of_their_own_arms(
    checkout: Checkout,
) -> None:
    with_kind(checkout, "openmpi")

    said = checkout.isobath(
        *SMALL, "--collectives", "allgather", "--sizes", "64", "--launches", "3"
    )

    assert said.code == 0, said.err
    bench = the_bench(checkout)
    variable = "OMPI_MCA_coll_tuned_allgather_algorithm"
    values = [arm.environment.get(variable, "") for arm in bench.plan().arms]
    assert sorted(values) == ["", "1", "2", "3", "4", "5", "6"]
    for arm, launch in bench.plan().runs():
        sealed = bench.sealed_run(arm, launch)
        assert sealed is not None
        assert sealed.summary().launch_environment.items() >= arm.environment.items()
    assert "ring takes 50% of its time" in " ".join(said.out.split())


def test_a_risky_algorithm_that_crashes_costs_nothing_but_its_own_arm(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "crash-of:recexch")

    said = checkout.isobath(*SMALL, "--collectives", "barrier,bcast", "--sizes", "64",
                            "--launches", "1")  # fmt: skip

    assert said.code == 4
    measured = read_measured(the_bench(checkout))
    assert {one.choice for one in measured.results} >= {"default", "binomial", "k_dissemination"}
    assert "recexch" not in {one.choice for one in measured.results}


def outputs(checkout: Checkout, *views: str) -> list[str]:
    return [checkout.isobath("bench", "collectives", "--of", "last", "--view", view).out
            for view in views]  # fmt: skip


def test_tables_have_the_shape_of_imb_and_osu(checkout: Checkout) -> None:
    assert checkout.isobath(*FEW, "--sizes", "1:4K:4").code == 0

    imb, osu, rules = outputs(checkout, "imb", "osu", "rules")

    assert "# Benchmarking Allgather \n# #processes = 2 " in imb
    rows = [line.split() for line in imb.splitlines() if line.strip()[:1].isdigit()]
    sized = [row for row in rows if len(row) == 5]
    assert len(sized) == 4 * 7
    assert all(float(row[2]) <= float(row[4]) <= float(row[3]) for row in sized)
    assert all(int(row[1]) == 60 for row in sized)  # 20 repetitions of 3 launches
    assert len([row for row in rows if len(row) == 4]) == 1  # barrier
    header = next(line for line in osu.splitlines() if line.startswith("# Size"))
    assert header.split()[2:4] == ["Avg", "Latency(us)"]
    assert "export MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=ring" in rules


@pytest.mark.parametrize("cell", ["barrier", "alltoallv:1024", "reduce_scatter:64", "exscan:8"])
def test_the_reproducer_is_one_file_that_compiles_and_runs(
    checkout: Checkout, tmp_path: Path, cell: str
) -> None:
    name, _, size = cell.partition(":")
    words = ("--collectives", name, "--sizes", size or "8", "--launches", "1")
    assert checkout.isobath(*SMALL, *words, "--algorithms", "none").code == 0
    said = checkout.isobath("bench", "collectives", "--of", "last", "--view", f"reproducer:{cell}")
    assert said.code == 0, said.err
    source, program = tmp_path / "reproducer.c", tmp_path / "reproducer"
    source.write_text(said.out, encoding="utf-8")
    compiler = real_mpi("mpicc")

    subprocess.run(
        [compiler, "-Wall", "-Wextra", "-Werror", "-O2", source, "-o", program], check=True
    )
    done = subprocess.run(
        [real_mpi("mpiexec"), "-n", "2", program], capture_output=True, text=True, check=False,
        timeout=patience(),
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0


def real_mpi(name: str) -> str:
    """A program of the MPI of this environment; without one the test fails."""
    import sys

    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"no {name} here"
    return found


def test_programs_of_all_flagged_cells_are_written(checkout: Checkout) -> None:
    words = ("--collectives", "alltoallv,scatter", "--sizes", "64:4K", "--counts",
             "uniform,zipf:1", "--launches", "3", "--algorithms", "none")  # fmt: skip
    assert checkout.isobath(*SMALL, *words).code == 0

    said = checkout.isobath("bench", "collectives", "--of", "last", "--view", "reproducers")

    assert said.code == 0, said.err
    paths = [Path(line) for line in said.out.splitlines()]
    names = {path.name for path in paths}
    assert "scatter-512-B-2-ranks-fake.c" in names
    assert "alltoallv-64-B-2-ranks-zipf-1-fake.c" in names
    assert all("MPI_Finalize" in path.read_text(encoding="utf-8") for path in paths)


def test_the_report_is_written_and_can_be_written_again(checkout: Checkout) -> None:
    words: tuple[Any, ...] = tuple(word for word in FEW if word != "--no-report")
    said = checkout.isobath(*words, "--sizes", "1:64K:4")

    assert said.code == 0, said.err
    bench = the_bench(checkout)
    page = checkout.prefix / "reports" / bench.study_id / "report.html"
    text = page.read_text(encoding="utf-8")
    assert "Regret of the default" in text
    assert "Trap: scatter, 2 ranks:" in text
    page.unlink()
    assert checkout.isobath("report", bench.study_id).code == 0
    assert page.read_text(encoding="utf-8") == text


def test_show_and_report_know_benchmarks(checkout: Checkout) -> None:
    words = ("--collectives", "bcast", "--sizes", "8", "--launches", "3", "--algorithms", "none")
    assert checkout.isobath(*SMALL, *words).code == 0
    bench = the_bench(checkout)

    for named in (bench.study_id, bench.study_id[:-2], bench.path):
        said = checkout.isobath("show", named)
        assert said.code == 0, said.err
        assert "1 cell, of 1 with times that count" in " ".join(said.out.split())
        assert "bcast, 2 ranks" in said.out
        assert checkout.isobath("report", named).code == 0
    assert checkout.isobath("show", "20200101-nothing").code == 2


def test_show_and_report_know_benchmarks_of_overlap(checkout: Checkout) -> None:
    bench = OverlapFolder(checkout.prefix / "studies" / "20261123-010203-overlap-abcd")
    wanted = plan(launches=1)
    PLAN.begin(bench, wanted, created=datetime.now(UTC), command=("isobath",))
    launch = OpenRun(bench.runs, run_name(wanted.arms[0], 1))
    launch.append(overlap_record())
    launch.seal(summary(launch.run_id), {})
    folder = bench.path

    for named in (folder.name, "20261123-010203", folder):
        said = checkout.isobath("show", named)
        assert said.code == 0, said.err
        assert "T_nov" in said.out
        assert checkout.isobath("report", named).code == 0
        assert (checkout.prefix / "reports" / folder.name / "report.html").is_file()


def test_a_curve_of_one_size_shows_its_median_and_a_barrier_one_without_size(
    checkout: Checkout,
) -> None:
    words = ("--collectives", "barrier,bcast", "--sizes", "64", "--launches", "1")
    said = checkout.isobath(*SMALL, *words, "--algorithms", "none")

    assert said.code == 0, said.err
    rows = [line.split() for line in said.out.splitlines() if line.strip().endswith("us")]
    assert [row[0] for row in rows] == ["barrier,", "bcast,"]


def test_what_means_something_is_let_through(checkout: Checkout) -> None:
    words = ("--collectives", "alltoallv,bcast,allreduce", "--counts", "zipf:0.5,sparse:2,block:1",
             "--root-ranks", "1", "--operations", "sum,bor", "--datatypes", "int32,double",
             "--arrival", "zero,linear:2.5,one-late:0", "--alignment", "roundtime",
             "--algorithms", "binomial,scattered", "--sizes", "16,511G",
             "--view", "reproducer:bcast:16")  # fmt: skip
    said = checkout.isobath(*SMALL, *words, "--dry-run")

    assert said.code == 0, said.err
    assert "alltoallv, bcast, allreduce" in said.out


def test_a_reduction_that_mpi_does_not_define_is_left_out() -> None:
    design = BenchDesign(
        collectives=("allreduce", "bcast"),
        sizes=(8,),
        datatypes=("byte", "int32", "double"),
        operations=("sum", "band"),
    )
    cells = [(one.collective, one.datatype, one.operation) for one in cells_of(design, 2)]
    assert cells == [
        ("allreduce", "byte", "band"),
        ("allreduce", "int32", "sum"),
        ("allreduce", "int32", "band"),
        ("allreduce", "double", "sum"),
        ("bcast", "byte", None),
        ("bcast", "int32", None),
        ("bcast", "double", None),
    ]


def test_what_is_given_twice_is_measured_once(checkout: Checkout) -> None:
    said = checkout.isobath(
        "bench", "collectives", "--collectives", "bcast,bcast", "--collectives", "bcast",
        "--ranks", "2,02", "--sizes", "8,8", "--mpi", "fake,fake", "--forms", "blocking",
        "--algorithms", "none", "--launches", "3", "--no-report",
    )  # fmt: skip

    assert said.code == 0, said.err
    (arm,) = the_bench(checkout).plan().arms
    assert [cell.collective for cell in arm.cells] == ["bcast"]


def test_one_that_was_changed_after_sealing_ends_with_3(checkout: Checkout) -> None:
    words = ("--collectives", "bcast", "--sizes", "8", "--launches", "3", "--algorithms", "none")
    assert checkout.isobath(*SMALL, *words).code == 0
    bench = the_bench(checkout)
    records = bench.runs / "a01-2" / "records.jsonl"
    records.chmod(0o644)
    records.write_text(records.read_text(encoding="utf-8") + "\n", encoding="utf-8")

    for view in ("summary", "json", "sizes"):
        said = checkout.isobath("bench", "collectives", "--of", "last", "--view", view)
        assert said.code == 3, view
        assert "a01-2: records.jsonl" in said.out + said.err
    for command in ("show", "report"):
        said = checkout.isobath(command, bench.path)
        assert said.code == 3, command
        assert "a01-2: records.jsonl" in said.out + said.err


def test_the_summary_shows_sizes_from_the_smallest_to_the_largest() -> None:
    assert spread_over([8, 64, 512], 5) == [8, 64, 512]
    assert spread_over([1 << power for power in range(21)], 5) == [1, 32, 1024, 32768, 1 << 20]


def test_one_of_a_kind_is_said_in_the_singular(checkout: Checkout) -> None:
    said = checkout.isobath(*SMALL, "--collectives", "bcast", "--sizes", "8", "--launches", "1",
                            "--algorithms", "none")  # fmt: skip

    assert said.code == 0, said.err
    assert "1 launch of 1 arm with 1 cell, in random order" in said.err
    assert ", launch 1: 1 cell\n" in said.err
    assert "1 cells" not in said.err
