# SPDX-License-Identifier: Apache-2.0
import json
import shutil
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout, Said
from isobath.cli.places import front_door
from isobath.kinds.race.work import RaceWork
from isobath.race.folders import RaceFolder
from isobath.race.plan import RacePlan
from isobath.race.results import read_results
from isobath.study.runner import to_do
from isobath.study.shelf import Shelf
from patience import patience

SMALL = ("--scale", "12", "--no-report", "--no-ladder", "--threads", "1", "--seed", "7")
TWO_PLANS = ("race", "--plans", "simple,two-dim", "--ranks", "1,2", *SMALL)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SEARCHES", "2")


def races_of(checkout: Checkout) -> list[RaceFolder]:
    return [RaceFolder(one.path) for one in Shelf((checkout.prefix / "studies",)).studies()]


def the_race(checkout: Checkout) -> RaceFolder:
    (race,) = races_of(checkout)
    return race


def left_of(race: RaceFolder) -> list[str]:
    return [one.name for one in to_do(race, RaceWork.of(race).launches())]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_race_seals_a_run_for_every_cell_and_ends_with_a_table(checkout: Checkout) -> None:
    said = checkout.isobath(*TWO_PLANS)

    assert said.code == 0, said.err
    race = the_race(checkout)
    race_plan = race.plan()
    assert (race_plan.design, race_plan.seed, race_plan.keys, race_plan.official) == (
        "full",
        7,
        8,
        False,
    )
    assert race_plan.factors == {"plan": ("simple", "two-dim"), "ranks": (1, 2)}
    assert race_plan.base["scale"] == 12
    assert {run.name for run in race.runs.iterdir()} == {f"c00{n}-1" for n in (1, 2, 3, 4)}
    for cell in race_plan.cells:
        sealed = race.sealed_run(cell, 1)
        assert sealed is not None
        assert sealed.verify() == []
        run = sealed.records().run
        assert (run.plan, run.ranks) == (cell.settings["plan"], cell.settings["ranks"])
        assert sealed.summary().settings["plan"].origin == "race"
    audit = lines_of(race.audit_file.path)
    assert {line["run_id"] for line in audit} == {f"{cell.cell}-1" for cell in race_plan.cells}
    audit = [line for line in audit if line["level"] >= 0]  # a single rank sends nothing
    assert len(audit) == 4
    assert all(line["equal"] and line["expected_bytes"] == 8 for line in audit)
    assert "NOT OFFICIAL" in said.out
    rows = [line.split()[:5] for line in said.out.splitlines()]
    assert [row for row in rows if row[2:] == ["1", "\N{MULTIPLICATION SIGN}", "2"]] == [
        ["simple", "2", "1", "\N{MULTIPLICATION SIGN}", "2"],
        ["two-dim", "2", "1", "\N{MULTIPLICATION SIGN}", "2"],
    ]
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "[4/4]" in said.err
    assert "; audit equal; about" in said.err
    assert f"next: {front_door()} show {race.study_id}" in said.err


