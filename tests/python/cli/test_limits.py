# SPDX-License-Identifier: Apache-2.0
"""What hangs ends by a limit, with exit code 7 and who is where; no rank is left."""

import ast
import importlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.conftest import Checkout
from command_tree import whole_tree
from fake_mpi import install_imb
from isobath.cli.commands import BENCH, COMMANDS, Entry
from isobath.errors import UsageError
from isobath.kinds.run import calibration
from isobath.launch import limits
from isobath.launch.limits import Asked
from isobath.race.folders import RaceFolder
from isobath.study.shelf import Shelf
from kind_table import BENCHES, MEASURED, quick

RUN = ("run", "--scale", "12", "--ranks", "2", "--threads", "1", "--no-report")
RACE = ("race", "--plans", "simple", "--ranks", "2", "--scale", "12", "--threads", "1",
        "--no-report", "--no-ladder", "--no-audit", "--seed", "7")  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_left(checkout: Checkout) -> Iterator[None]:
    """Whatever ended a command, none of its processes is there afterwards."""
    yield
    ours = str(checkout.prefix).encode()
    left = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue
        if ours in words and int(path.parent.name) != os.getpid():
            left.append(words)
    assert left == []


@pytest.mark.parametrize("kind", BENCHES)
def test_a_benchmark_that_hangs_says_who_is_where(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "hangs")

    said = checkout.isobath(*quick(kind, checkout.prefix, once=True), "--hang-seconds", "1")

    assert said.code == 7, said.err
    sentence = " ".join(said.err.split())
    assert "no rank made progress for 1 s: rank 0 computes (cell 1 of 2, allreduce of 8 B)" in (
        sentence
    )
    assert "rank 1 waits in MPI_Allreduce (cell 1 of 2, allreduce of 8 B)" in sentence
    assert "--hang-seconds" in sentence


@pytest.mark.parametrize("kind", BENCHES)
def test_a_stopped_rank_of_a_benchmark_is_named_within_seconds(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "stopped")
    began = time.monotonic()

    said = checkout.isobath(*quick(kind, checkout.prefix, once=True))

    assert said.code == 3, said.err
    assert "rank 1 was stopped by a signal" in " ".join(said.err.split())
    assert time.monotonic() - began < limits.HANG_SECONDS / 2, "by itself, not by a limit"


@pytest.mark.parametrize("kind", BENCHES)
def test_a_benchmark_has_a_time_limit_where_it_is_asked_for(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "hangs")

    said = checkout.isobath(*quick(kind, checkout.prefix, once=True), "--time-limit", "2")

    assert said.code == 7, said.err
    assert "it was not over after 2 s: rank 0 computes" in " ".join(said.err.split())


