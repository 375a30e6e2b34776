# SPDX-License-Identifier: Apache-2.0
"""What isobath profile says: regions, call sites, waits, views, limits, bad endings."""

import json
import re
import shutil
from io import StringIO
from pathlib import Path

import pytest

from isobath.cli.studies import print_view
from isobath.cli.terminal import console_into
from isobath.kinds.profile.kind import KIND
from isobath.launch.profiling import BUILDERS
from isobath.profile.views import ipm_rows, mpip_bytes
from isobath.report.profile_sections.places import site
from isobath.report.profile_sections.regions import numbered_region
from isobath.store.folders import list_runs
from needs import needs
from profiler.conftest import Profiler, profiler_of

EDGES_OF_IPM = (57344, 65535)
"""The bucket in which 60,000 bytes are where three bits are kept."""


def test_calls_belong_to_their_regions(standard: Profiler) -> None:
    profile = standard.profile(standard.build("regions.c"))

    found = {numbered_region(cell): cell.argument_bytes for cell in profile.cells}
    assert found == {
        "outside regions": 2 * (1 + 60000),
        "outer": 2 * (2 + 8),
        "inner": 2 * 4,
        "level 0": 2 * 16,
        "level 1": 2 * 16,
        "level 2": 2 * 16,
        "level 5": 2 * 32,
        "searched": 2 * (128 + 129),
    }


def test_calls_belong_to_their_searches(standard: Profiler) -> None:
    done = standard.run(standard.build("regions.c"), options=("--view", "searches"))

    assert done.profile is not None
    found = {(one.search, one.call): one.bytes_sent for one in done.profile.searches}
    assert found == {(0, "allreduce"): 2 * 128, (1, "allreduce"): 2 * 129}
    assert "Searches, in the order of the program" in done.out


@pytest.mark.parametrize("ranks", [2, 3])
def test_levels_are_found_in_a_program_that_announces_none(every: Profiler, ranks: int) -> None:
    done = every.run(every.build("levels.c"), ranks=ranks, options=("--view", "levels"))

    assert done.profile is not None
    found = done.profile.rounds
    assert found is not None
    assert (found.searches, found.levels.min, found.levels.max) == (4, 2, 4)
    assert [one.call for one in found.ends] == ["allreduce"]
    assert found.marker is not None
    assert found.marker.call == "bcast"
    assert found.ranks_counted == ranks
    pairs = ranks * (ranks - 1)
    for level, (searches, one) in enumerate(zip([4, 4, 3, 1], done.profile.levels, strict=True)):
        assert (one.level, one.searches) == (level, searches)
        assert one.expand_bytes == 100 * pairs
        assert one.fold_bytes == 1000 * (level + 1) * pairs
        assert one.bytes_sent == one.expand_bytes + one.fold_bytes + 8 * pairs + 7 * ranks
        assert one.calls == 4 * ranks
        assert one.mpi_seconds >= max(one.expand_seconds, one.fold_seconds, one.agree_seconds)
        assert one.seconds > 0
    assert "4 searches of 2 to 4 levels" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_person_may_say_where_levels_end(standard: Profiler) -> None:
    program = standard.build("levels.c")
    done = standard.run(program, options=("--view", "levels", "--level-site", "check"))

    assert done.profile is not None
    assert done.profile.rounds is not None
    assert done.profile.rounds.confidence == "named"
    assert (done.profile.rounds.searches, done.profile.rounds.levels.max) == (4, 2)

    wrong = standard.run(program, options=("--level-site", "nowhere"))

    assert wrong.code == 2
    assert "'nowhere'" in wrong.err
    assert "Calls by time" in wrong.out, "what the program did is not lost"