def test_runs_follow_the_drawn_order_and_every_repeat_has_its_own(checkout: Checkout) -> None:
    said = checkout.isobath(*TWO_PLANS, "--repeats", "2", "--no-audit")

    assert said.code == 0, said.err
    race = the_race(checkout)
    race_plan = race.plan()
    began = sorted(
        (race.sealed_run(c, n).summary().started, c.cell, n)  # type: ignore[union-attr]
        for c, n in race_plan.runs()
    )
    assert [(name, repeat) for _, name, repeat in began] == [
        (c.cell, n) for c, n in race_plan.runs()
    ]
    orders = [[c.cell for c, n in race_plan.runs() if n == repeat] for repeat in (1, 2)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    assert not race.audit_file.path.exists()


def test_show_knows_a_race_by_id_beginning_and_path(checkout: Checkout) -> None:
    raced = checkout.isobath(*TWO_PLANS)
    race = the_race(checkout)

    for word in (race.study_id, race.study_id[:-2], race.path):
        assert checkout.isobath("show", word).out.startswith(raced.out)
    assert checkout.isobath("show").out.startswith(raced.out), "last is of any kind"
    assert checkout.isobath("show", "last:run").code == 2


def test_the_report_of_a_race_is_written_and_can_be_written_again(checkout: Checkout) -> None:
    words = [word for word in TWO_PLANS if word != "--no-report"]

    said = checkout.isobath(*words)

    assert said.code == 0, said.err
    race = the_race(checkout)
    page = checkout.prefix / "reports" / race.study_id / "report.html"
    assert f"report checkout/reports/{race.study_id}/report.html" in said.err
    before = page.read_text(encoding="utf-8")
    assert "two-dim" in before
    page.unlink()
    again = checkout.isobath("report", race.study_id)
    assert (again.code, again.out) == (
        0,
        f"checkout/reports/{race.study_id}/report.html\n",
    )
    assert page.read_text(encoding="utf-8") == before
    elsewhere = checkout.prefix / "page.html"
    assert checkout.isobath("report", race.path, "-o", elsewhere).code == 0
    assert elsewhere.is_file()


def test_the_default_is_every_plan_with_its_ladder(checkout: Checkout) -> None:
    said = checkout.isobath("race", "--dry-run")

    assert said.code == 0, said.err
    assert (
        len([line for line in said.out.splitlines() if " ranks, " in line or "1 rank," in line])
        == 41
    )
    for plan in ("replicated-csr", "replicated-csc", "simple", "one-sided", "two-dim", "hybrid"):
        for ranks in ("1 rank", "2 ranks", "4 ranks", "16 ranks"):
            assert f"{plan}, {ranks}" in said.out
    assert said.out.count(", step ") == 17
    assert races_of(checkout) == []


@pytest.mark.parametrize(
    ("wish", "code", "sentence"),
    [
        ("kill:1:9", 3, "rank 1 was killed by SIGKILL"),
        ("kill:1:11", 4, "defect of Isobath"),
        ("violations", 1, "validation found violations"),
    ],
)
def test_a_cell_that_fails_is_kept_and_the_race_goes_on(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, wish: str, code: int, sentence: str
) -> None:
    checkout.isobath("plan", "--scale", "12")  # calibrates
    monkeypatch.setenv("FAKE_DO", wish)
    monkeypatch.setenv("FAKE_SEARCHES", "4")

    said = checkout.isobath(*TWO_PLANS)

    assert said.code == code, said.err
    race = the_race(checkout)
    kept = wish == "violations"  # wrong data are a finding; what failed is tried again
    assert len(left_of(race)) == (0 if kept else 2)
    summaries = [race.sealed_run(c, n).summary() for c, n in race.plan().runs()]  # type: ignore[union-attr]
    failed = [one for one in summaries if one.exit_code == code]
    assert len(failed) == (4 if wish == "violations" else 2)
    assert all(sentence in (one.message or "") for one in failed)
    assert "[4/4]" in said.err
    assert sentence in said.out.replace("\n", " ")
    assert "Traceback" not in said.err


def test_bytes_that_do_not_agree_end_with_1_and_are_named(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_AUDIT", "unequal")

    said = checkout.isobath(*TWO_PLANS)

    assert said.code == 1
    assert "AUDIT UNEQUAL, search 1, level 0, phase expand: 8 bytes counted, 9 exp" in said.err
    assert "AUDIT FAILED in c001, c002, c003, c004:" in said.out
    wrong = [line for line in lines_of(the_race(checkout).audit_file.path) if not line["equal"]]
    assert {(line["search"], line["level"], line["phase"]) for line in wrong} == {(1, 0, "expand")}


def test_an_audit_that_fails_is_an_environment_problem(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_AUDIT", "fails")

    said = checkout.isobath(*TWO_PLANS)

    assert said.code == 3
    assert "not audited: isobath-audit ended with status 2: it does not like this" in said.err


def test_without_the_audit_program_nothing_starts(checkout: Checkout) -> None:
    (checkout.prefix / "build/fake/bin/isobath-audit").unlink()

    said = checkout.isobath(*TWO_PLANS)

    assert said.code == 3
    assert "isobath-audit is not built for the MPI fake" in said.err
    assert "--no-audit" in said.err
    assert races_of(checkout) == []
    assert checkout.isobath(*TWO_PLANS, "--no-audit").code == 0


def interrupt_a_run(races: Path, after: int) -> None:
    """One SIGINT once a run is sealed and the next has recorded a search."""
    deadline = time.monotonic() + patience()
    while time.monotonic() < deadline:
        manifests = races.glob("*/runs/*/MANIFEST.sha256")
        sealed = [path for path in manifests if path.parent.suffix != ".partial"]
        for path in races.glob("*/runs/*.partial/records.jsonl"):
            if len(sealed) >= after and '"kind":"search"' in path.read_text(encoding="utf-8"):
                signal.raise_signal(signal.SIGINT)
                return
        time.sleep(0.02)


def test_a_race_that_is_interrupted_says_how_to_go_on_and_can_be_resumed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.isobath("plan", "--scale", "12")  # calibrates
    monkeypatch.setenv("FAKE_DO", "slow")
    races = checkout.prefix / "studies"
    threading.Thread(target=interrupt_a_run, args=(races, 1)).start()

    said = checkout.isobath(*TWO_PLANS)

    assert said.code == 3
    race = the_race(checkout)
    done = {path.name for path in race.runs.iterdir()}
    assert len(done) == 1
    assert "interrupted after 1 of 4 launches; they are kept" in said.err
    assert f"{front_door()} resume {race.study_id}" in said.err
    assert len(list((race.path / "cut-off").iterdir())) == 1
    before = {name: (race.runs / name / "MANIFEST.sha256").read_bytes() for name in done}
    race_plan = (race.path / "study.json").read_bytes()

    monkeypatch.setenv("FAKE_DO", "")
    said = checkout.isobath("race", "--resume", "last", "--no-report")

    assert said.code == 0, said.err
    assert "1 of 4 launches are done, going on" in said.err
    assert left_of(race) == []
    assert (race.path / "study.json").read_bytes() == race_plan
    for name, manifest in before.items():
        assert (race.runs / name / "MANIFEST.sha256").read_bytes() == manifest
    assert len({line["run_id"] for line in lines_of(race.audit_file.path)}) == 4
    again = checkout.isobath("race", "--resume", race.study_id, "--no-report")
    assert again.code == 0
    assert "complete: all 4 launches are done" in again.err
    assert again.out == said.out


def test_what_a_killed_race_left_is_done_again(checkout: Checkout) -> None:
    assert checkout.isobath(*TWO_PLANS).code == 0
    race = the_race(checkout)
    (race.runs / "c002-1").rename(race.runs / "c002-1.partial")
    (race.runs / "c002-1.partial" / "MANIFEST.sha256").unlink()
    text = race.audit_file.path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in text if "c004-1" not in line and "c002-1" not in line]
    torn = next(line for line in text if "c004-1" in line)[:-9]
    race.audit_file.path.write_text("".join(kept) + torn, encoding="utf-8")

    said = checkout.isobath("race", "--resume", "last", "--no-report")

    assert said.code == 0, said.err
    assert "3 of 4 launches are done" in said.err
    assert [path.name[:14] for path in (race.path / "cut-off").iterdir()] == ["c002-1.partial"]
    lines = lines_of(race.audit_file.path)
    assert len(lines) == 6
    assert len({line["run_id"] for line in lines}) == 4


def test_a_run_that_was_changed_is_run_and_audited_again(checkout: Checkout) -> None:
    assert checkout.isobath(*TWO_PLANS).code == 0
    race = the_race(checkout)
    with (race.runs / "c002-1" / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("{}\n")
    audited = lines_of(race.audit_file.path)
    assert checkout.isobath("show", race.study_id).code == 3

    said = checkout.isobath("resume", race.study_id, "--no-report")

    assert said.code == 0, said.err
    assert "3 of 4 launches are done, going on" in said.err
    assert [path.name[:7] for path in (race.path / "cut-off").iterdir()] == ["c002-1-"]
    again = lines_of(race.audit_file.path)
    assert sorted(map(str, again)) == sorted(map(str, audited)), "no line of the old run is left"


def test_two_programs_do_not_run_one_race(checkout: Checkout) -> None:
    assert checkout.isobath(*TWO_PLANS).code == 0
    race = the_race(checkout)

    with race.locked("race"):
        said = checkout.isobath("race", "--resume", race.study_id)

    assert said.code == 3
    assert "is going on elsewhere" in said.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--plans", "simpel"), "--plan simpel: did you mean simple? There are replicated-csr"),
        (("--ranks", "four"), "--ranks four is not a number; write a whole number"),
        (("--ranks", "0"), "--ranks 0: the least is 1"),
        (("--ranks", "3", "--scaling", "weak"), "3 is no power of two"),
        (("--scaling", "some"), "--scaling some: choose one of weak, strong"),
        (("--repeats", "0"), "--repeats 0: the least is 1"),
        (("--scale", "99"), "--scale 99: the most is 43"),
        (("--grids", "2by2"), "is no grid"),
        (("--grids", "3x5", "--ranks", "4"), "grid: 3x5 goes with none of"),
        (("--exchanges", "emulated", "--plans", "simple"), "exchange: emulated goes with none"),
        (("--resume", "x", "--keys", "4"), "--resume goes on with a race as it was planned"),
        (("--resume", "x"), "there is no race in"),
        (("--transport", "pigeon"), "pigeon"),
    ],
)
def test_a_bad_race_ends_in_a_sentence_before_anything_starts(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("race", *words)

    assert said.code == 2
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert races_of(checkout) == []


def with_design(checkout: Checkout, text: str, *words: str) -> Said:
    path = checkout.prefix / "design.toml"
    path.write_text(text, encoding="utf-8")
    return checkout.isobath("race", path, "--dry-run", *words)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("plans = ['simple']", "there is no setting plans of race; did you mean plan?"),
        ("rank = 4", "there is no setting rank of race; did you mean ranks?"),
        ("ranks = []", "ranks: the list is empty"),
        ("ranks = ['4']", "this setting takes a whole number"),
        ("[[cells]]\nstore = 'x'", "number 1: store is the same for the whole race; leave it out"),
        ("keys = [8, 64]", "keys: it is the same in all runs of a race; give one value"),
        ("repeats = 1.5", "repeats = 1.5: this setting takes a whole number"),
        ("seed = -1", "seed = -1: the least is 0"),
        ("audit = 1", "audit = 1: this setting takes true or false"),
        ("cells = 3", "cells are tables; write each under a line [[cells]]"),
        (
            "[[cells]]\nplan = 'simple'\nexchanges = 'own'",
            "number 1: there is no setting exchanges; did",
        ),
        (
            "[[cells]]\nplan = 'simple'\nfold = 'packed'",
            "--fold packed does not go with --plan simp",
        ),
        ("ladder = true\n[[cells]]\nplan = 'simple'", "ladder: a list of cells has none"),
        ("reference = { plan = 'nosuch' }", "reference: plan = nosuch: choose one of"),
        ("reference = { mpi = 'wheel' }", "reference: mpi is the same in all cells"),
        ("ranks = ", "is not TOML"),
    ],
)
def test_a_bad_design_file_names_its_key(checkout: Checkout, text: str, sentence: str) -> None:
    said = with_design(checkout, text)

    assert said.code == 2
    assert sentence in said.err
    assert "Traceback" not in said.err