def test_a_program_without_a_heartbeat_hangs_where_it_writes_no_more(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_imb(checkout.prefix)
    monkeypatch.setenv("FAKE_IMB", "hangs")
    words = ("bench", "collectives", "--collectives", "allreduce", "--sizes", "8,64", "--ranks",
             "2", "--launches", "1", "--no-report", "--cross-check", "imb")  # fmt: skip

    said = checkout.isobath(*words, "--hang-seconds", "2")

    assert said.code == 7, said.err
    assert "IMB-MPI1 did not give a result: no rank made progress for 2 s" in said.err


@pytest.mark.parametrize("words", [RUN, RACE, ("plan", "--scale", "12")], ids=lambda one: one[0])
def test_a_calibration_that_hangs_ends_in_the_time_of_the_run(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("FAKE_DO", "poll")  # the rank that polls must not hide the one that hangs

    said = checkout.isobath(*words, "--hang-seconds", "1")

    assert said.code == 7, said.err
    assert "the calibration failed: no rank made progress for 1 s: rank 0 " in said.err
    assert "--hang-seconds" in said.err


def test_a_run_and_a_race_that_hang_say_who_is_where(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    for layout in (RUN[1:-1], ("--scale", "12")):  # calibrated while nothing hangs
        assert checkout.isobath("plan", *layout).code == 0
    monkeypatch.setattr(calibration, "KEPT_SECONDS", 1e9)
    monkeypatch.setenv("FAKE_DO", "hang")

    for words in (RUN, RACE):
        said = checkout.isobath(*words, "--hang-seconds", "1")

        assert said.code == 7, said.err
        sentence = " ".join(said.err.split())
        assert "no rank made progress for 1 s: rank 0 computes (phase top_down, search 1" in (
            sentence
        )
        assert "rank 1 waits in MPI_Allreduce (phase reduce, search 1, level 0)" in sentence
    race = RaceFolder(Shelf((checkout.prefix / "studies",)).find("last:race").path)
    (sealed,) = race.runs.iterdir()
    assert "no rank made progress" in (sealed / "run.json").read_text(encoding="utf-8")


def test_a_run_has_a_time_limit_where_it_is_asked_for(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "slow")
    monkeypatch.setenv("FAKE_SEARCHES", "2")
    assert checkout.isobath("plan", *RUN[1:-1]).code == 0
    monkeypatch.setenv("FAKE_SEARCHES", "600")

    said = checkout.isobath(*RUN, "--time-limit", "3")

    assert said.code == 7, said.err
    assert "it was not over after 3 s" in said.err
    assert checkout.runs[-1].records().state == "failed"


def test_the_doctor_waits_for_nobody(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DO", "hang")

    said = checkout.isobath("doctor", "--quick", "--hang-seconds", "1")
    assert said.code == 7
    assert "no rank made progress for 1 s" in " ".join(said.out.split())

    said = checkout.isobath("doctor", "--quick", "--time-limit", "2")
    assert said.code == 7
    assert "it was not over after 2 s" in " ".join(said.out.split())


def test_a_walk_that_hangs_stops_no_race(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout.isobath("plan", "--scale", "12").code == 0
    monkeypatch.setattr(calibration, "KEPT_SECONDS", 1e9)
    monkeypatch.setenv("FAKE_AUDIT", "hangs")
    words = [word for word in RACE if word != "--no-audit"]

    said = checkout.isobath(*words, "--hang-seconds", "1")

    assert said.code == 7, said.err
    assert "not audited: isobath-audit was not over after 1 s and was ended" in " ".join(
        said.err.split()
    )
    race = RaceFolder(Shelf((checkout.prefix / "studies",)).find("last:race").path)
    (sealed,) = race.runs.iterdir()
    said = checkout.isobath("audit", str(sealed), "--time-limit", "0.5")
    assert said.code == 7
    assert "isobath-audit was not over after 0.5 s and was ended" in said.err
    assert "allow more with --time-limit" in said.err


@pytest.mark.parametrize("option", ["--hang-seconds", "--time-limit"])
def test_a_program_that_hangs_when_it_lists_what_it_knows_is_ended(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv("FAKE_TROUBLE", "list")

    said = checkout.isobath(*quick("bench overlap", checkout.prefix, once=True), option, "1")

    assert said.code == 7, said.err
    assert "isobath-overlap was not over after 1 s and was ended" in said.err
    assert f"allow more with {option}" in said.err


@pytest.mark.parametrize("option", ["--hang-seconds", "--time-limit"])
def test_a_measurement_of_the_memory_that_hangs_is_ended(checkout: Checkout, option: str) -> None:
    program = checkout.prefix / "build" / "fake" / "bin" / "isobath-limits"
    program.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    program.chmod(0o755)

    said = checkout.isobath("doctor", "--limits", option, "1")

    assert said.code == 7, said.err
    assert "isobath-limits was not over after 1 s and was ended" in said.err
    assert f"allow more with {option}" in said.err


def test_a_baseline_and_a_sitting_that_hang_say_who_is_where(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = quick("bench collectives", checkout.prefix, once=True)
    assert checkout.isobath(*bench).code == 0
    assert checkout.isobath("baseline", "set", "mpi", "last").code == 0
    monkeypatch.setenv("FAKE_TROUBLE", "hangs")

    said = checkout.isobath("baseline", "set", "first", "--turns", "2", "--hang-seconds", "1")
    assert said.code == 7, said.err
    assert "no rank made progress for 1 s: rank 0 computes" in " ".join(said.out.split())

    words = ("calibrate", "noise", "mpi", "--launches", "2")
    said = checkout.isobath(*words, "--time-limit", "1")
    assert said.code == 7, said.err
    assert "it was not over after 1 s: rank 0 computes" in " ".join(said.out.split())
    assert checkout.isobath("baseline", "show", "first").code == 2, "nothing was kept"


WITHOUT_RANKS = {
    "model fit": "a study of no program",
    "export": "isobath-edges, one process, which shows how far it is",
    "keys": "isobath-edges",
    "test": "its suites have limits of their own",
}
"""Commands that make studies or start programs, but no ranks."""

STARTERS = {"perform", "supervise", "do_study", "answer_of", "execute_run", "StudyCommand",
            "quick_run", "needs_of", "walk", "measure_limits", "run_edge_program", "export_edges",
            "run_suite", "Popen", "Driver", "Interrupts", "verify_claims"}  # fmt: skip
"""What starts programs, or leads there."""


def names_behind(place: str) -> set[str]:
    """All names that a command uses, and those of what it uses of its module."""
    module, _, name = place.partition(":")
    source = importlib.import_module(module).__file__
    assert source is not None
    tree = ast.parse(Path(source).read_text(encoding="utf-8"))
    bodies = {getattr(node, "name", ""): node for node in tree.body}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            bodies |= {one.id: node for one in node.targets if isinstance(one, ast.Name)}
    found: set[str] = set()
    left = [name]
    while left:
        for part in ast.walk(bodies[left.pop()]):
            if isinstance(part, ast.Name) and part.id not in found:
                found.add(part.id)
                left += [part.id] if part.id in bodies else []
    return found


def test_no_command_that_starts_ranks_can_forget_its_limits() -> None:
    """A new command either takes both options or uses nothing that starts anything."""
    with_limits = set()
    for words, command in whole_tree().items():
        if hasattr(command, "list_commands"):
            continue
        options = {option for one in command.params for option in one.opts}
        given = {"--hang-seconds", "--time-limit"} & options
        assert len(given) != 1, words
        starts = bool(names_behind(entry_of(words).place) & STARTERS)
        assert starts == (bool(given) or words in WITHOUT_RANKS), words
        if given:
            with_limits.add(words)
    assert with_limits >= {"run", "search", "race", "profile", "resume", "verify", "plan", "doctor",
                           "audit", "regress", "calibrate noise", "baseline set"}  # fmt: skip
    assert with_limits >= {f"bench {name}" for name in BENCH}


def entry_of(words: str) -> Entry:
    """Of a command, in the table."""
    first, *others = words.split()
    entry = COMMANDS[first]
    for word in others:
        entry = entry.inner[word]
    return entry


def test_what_nobody_asked_for_has_a_minute_whatever_the_run_may_take() -> None:
    patient = Asked(hang_seconds=500, time_limit=86400)

    assert limits.of_calibration(Asked()).time_limit == limits.TRIAL_SECONDS == 60
    assert limits.of_calibration(patient).time_limit == 60
    assert limits.of_calibration(patient).hang_seconds == 60
    assert limits.of_calibration(Asked(hang_seconds=2)).hang_seconds == 2
    assert limits.of_listing(patient) == limits.of_calibration(patient)
    assert limits.of_doctor(Asked()).time_limit == 60
    assert limits.of_doctor(patient).time_limit == 86400
    assert limits.of_memory_limits(Asked()).time_limit == 120
    assert limits.of_memory_limits(patient).time_limit == 86400


def test_what_a_person_asked_for_may_take_as_long_as_it_makes_progress() -> None:
    asked = Asked()
    for found in (
        limits.of_run(asked, 10.0),
        limits.of_search(asked, 1000),
        limits.of_walk(asked, 16 << 20, 64),
        limits.of_benchmark(asked),
        limits.of_silent_program(asked),
        limits.of_profiled_program(asked),
    ):
        assert found.time_limit is None
    assert limits.of_run(asked, 10.0).hang_seconds == 120
    assert limits.of_run(asked, 1000.0).hang_seconds == 2000, "longer than any of its phases"
    assert limits.of_search(asked, 20_000_000_000).hang_seconds == 10_120
    assert limits.of_walk(asked, 1_000_000, 9).hang_seconds == 130
    assert limits.of_profiled_program(asked).hang_seconds is None
    assert limits.of_run(Asked(hang_seconds=7.0), 1000.0).hang_seconds == 7


@pytest.mark.parametrize("option", ["hang-seconds", "time-limit"])
@pytest.mark.parametrize("kind", MEASURED)
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf"])
def test_a_limit_is_a_time(checkout: Checkout, kind: str, option: str, value: str) -> None:
    said = checkout.isobath(*quick(kind, checkout.prefix, f"--{option}", value))

    assert said.code == 2
    assert f"--{option} {value}" in said.err.replace(" = ", " "), said.err


def test_the_variable_of_stopping_is_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.STOP_VARIABLE, "0.5")
    assert limits.of_benchmark(Asked()).stop_seconds == 0.5
    for wrong in ("0", "soon", "nan"):
        monkeypatch.setenv(limits.STOP_VARIABLE, wrong)
        with pytest.raises(UsageError, match=f"ISOBATH_STOP_SECONDS is '{wrong}'"):
            limits.stop_seconds()


def test_a_stored_benchmark_has_no_limits(checkout: Checkout) -> None:
    for kind in BENCHES:
        said = checkout.isobath(*kind.split(), "--of", "last", "--hang-seconds", "3")
        assert said.code == 2
        assert "leave --hang-seconds out" in said.err
