# SPDX-License-Identifier: Apache-2.0
import json
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door

RUN = ("run", "--scale", "12", "--keys", "4", "--no-report")


def test_a_run_prints_the_block_and_seals_its_folder(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--scale", "12", "--keys", "4")

    assert said.code == 0, said.err
    assert said.out == "SCALE:                          12\n"
    (run,) = checkout.runs
    assert run.is_sealed
    assert run.verify() == []
    summary = run.summary()
    assert (summary.state, summary.verdict, summary.exit_code) == ("complete", "validated", 0)
    assert summary.settings["scale"].origin == "--scale"
    assert summary.settings["threads"].origin == "chosen"
    assert summary.settings["edges"].origin == "default"
    assert "-n" in summary.launch_line
    assert "All 4 searches passed every rule" in said.err
    assert "launching: ISOBATH_EXPECT_RANKS=1" in said.err
    assert f"isobath --prefix checkout show {run.run_id}" in said.err
    page = checkout.prefix / "reports" / run.run_id / "report.html"
    assert page.is_file()
    assert run.environment()["mpi"]["id"] == "fake"


def test_without_a_scale_one_is_chosen_and_the_reason_said(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--keys", "4", "--no-report")

    assert said.code == 0, said.err
    assert "the largest that" in said.err
    assert "calibrating" in said.err
    again = checkout.isobath("run", "--dry-run")
    assert "calibrating" not in again.err
    kept = json.loads((checkout.prefix / ".isobath" / "calibration.json").read_text())
    assert len(kept) == 1


def test_a_dry_run_starts_and_writes_nothing_and_says_everything(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    dry = ("run", "--scale", "14", "--ranks", "2", "--dry-run")
    with monkeypatch.context() as patched:
        patched.setattr("isobath.kinds.run.calibration.run_engine", pytest.fail)
        said = checkout.isobath(*dry)
        facts = json.loads(checkout.isobath(*dry, "--json").out)
        without_scale = checkout.isobath("run", "--dry-run")

    assert said.code == 0, said.err
    for words in ("launch line:", "memory:", "time: not known", "run folder:", "report:", "-n 2"):
        assert words in said.out
    assert (facts["kind"], facts["settings"]["scale"]) == ("run", 14)
    (launch,) = facts["launches"]
    assert launch["command"][launch["command"].index("--scale") + 1] == "14"
    assert Path(facts["folder"]).parent == checkout.prefix / "studies"
    assert "the largest that fits the memory; how long it takes is not known" in without_scale.out
    assert checkout.runs == []
    checkout.isobath("plan", "--scale", "14", "--ranks", "2")  # which does calibrate
    assert "time: about" in checkout.isobath(*dry).out


def test_findings_as_json_take_the_place_of_the_block(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--scale", "12", "--no-report", "--json")

    assert said.code == 0, said.err
    assert json.loads(said.out) == json.loads(checkout.isobath("show", "--json").out)


@pytest.mark.parametrize("names", ["wheel,system", "all"])
def test_a_run_is_under_one_mpi(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, names: str
) -> None:
    said = checkout.isobath("run", "--mpi", names)
    monkeypatch.setenv("ISOBATH_MPI", names)
    by_variable = checkout.isobath("run")

    assert (said.code, by_variable.code) == (2, 2)
    assert f"--mpi {names}: this runs under one MPI library; name one (race, bench" in said.err
    assert f"ISOBATH_MPI {names}: this runs under one" in by_variable.err


def test_many_searches_are_validated_by_a_copy(checkout: Checkout) -> None:
    asked = ("run", "--scale", "14", "--ranks", "1", "--dry-run")

    assert "--validation-copy on" in checkout.isobath(*asked).out
    assert "--validation-copy on" in checkout.isobath(*asked, "--ranks", "4").out
    for words in (
        ("--validation-copy", "off"),
        ("--keys", "15"),
        ("--no-validation",),
        ("--kernel", "sssp"),
        ("--ranks", "4", "--edgefactor", "3"),
    ):
        assert "--validation-copy on" not in checkout.isobath(*asked, *words).out, words
    few = checkout.isobath(*asked, "--keys", "1", "--validation-copy", "on")
    assert "--validation-copy on" in few.out


def test_every_option_reaches_the_engine(checkout: Checkout) -> None:
    said = checkout.isobath(
        *("run", "--scale", "12", "--grid", "2x1", "--threads", "1", "--edges", "file"),
        *("--no-validation", "--root", "5", "--root", "7", "--alpha", "3.5", "--beta", "9"),
        *("--legacy-no-bang", "--warmup", "0", "--edgefactor", "8", "--edge-folder", "/tmp"),
        "--dry-run",
    )

    line = said.out[said.out.index("launch line:") :]
    for words in (
        *("--grid 2x1", "--threads 1", "--edges file", "--edge-folder /tmp", "--no-validation"),
        *("--root 5 --root 7", "--alpha 3.5", "--beta 9.0", "--legacy-no-bang", "--warmup 0"),
        *("--edgefactor 8", "-n 2"),
    ):
        assert words in line


def test_every_choice_of_a_plan_reaches_the_engine(checkout: Checkout) -> None:
    said = checkout.isobath(
        *("run", "--scale", "12", "--ranks", "4", "--plan", "two-dim", "--exchange", "sparse"),
        *("--duplicates", "drop", "--ids", "32", "--dedup", "local", "--frontier", "smaller"),
        *("--fold", "plain", "--relabel", "off", "--leaves", "in", "--streams", "off"),
        *("--overlap", "off", "--direction", "top-down", "--count-nodes-of", "2"),
        *("--instruction-set", "portable", "--size-edges", "8,512", "--dry-run"),
    )

    line = said.out[said.out.index("launch line:") :]
    for words in (
        *("--plan two-dim --grid 2x2", "--exchange sparse", "--duplicates drop", "--ids 32"),
        *("--dedup local", "--frontier smaller", "--fold plain", "--relabel off", "--leaves in"),
        *("--streams off", "--overlap off", "--direction top-down", "ISOBATH_NODE_MAP=0,0,1,1"),
        *("ISOBATH_INSTRUCTION_SET=portable", "--size-edges 8,512"),
    ):
        assert words in line
    assert "--exchange" not in checkout.isobath("run", "--scale", "12", "--dry-run").out


@pytest.mark.parametrize("edges", ["512,8", "0,8", "8,8", "eight", "8,,512", ""])
def test_edges_of_size_buckets_ascend(checkout: Checkout, edges: str) -> None:
    said = checkout.isobath("run", "--scale", "12", "--size-edges", edges, "--dry-run")

    assert said.code == 2
    assert "each larger than the one before, for example 8,512,65536" in said.err


def test_a_plan_has_its_own_grid_and_refuses_others(checkout: Checkout) -> None:
    words = ("run", "--scale", "12", "--ranks", "4", "--dry-run", "--plan")

    for plan, grid in (("replicated-csr", "4x1"), ("simple", "1x4"), ("two-dim", "2x2")):
        assert f"--plan {plan} --grid {grid}" in checkout.isobath(*words, plan).out
    said = checkout.isobath(*words, "simple", "--grid", "2x2")
    assert said.code == 2
    assert "--grid 2x2 does not go with --plan simple, whose grid is 1xP" in said.err
    said = checkout.isobath(*words, "hybrid", "--exchange", "own")
    assert said.code == 2
    assert "--exchange own does not go with --plan hybrid: it takes eager" in said.err


def test_plans_are_calibrated_each_by_itself(checkout: Checkout) -> None:
    words = ("plan", "--scale", "12")

    assert "calibrating" in checkout.isobath(*words).err
    assert "calibrating" in checkout.isobath(*words, "--plan", "simple").err
    assert "calibrating" not in checkout.isobath(*words, "--plan", "simple").err
    assert "calibrating" not in checkout.isobath(*words).err


def test_a_run_without_validation_is_called_so(checkout: Checkout) -> None:
    said = checkout.isobath(*RUN, "--no-validation")

    assert said.code == 0
    assert said.out.startswith("UNVALIDATED")
    assert "UNVALIDATED: 65.33 MTEPS" in said.err
    (run,) = checkout.runs
    assert run.summary().verdict == "unvalidated"
    assert run.text("UNVALIDATED.txt").startswith("UNVALIDATED, no search of this run")
    assert "UNVALIDATED" not in run.text("official-reference.txt")
    assert run.verify() == []


def test_fewer_keys_than_asked_for_are_said(checkout: Checkout) -> None:
    assert "Only 4 of 64 search keys were found: scale 12 has no more" in (
        checkout.isobath("run", "--scale", "12", "--no-report").err
    )
    assert "search keys were found" not in checkout.isobath(*RUN).err


def test_one_search_is_told_in_the_singular(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_SEARCHES", "1")

    said = checkout.isobath("run", "--scale", "12", "--no-report")

    assert "was searched once" in said.err
    assert "Only 1 of 64 search keys was found" in said.err
    assert "The only search passed every rule" in said.err
    assert "; the search took 1 ms." in said.err


def test_a_run_without_a_search_claims_none(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout.isobath("plan", "--scale", "12").code == 0  # calibrates
    monkeypatch.setenv("FAKE_SEARCHES", "0")

    said = checkout.isobath("run", "--scale", "12")

    assert "No search of a graph of 4,096 vertices" in said.err
    assert "0 times" not in said.err
    assert "harmonic mean" not in said.err
    assert "harmonic mean" not in checkout.isobath("show").out


def test_violations_end_with_1(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DO", "violations")
    checkout_calibrated(checkout, monkeypatch)

    said = checkout.isobath(*RUN)

    assert said.code == 1
    assert "validation found violations: rule tree_edges: 1 violation" in said.err
    assert checkout.runs[0].summary().verdict == "violations"
    assert checkout.runs[0].is_sealed


def checkout_calibrated(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """The calibration comes before the trouble."""
    import os

    wish = os.environ["FAKE_DO"]
    monkeypatch.setenv("FAKE_DO", "")
    assert checkout.isobath("plan", "--scale", "12").code == 0
    assert checkout.isobath("plan", "--scale", "12", "--ranks", "2").code == 0
    monkeypatch.setenv("FAKE_DO", wish)


@pytest.mark.parametrize(
    ("wish", "code", "words"),
    [
        ("kill:1:9", 3, "rank 1 was killed by SIGKILL in phase validate"),
        ("kill:1:11", 4, "defect of Isobath"),
        ("stop:1", 3, "rank 1 was stopped"),
        ("say:2:--scale 12 is silly", 2, "--scale 12 is silly"),
        ("say:8:it does not fit", 8, "it does not fit"),
        ("exit:42", 3, "ended with status 42"),
    ],
)
def test_trouble_is_sealed_with_its_reason(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, wish: str, code: int, words: str
) -> None:
    monkeypatch.setenv("FAKE_DO", wish)
    checkout_calibrated(checkout, monkeypatch)

    said = checkout.isobath(*RUN, "--ranks", "2")

    assert said.code == code, said.err
    assert words in said.err
    assert "Traceback" not in said.err
    (run,) = checkout.runs
    assert run.is_sealed
    assert run.summary().exit_code == code
    assert words in (run.summary().message or "")
    lines = [json.loads(line) for line in run.text("records.jsonl").splitlines()]
    (failure,) = [line for line in lines if line["kind"] == "failure"]
    assert failure["exit_code"] == code
    if wish.startswith(("kill", "stop")):
        assert failure["rank"] == 1
        assert failure["signal"] == int(wish.split(":")[2]) if wish[0] == "k" else 19
        assert run.records().state == "failed"


@pytest.mark.parametrize(("wish", "number"), [("kill:1:9", 9), ("stop:1", 19)])
def test_what_others_notice_of_a_rank_that_is_gone_is_no_second_failure(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, wish: str, number: int
) -> None:
    monkeypatch.setenv("FAKE_DO", wish)
    monkeypatch.setenv("FAKE_NOTICES", "1")
    checkout_calibrated(checkout, monkeypatch)

    said = checkout.isobath(*RUN, "--ranks", "2")

    assert said.code == 3, said.err
    (run,) = checkout.runs
    (failure,) = run.records().failures
    assert (failure.rank, failure.signal) == (1, number)
    assert failure.message == run.summary().message
    assert run.verify() == []


def test_a_run_that_fails_before_its_first_record_can_be_shown(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "say:8:it does not fit")
    checkout_calibrated(checkout, monkeypatch)

    said = checkout.isobath("run", "--scale", "12", "--keys", "4")

    (run,) = checkout.runs
    assert "isobath report" not in said.err
    assert f"next: {front_door()} show {run.run_id}" in said.err
    shown = checkout.isobath("show", run.run_id)
    assert (shown.code, shown.err) == (0, "")
    assert "it does not fit" in shown.out
    assert "stderr.txt" in shown.out


def test_a_hang_ends_with_7(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DO", "hang")
    checkout_calibrated(checkout, monkeypatch)

    said = checkout.isobath(*RUN, "--ranks", "2", "--hang-seconds", "1")

    assert said.code == 7
    assert "rank 1 waits in MPI_Allreduce (phase reduce, search 1, level 0)" in said.err


def test_what_cannot_fit_is_refused_with_the_largest_that_does(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--scale", "31")

    assert said.code == 8
    assert "the largest scale that fits is" in said.err
    assert checkout.runs == []
    assert checkout.isobath("run", "--scale", "31", "--force", "--dry-run").code == 0


def test_what_no_rank_can_number_is_refused_even_by_force(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--scale", "40", "--force")

    assert said.code == 8
    assert "take 2500 ranks on a 50x50 grid or more; here the largest scale that" in said.err
    assert checkout.runs == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--scale", "99"), "the most is 43"),
        (("--edges", "tape"), "choose one of memory, file, regenerate"),
        (("--grid", "2x3", "--ranks", "4"), "--grid 2x3 needs 6 ranks, but this run has 4"),
        (("--grid", "two"), "is no grid"),
        (("--grid", "1x9999999999"), "too many"),
        (("--alpha", "nan"), "--alpha nan: this setting takes a finite number"),
        (("--alpha", "0"), "--alpha 0.0: it must be greater than 0"),
        (("--beta", "inf"), "--beta inf: this setting takes a finite number"),
        (("--edgefactor", "4097"), "the most is 4096"),
        (("--scale", "10", "--root", "1024"), "--root 1024 is no vertex of scale 10"),
        (("--root", str(1 << 43)), "is no vertex of scale"),
        (("--scal", "3"), "--scale"),
        (("--official", "--edgefactor", "8"), "an official run takes edgefactor 16"),
        (("--official", "--keys", "8"), "64 search keys"),
        (("--official", "--root", "8"), "sampled search keys"),
        (("--official", "--no-validation"), "every search validated"),
        (("--official", "--scale", "12"), "scale 16 or more"),
        (("--official", "--ranks", "64", "--scale", "16"), "not oversubscribed"),
    ],
)
def test_wrong_use_ends_with_2_and_says_why(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("run", *words)

    assert said.code == 2
    assert sentence in said.err
    assert "Traceback" not in said.err
    assert checkout.runs == []


def test_an_edge_folder_that_cannot_take_files_ends_with_3(
    checkout: Checkout, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for folder, problem in ((tmp_path / "nowhere", "does not exist"), (tmp_path / "file", "is no")):
        said = checkout.isobath(*RUN, "--edges", "file", "--edge-folder", folder)

        assert said.code == 3
        assert f"the edge folder {folder} {problem}" in said.err
        assert checkout.runs == []


def test_an_official_run_asks_the_engine_for_its_rules(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--official", "--scale", "16", "--no-report")

    assert said.code == 0, said.err
    assert "--official" in checkout.runs[0].summary().launch_line


def test_an_unknown_mpi_ends_with_3(checkout: Checkout) -> None:
    said = checkout.isobath("run", "--mpi", "nowhere")

    assert said.code == 3
    assert "the MPI nowhere is not known here" in said.err


def test_a_store_that_cannot_be_written_ends_with_3(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    said = checkout.isobath(*RUN, "--store", tmp_path / "file" / "runs")

    assert said.code == 3
    assert "--store" in said.err


def test_a_report_that_fails_costs_no_run(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    said = checkout.isobath("run", "--scale", "12", "--reports", tmp_path / "file" / "reports")

    assert said.code == 3
    assert "the report was not written" in said.err
    assert checkout.runs[0].verify() == []


def test_an_interrupted_run_is_sealed_as_unfinished(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "slow")
    checkout_calibrated(checkout, monkeypatch)
    threading.Thread(target=interrupt_later, args=(checkout.prefix / "studies",)).start()

    said = checkout.isobath(*RUN)

    assert said.code == 3
    assert "interrupted after" in said.err
    (run,) = checkout.runs
    assert run.is_sealed
    assert run.summary().state == "unfinished"
    assert run.records().state == "unfinished"


def interrupt_later(runs: Path) -> None:
    """One SIGINT once the first search is recorded."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        for path in runs.glob("*/records.jsonl"):
            if '"kind":"search"' in path.read_text(encoding="utf-8"):
                signal.raise_signal(signal.SIGINT)
                return
        time.sleep(0.05)


def test_a_file_variables_and_options_win_in_this_order(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('scale = 13\nkeys = 5\nedge-folder = "/tmp"\n', encoding="utf-8")
    monkeypatch.setenv("ISOBATH_KEYS", "6")
    monkeypatch.setenv("ISOBATH_WARMUP", "0")

    said = checkout.isobath("run", config, "--warmup", "1", "--show-config")

    assert said.code == 0
    rows = {line.split()[0]: line.split()[1:] for line in said.out.splitlines()}
    assert rows["scale"] == ["13", str(config)]
    assert rows["keys"] == ["6", "ISOBATH_KEYS"]
    assert rows["warmup"] == ["1", "--warmup"]
    assert rows["edge_folder"] == ['"/tmp"', str(config)]
    assert rows["validation"] == ["true", "default"]


def test_a_defect_of_ours_ends_with_4_and_keeps_its_traceback(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    from isobath.kinds.run import preparation

    def explode(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(preparation, "prepare_run", explode)

    said = checkout.isobath("run")

    assert said.code == 4
    assert "a defect of Isobath: ZeroDivisionError" in said.err
    assert "Traceback" not in said.err
    assert "Traceback" in (checkout.prefix / ".isobath" / "defect.txt").read_text()


def test_records_that_cannot_be_read_are_a_defect(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    from isobath.records.codec import RecordError
    from isobath.study import sealing

    def refuse(_: Path) -> None:
        raise RecordError("line 3: seconds: Field required")

    monkeypatch.setattr(sealing, "read_records", refuse)

    said = checkout.isobath(*RUN)

    assert said.code == 4
    assert "line 3: seconds" in said.err
    assert checkout.runs[0].summary().state == "failed"


def test_progress_lines_come_when_it_is_no_terminal(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    from isobath.cli import live

    monkeypatch.setenv("FAKE_DO", "slow")
    checkout_calibrated(checkout, monkeypatch)
    monkeypatch.setattr(live, "FIRST_LINES_SECONDS", 1.0)

    said = checkout.isobath(*RUN)

    assert said.code == 0
    assert "search 2 of 4, about" in said.err or "search 3 of 4, about" in said.err
    assert sys.stderr.isatty() is False


def test_quiet_prints_the_block_and_what_is_wrong_alone(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("run", "--scale", "10", "--ranks", "1", "--no-report", "--quiet")
    said = checkout.isobath(*words)
    assert (said.code, said.err) == (0, "")
    assert "SCALE:" in said.out

    monkeypatch.setenv("FAKE_DO", "say:8:it does not fit")
    failed = checkout.isobath(*words)
    assert failed.code == 8
    assert "isobath: " in failed.err
    assert "it does not fit" in failed.err