def test_a_design_file_lists_cells_and_options_win(checkout: Checkout) -> None:
    text = """
        scale = 12
        ranks = [2, 4]
        seed = 3
        relabel = false

        [[cells]]
        plan = "simple"
        exchange = ["sparse", "pairwise"]

        [[cells]]
        plan = "hybrid"
        """

    said = with_design(checkout, text, "--ranks", "2")

    assert said.code == 0, said.err
    found = {line.split("  ")[-1] for line in said.out.splitlines()[:-1]}
    assert found == {
        "simple, 2 ranks, 1x2, exchange sparse",
        "simple, 2 ranks, 1x2, exchange pairwise",
        "hybrid, 2 ranks, 2x1, exchange eager",
    }


def two_libraries(checkout: Checkout) -> None:
    path = checkout.prefix / ".isobath" / "state.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    state["mpi"]["other"] = {**state["mpi"]["fake"], "kind": "openmpi", "version": "4.1.4"}
    path.write_text(json.dumps(state), encoding="utf-8")


@pytest.mark.parametrize("word", ["wheel,system", "all", "fake,openmpi"])
def test_several_mpi_libraries_make_one_table(checkout: Checkout, word: str) -> None:
    two_libraries(checkout)

    said = checkout.isobath(
        "race", "--plans", "simple,hybrid", "--ranks", "2", "--mpi", word, *SMALL
    )

    assert said.code == 0, said.err
    race = the_race(checkout)
    assert set(race.plan().factors["mpi"]) == {"fake", "other"}
    used = {race.sealed_run(c, 1).environment()["mpi"]["id"] for c, _ in race.plan().runs()}  # type: ignore[union-attr]
    assert used == {"fake", "other"}
    assert said.out.count("Cells of the race\n") == 1
    lines = map(str.split, said.out.splitlines())
    (heads,) = (words for words in lines if {"plan", "mpi", "GTEPS"} <= {*words})
    assert heads[:3] == ["plan", "ranks", "mpi"]
    assert "vs" in said.out