def test_a_profile_that_was_changed_is_not_shown(standard: Profiler, tmp_path: Path) -> None:
    profile = standard.profile(standard.build("regions.c"))
    run = tmp_path / profile.whole.run_id
    shutil.copytree(standard.store / profile.whole.run_id, run)
    records = run / "records.jsonl"
    records.chmod(0o644)
    records.write_text(re.sub(r'"calls":\d+', '"calls":123456', records.read_text()))
    for words in (("profile", "--of", run), ("show", run), ("report", run)):
        said = standard.isobath(*words)
        assert said.code == 3, words
        assert "is not as it was sealed" in said.err
        assert "123" not in said.out


def test_options_of_a_run_are_refused_for_a_stored_profile(standard: Profiler) -> None:
    profile = standard.profile(standard.build("regions.c"))
    run = standard.store / profile.whole.run_id
    said = standard.isobath("profile", "--of", run, "--level-site", "main")
    assert said.code == 2
    assert "--level-site is for a program that runs" in said.err


def test_a_program_that_announces_regions_is_asked_no_more(standard: Profiler) -> None:
    done = standard.run(standard.build("regions.c"), options=("--view", "levels"))

    assert done.profile is not None
    assert done.profile.rounds is None
    assert "This program announces its regions" in done.out


def test_a_timeline_agrees_with_the_sums(standard: Profiler, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    done = standard.run(standard.build("waiting.c"), options=("--trace", str(trace)))

    assert done.profile is not None
    lines = done.profile.timelines
    assert [one.rank for one in lines] == [0, 1]
    for call in done.profile.calls:
        if call.wait_seconds is None:
            continue
        rows = [
            (nanoseconds, wait)
            for one in lines
            for place, nanoseconds, wait in zip(
                one.place, one.nanoseconds, one.wait_nanoseconds, strict=True
            )
            if one.place_call[place] == call.call
        ]
        assert sum(row[0] for row in rows) * 1e-9 == pytest.approx(2 * call.seconds.mean)
        assert sum(row[1] for row in rows) * 1e-9 == pytest.approx(2 * call.wait_seconds.mean)
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    assert {event["tid"] for event in events if event["ph"] == "X"} == {0, 1}

    again = standard.isobath(
        "profile", "--of", "last", "--store", standard.store, "--trace", tmp_path / "again.json"
    )
    assert again.code == 0
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == trace.read_text(
        encoding="utf-8"
    )


def test_the_cost_is_measured_by_running_with_and_without(standard: Profiler) -> None:
    words = (*standard.family.launcher, "-n", 2, standard.build("regions.c"))

    done = standard.isobath("profile", "--overhead", 2, "--", *words)

    assert done.code == 0, done.err
    assert "Mean of 2 rounds" in done.out
    assert "95 % interval" in " ".join(done.out.split())
    failed = standard.isobath("profile", "--overhead", 2, "--", *words[:-1], "false")
    assert failed.code != 0
    once = standard.isobath("profile", "--overhead", 1, "--", *words)
    assert once.code == 2
    assert "at least 2 rounds" in once.err


def test_call_sites_have_function_and_line(standard: Profiler) -> None:
    program = standard.build("regions.c")

    profile = standard.profile(program)

    sites = {site(cell) for cell in profile.cells}
    source = (Path(__file__).parent / "programs" / "regions.c").read_text(encoding="utf-8")
    line = next(n for n, text in enumerate(source.splitlines(), 1) if "MPI_Allreduce" in text)
    # Optimised, the calls may have moved into main.
    assert any(name.endswith(f"regions.c:{line}") for name in sites), sites


def test_60000_bytes_are_in_the_bucket_of_ipm(standard: Profiler) -> None:
    profile = standard.profile(standard.build("regions.c"))

    rows = [row for row in ipm_rows(profile) if row.largest >= 60000]
    assert [(row.smallest, row.largest, row.count) for row in rows] == [(*EDGES_OF_IPM, 2)]


def test_the_classic_views_miss_an_alltoallv(standard: Profiler) -> None:
    profile = standard.profile(standard.build("irregular.c"), ranks=4)

    (cell,) = profile.cells
    assert cell.bytes_sent > 0
    assert mpip_bytes(cell) == 0
    assert sum(row.bytes for row in ipm_rows(profile)) == cell.kept_bytes


def test_waiting_for_the_last_is_told_from_the_rest(standard: Profiler) -> None:
    profile = standard.profile(standard.build("waiting.c"))

    assert profile.whole.waits == "known"
    for name in ("allreduce", "bcast"):
        call = profile.call(name)
        assert call is not None
        assert call.wait_seconds is not None
        # Rank 0 waited for most of 50 ms, rank 1 for nobody; a machine under load makes it longer.
        assert 0.02 < call.wait_seconds.max <= call.seconds.max
        assert call.wait_seconds.min < 0.5 * call.wait_seconds.max
        assert call.wait_calls == 2


def test_what_does_not_fit_is_counted_without_its_place(standard: Profiler) -> None:
    program = standard.build("many_places.c")

    profile = standard.profile(program, ISOBATH_PROFILE_CELLS="50", ISOBATH_PROFILE_INSTANCES="100")

    call = profile.call("allreduce")
    assert call is not None
    assert call.calls == 2 * 1000
    assert call.bytes_sent == 2 * 1000
    assert profile.whole.calls_without_place == 2 * (1000 - 50 * 5)
    assert profile.whole.waits == "partly"
    assert call.wait_calls == 2 * 100


@pytest.mark.parametrize(
    ("how", "code", "ending"),
    [
        ("abort", 5, "aborted"),
        ("crash", None, "SIGSEGV"),
        ("exit", 7, "exited"),
        ("return", 0, "exited"),
    ],
)
def test_a_program_that_ends_badly_leaves_its_calls(
    standard: Profiler, how: str, code: int | None, ending: str
) -> None:
    done = standard.run(standard.build("ends_badly.c"), how)

    assert done.profile is not None, done.err
    assert ending in done.profile.whole.endings
    call = done.profile.call("allreduce")
    assert call is not None
    killed = sum(one.ended == "killed" for one in done.profile.ranks)  # by the launcher
    recorded = done.profile.whole.ranks_recorded
    assert 3 * (recorded - killed) + killed <= call.calls <= 3 * recorded
    if code is None:
        assert done.code != 0
    elif how != "return":
        assert done.code == code


def test_a_program_that_leaves_by_exit_at_once_is_recorded(every: Profiler) -> None:
    done = every.run(every.build("ends_badly.c"), "leave")

    assert done.profile is not None, done.err
    assert done.profile.whole.ranks_recorded == 2
    stored = {run.run_id: run for run in list_runs(every.store)}[done.profile.whole.run_id]
    assert done.code == stored.summary().exit_code
    killed = sum(one.ended == "killed" for one in done.profile.ranks)  # by the launcher
    assert killed < 2
    assert set(done.profile.whole.endings) <= {"exited", "killed"}
    call = done.profile.call("allreduce")
    assert call is not None
    assert 4 * (2 - killed) <= call.calls <= 2 * 4, "those behind the end of the forked child too"


def test_a_killed_rank_leaves_what_it_recorded_and_the_program_its_status(
    standard: Profiler,
) -> None:
    done = standard.run(standard.build("ends_badly.c"), "kill")

    assert done.code not in (0, 3)
    assert done.profile is not None, done.err
    assert done.profile.whole.ranks_recorded == 2
    assert "killed" in done.profile.whole.endings
    call = done.profile.call("allreduce")
    assert call is not None
    assert call.calls >= 2, "the first call of each rank, at least"
    run = standard.store / done.profile.whole.run_id
    summary = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert summary["exit_code"] == done.code
    assert re.search(r"killed; what (it|they) recorded up to (its|their) last", summary["message"])


def test_the_program_has_standard_output_for_itself(standard: Profiler, tmp_path: Path) -> None:
    program = standard.build("regions.c")
    command = (*standard.family.launcher, "-n", "2", program)
    ours = ("profile", "--store", standard.store)

    usual = standard.isobath(*ours, *command)
    quiet = standard.isobath(*ours, "-q", "--", *command)
    kept = standard.isobath(*ours, "--output", tmp_path / "kept.txt", *command)

    assert [one.code for one in (usual, quiet, kept)] == [0, 0, 0]
    assert {one.out for one in (usual, quiet, kept)} == {""}
    assert "Calls by time" in usual.err
    assert quiet.err == ""
    assert "Calls by time" not in kept.err
    assert "Calls by time" in (tmp_path / "kept.txt").read_text(encoding="utf-8")


def test_what_stands_behind_the_program_is_the_program_s(standard: Profiler) -> None:
    program = standard.build("ends_badly.c")
    ours = ("profile", "--store", standard.store, "--abi", standard.family.abi)

    done = standard.isobath(*ours, *standard.family.launcher, "-n", 2, program, "return", "--view")

    assert done.code == 0, done.err
    assert done.profile is not None


def test_a_program_without_mpi_is_told_with_its_status(standard: Profiler) -> None:
    done = standard.isobath("profile", "--store", standard.store, "--abi", standard.family.abi,
                            "sh", "-c", "exit 7")  # fmt: skip
    assert done.code == 7
    assert "the program ended with status 7 and recorded nothing" in done.err


@needs("gfortran")
@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_a_fortran_program_where_its_profiler_is_not_built_says_what_to_do(
    profilers: dict[str, Profiler | str], family: str, tmp_path: Path
) -> None:
    profiler = profiler_of(profilers, family)
    program = profiler.build("three_bindings.F90", "-DBINDING_F08")
    cure = BUILDERS[profiler.family.abi]

    done = profiler.isobath("profile", *profiler.family.launcher, "-n", 2, program,
                            ISOBATH_PREFIX=str(tmp_path))  # fmt: skip

    assert done.code == 3
    assert re.search(rf"is not built; build it: \S*isobath .*setup --mpi {cure}\b", done.err)


def test_a_crash_is_recorded_by_every_family(every: Profiler) -> None:
    done = every.run(every.build("ends_badly.c"), "crash")

    assert done.code != 0
    assert done.profile is not None, done.err
    assert "SIGSEGV" in done.profile.whole.endings
    assert "ended: " in done.out


def test_a_rank_that_is_killed_leaves_its_checkpoint(standard: Profiler) -> None:
    # Written at every call; rank 1 is killed by the launcher while it waits.
    done = standard.run(
        standard.build("ends_badly.c"), "abort", ISOBATH_PROFILE_CHECKPOINT_SECONDS="0"
    )

    assert done.profile is not None, done.err
    assert done.profile.whole.ranks_recorded == 2
    # The launcher ends rank 1 by a signal, which some ranks see and some do not.
    assert "aborted" in done.profile.whole.endings
    assert set(done.profile.whole.endings) <= {"aborted", "exited", "killed"}


def test_every_view_fits_80_columns(standard: Profiler) -> None:
    profile = standard.profile(standard.build("collectives.c"), ranks=4)
    found = KIND.read(standard.store / profile.whole.run_id)

    for view in KIND.views:
        out = StringIO()
        print_view(KIND, found, view, console_into(out))
        assert out.getvalue().strip(), view
        assert max(map(len, out.getvalue().splitlines())) <= 80, view


def test_a_stored_profile_is_shown_and_reported(standard: Profiler, tmp_path: Path) -> None:
    standard.run(standard.build("irregular.c"), options=("--timeline",))

    shown = standard.isobath("show", "last", "--store", standard.store)
    assert "Calls by time" in shown.out
    page = tmp_path / "page.html"
    report = standard.isobath("report", "last", "--store", standard.store, "-o", page)
    assert report.code == 0, report.err
    html = page.read_text(encoding="utf-8")
    assert "Communication of irregular on 2 ranks" in html
    assert "MPI_Alltoallv" in html


def test_the_summary_says_what_the_profiler_cost(standard: Profiler) -> None:
    done = standard.run(standard.build("regions.c"))

    assert "the profiler cost" in " ".join(done.out.split())
    assert done.profile is not None
    assert 0 < done.profile.whole.overhead_seconds_per_call < 1e-5


def test_wrong_use_is_one_sentence(standard: Profiler, tmp_path: Path) -> None:
    cases = {
        ("profile",): "nothing to profile",
        ("profile", "--view", "nonsense", "--", "true"): "no view",
        ("profile", "--", "/no/such/launcher"): "no program",
        ("profile", "--", "true"): "--abi",
        ("profile", "--abi", "mpi5", "--", "true"): "recorded nothing",
        ("profile", "--abi", "mpi4", "--", "true"): "--abi mpi4: did you mean",
    }
    for words, sentence in cases.items():
        done = standard.isobath(*words)
        assert done.code in (2, 3), words
        assert done.err.count("\n") == 1, done.err
        assert sentence in done.err


def test_another_binary_interface_is_refused(profilers: dict[str, Profiler | str]) -> None:
    openmpi = profiler_of(profilers, "openmpi")

    done = openmpi.run(openmpi.build("irregular.c"), options=("--abi", "mpich"))

    assert done.code != 0
    assert "another binary interface" in done.err


def test_coverage_names_what_open_mpi_lacks(standard: Profiler) -> None:
    done = standard.isobath("profile", "--coverage")

    rows = dict(
        re.split(r" {2,}", line.strip(), maxsplit=1)
        for line in done.out.splitlines()
        if "  " in line.strip()
    )
    assert done.code == 0
    assert rows["one-sided"].split()[0] == "yes"
    assert rows["Fortran mpi_f08"].split() == ["none", "yes", "yes"]


def test_our_own_search_agrees_with_its_ledger(standard: Profiler) -> None:
    """Calls and bytes of every part of a run, counted twice: by the engine and from outside."""
    engine = next(
        (
            folder / "bin" / "isobath-graph500"
            for folder in _build_folders()
            if (folder / "bin" / "isobath-graph500").exists()
        ),
        None,
    )
    if engine is None:
        pytest.fail("the engine is not built: run ./isobath test, which builds it")
    records = standard.folder / "engine.jsonl"
    words = ("--scale", 10, "--keys", 4, "--warmup", 0, "--record", records)

    profile = standard.profile(engine, *words, ranks=4)  # a grid of one column

    ledger = {}
    for line in records.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] == "mpi_time":
            # isend_all is an MPI_Isend to each of the three others.
            name, times = ("isend", 3) if row["call"] == "isend_all" else (row["call"], 1)
            ledger[row["part"], name] = (times * row["calls"], row["bytes_sent"])
    counted: dict[tuple[str, str], tuple[int, int]] = {}
    levels = set()
    for cell in profile.cells:
        if cell.region is None or not (
            cell.bytes_sent or cell.call in {call for _, call in ledger}
        ):
            continue
        key = cell.region.partition("/")[0], cell.call
        before = counted.get(key, (0, 0))
        counted[key] = (before[0] + cell.calls, before[1] + cell.bytes_sent)
        if cell.region.startswith("search/"):
            levels.add(cell.region_number)
    assert {part for part, _ in ledger} == {"generate", "construct", "search", "validate"}
    assert counted == ledger
    assert {0, 1, 2} <= levels
    assert {one.search for one in profile.searches} == {0, 1, 2, 3}
    in_searches = sum(one.bytes_sent for one in profile.searches)
    assert in_searches == sum(sent for (part, _), (_, sent) in ledger.items() if part == "search")


def _build_folders() -> list[Path]:
    from isobath.launch.installation import Installation
    from isobath.launch.mpi_library import WHEEL, known_libraries

    wheel = next(one for one in known_libraries(Installation.here()) if one.id == WHEEL)
    return [folder for folder in (wheel.build_dir, wheel.test_build_dir) if folder is not None]