def test_a_library_that_is_not_here_stops_the_race_before_it_starts(checkout: Checkout) -> None:
    said = checkout.isobath("race", "--mpi", "wheel,intel", *SMALL)

    assert said.code == 3
    assert "the MPI intel is not known here" in said.err


def test_what_does_not_fit_is_refused_with_its_cell_before_the_race_starts(
    checkout: Checkout,
) -> None:
    said = checkout.isobath("race", "--scale", "12,31")

    assert said.code == 8
    assert "scale 31" in said.err
    assert "cell c" in said.err
    assert races_of(checkout) == []


def test_factors_of_the_machine_reach_the_engine(checkout: Checkout) -> None:
    build = checkout.prefix / "build" / "clang"
    (build / "bin").mkdir(parents=True)
    for program in (checkout.prefix / "build/fake/bin").iterdir():
        (build / "bin" / program.name).symlink_to(program)
    path = checkout.prefix / "design.toml"
    path.write_text(
        f"""
        scale = 12
        plan = "hybrid"
        ranks = 4
        ranks_per_node = [2, 4]
        instruction_set = "avx2"
        engine_build = ["{checkout.prefix}/build/fake", "{build}"]
        """,
        encoding="utf-8",
    )

    said = checkout.isobath("race", path, "--no-report")

    assert said.code == 0, said.err
    race = the_race(checkout)
    for cell, repeat in race.plan().runs():
        summary = race.sealed_run(cell, repeat).summary()  # type: ignore[union-attr]
        maps = {2: "0,0,1,1", 4: "0,0,0,0"}
        wanted = maps[cell.settings["count_nodes_of"]]  # type: ignore[index]
        assert summary.launch_environment["ISOBATH_NODE_MAP"] == wanted
        assert summary.launch_environment["ISOBATH_INSTRUCTION_SET"] == "avx2"
        assert any(str(cell.settings["engine_build"]) in word for word in summary.launch_line)
    said = with_design(checkout, 'engine_build = "/nowhere"')
    assert said.code == 3
    assert "there is no bin/isobath-graph500 in it" in said.err


def test_a_transport_is_a_factor_where_there_is_something_to_send(checkout: Checkout) -> None:
    said = checkout.isobath(
        *("race", "--plans", "hybrid", "--ranks", "1,2", "--transport", "shared-memory,tcp"), *SMALL
    )

    assert said.code == 0, said.err
    race = the_race(checkout)
    found = {}
    for cell, repeat in race.plan().runs():
        summary = race.sealed_run(cell, repeat).summary()  # type: ignore[union-attr]
        by_tcp = summary.launch_environment.get("MPIR_CVAR_NOLOCAL") == "1"
        found[cell.settings["ranks"], cell.settings["transport"]] = by_tcp
    assert found == {(1, "shared-memory"): False, (2, "shared-memory"): False, (2, "tcp"): True}
    assert "transport tcp vs shared-memory" in said.out


def test_full_means_64_keys(checkout: Checkout) -> None:
    said = checkout.isobath("race", "--plans", "hybrid", "--ranks", "1", "--full", *SMALL)

    assert said.code == 0, said.err
    assert the_race(checkout).plan().keys == 64


def test_a_race_is_read_back_as_it_was_written(checkout: Checkout) -> None:
    assert checkout.isobath(*TWO_PLANS).code == 0
    race = the_race(checkout)

    header = json.loads((race.path / "study.json").read_text(encoding="utf-8"))
    assert RacePlan.model_validate_json(json.dumps(header["plan"])) == race.plan()
    assert read_results(race).to_do == 0
    (race.path / "study.json").write_text(json.dumps(header | {"plan": {}}), encoding="utf-8")
    said = checkout.isobath("show", race.path)
    assert said.code == 3
    assert "the file is damaged" in said.err


def test_where_the_engine_does_not_calibrate_nothing_else_is_tried(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout.isobath(*TWO_PLANS).code == 0
    race = the_race(checkout)
    for name in ("c001-1", "c002-1"):
        shutil.rmtree(race.runs / name)
    (checkout.prefix / ".isobath" / "calibration.json").unlink(missing_ok=True)
    monkeypatch.setenv("FAKE_DO", "hang")

    said = checkout.isobath("resume", race.study_id, "--hang-seconds", "2", "--no-report")

    assert said.code == 7, said.err
    assert said.err.count("the calibration failed") == 1
    assert len(left_of(race)) == 2
    monkeypatch.setenv("FAKE_DO", "")
    again = checkout.isobath("resume", race.study_id, "--no-report")
    assert again.code == 0, again.err
