# SPDX-License-Identifier: Apache-2.0
"""isobath doctor --take-out: studies of a time when everything was stored."""

import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from cli import planted
from cli.conftest import Checkout
from isobath.cli.take_out import pages_of
from isobath.store.folders import MANIFEST, OpenRun, RunFolder, file_digest
from isobath.store.study_files import StudyFiles
from isobath.study import take_out as taking
from isobath.study.shelf import Shelf, StoredStudy
from isobath.study.take_out import NOTE, holdings
from kind_table import MEASURED, quick

SECRET, OTHER, TYPED = "an-old-secret-of-slurm", "harmless but left out", "typed-long-ago"
RUN = ("run", "--no-report", "--ranks", "2", "--scale", "12", "--threads", "1")


@pytest.fixture(autouse=True)
def two_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SEARCHES", "2")


def shelf_of(checkout: Checkout) -> Shelf:
    names = ("studies", "runs", "races", "benches")
    return Shelf(tuple(checkout.prefix / name for name in names))


def pages(checkout: Checkout, study: StoredStudy) -> list[Path]:
    return pages_of(study, checkout.prefix / "reports")


def aged(study: StoredStudy) -> None:
    """Makes it one of a time when everything was stored: sealed, with what it should not hold."""
    for path in StudyFiles(study.path).files():
        if path.name == "environment.json":
            facts = json.loads(path.read_bytes())
            for node in facts.get("nodes", [facts]):
                node.setdefault("variables", {})
                node["variables"] |= {"SLURM_JWT": SECRET, "SLURM_SUBMIT_DIR": OTHER}
                node["kernel_command_line"] = f"root=/dev/{OTHER.replace(' ', '-')} mitigations=off"
            path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if path.name in ("run.json", "race.json", "bench.json", "overlap.json"):
            plan = json.loads(path.read_bytes())
            plan["command"] = ["isobath", "race", "--token", TYPED]
            path.write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")
        if path.name == "stderr.txt":
            path.write_text(f"the launcher knew {SECRET}\n", encoding="utf-8")
        if path.name == "records.jsonl":
            text = path.read_text(encoding="utf-8")
            path.write_text(re.sub(r'"argv":\[', f'"argv":["--token","{TYPED}",', text), "utf-8")
    for folder in StudyFiles(study.path).sealed_folders():
        sealed_again(folder)


def sealed_again(folder: RunFolder) -> None:
    names = sorted(path.name for path in folder.path.iterdir() if path.name != MANIFEST)
    lines = [f"{file_digest(folder.path / name)}  {name}\n" for name in names]
    (folder.path / MANIFEST).write_text("".join(lines), encoding="utf-8")


def the_study(checkout: Checkout) -> StoredStudy:
    (study,) = shelf_of(checkout).studies()
    return study


@pytest.fixture(params=MEASURED)
def old_study(checkout: Checkout, request: pytest.FixtureRequest) -> StoredStudy:
    said = checkout.isobath(*quick(request.param, checkout.prefix, once=True))
    assert said.code == 0, said.err
    shutil.rmtree(checkout.prefix / "runs", ignore_errors=True)  # what it was made of
    study = the_study(checkout)
    aged(study)
    said = checkout.isobath("report", study.path)
    assert said.code == 0, said.err
    return study


def numbers(study: StoredStudy) -> list[str]:
    """Every line of every record, without its texts."""
    literal = re.compile(r'"(?:[^"\\]|\\.)*"')
    return [
        literal.sub('""', line)
        for path in StudyFiles(study.path).files()
        if path.suffix == ".jsonl"
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def shown_of(checkout: Checkout, study: StoredStudy) -> tuple[int, str]:
    said = checkout.isobath("show", study.path)
    return said.code, said.out


def everything_stored(checkout: Checkout) -> list[str]:
    folders = [
        checkout.prefix / name for name in ("studies", "runs", "races", "benches", "reports")
    ]
    return planted.found_in([one for one in folders if one.is_dir()], [SECRET, TYPED, OTHER])


def test_a_study_is_named_and_rewritten_and_as_good_as_before(
    checkout: Checkout, old_study: StoredStudy
) -> None:
    before, shown = numbers(old_study), shown_of(checkout, old_study)
    seals = {
        one.run_id: file_digest(one.path / MANIFEST)
        for one in StudyFiles(old_study.path).sealed_folders()
    }
    drawn = pages(checkout, old_study)
    assert drawn
    assert everything_stored(checkout)

    named = checkout.isobath("doctor", "--studies")
    said = checkout.isobath("doctor", "--take-out", old_study.study_id)

    assert old_study.study_id in named.out
    assert "variables.SLURM_JWT" in named.out or "command, word 3" in named.out
    assert SECRET not in named.out + said.out + said.err
    assert said.code == 0, said.err
    assert "drawn again" in said.err
    assert pages(checkout, old_study) == drawn
    assert everything_stored(checkout) == []
    assert numbers(old_study) == before
    assert shown_of(checkout, old_study) == shown
    for launch in StudyFiles(old_study.path).sealed_folders():
        assert launch.verify() == []
        (note,) = json.loads(launch.text(NOTE))
        assert note["old_seal"] == seals[launch.run_id]
        assert "nodes.variables.SLURM_JWT" in note["taken_out"]["environment.json"]
        assert note["when"].startswith("20")
        assert TYPED not in launch.text(NOTE)
    assert holdings(old_study.path).changes == ()
    named = checkout.isobath("doctor", "--studies")
    assert named.out.split()[:2] == ["ok", "studies"]
    assert "none holds a credential" in named.out
    assert not (old_study.path.parent / taking.BESIDE).exists()


def test_numbers_stay_byte_for_byte(checkout: Checkout) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    whole = (study.path / "records.jsonl").read_text(encoding="utf-8")
    odd = whole.replace('"elapsed_seconds":', '"elapsed_seconds" :  ').replace("1.0,", "1.0e0,")
    (study.path / "records.jsonl").write_text(odd, encoding="utf-8")
    sealed_again(RunFolder(study.path))
    aged(study)
    old = (study.path / "records.jsonl").read_text(encoding="utf-8")

    checkout.isobath("doctor", "--take-out", study.study_id)

    new = (study.path / "records.jsonl").read_text(encoding="utf-8")
    assert TYPED in old
    assert new == old.replace(TYPED, "[left out]").replace('"fake-token"', '"[left out]"')


def test_a_file_that_was_changed_after_sealing_stays_one(checkout: Checkout) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    aged(study)
    run = RunFolder(study.path)
    with (run.path / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"better":"numbers"}\n')
    (run.path / "stdout.txt").unlink()
    (run.path / "extra.txt").touch()

    said = checkout.isobath("doctor", "--take-out", study.study_id)

    assert said.code == 0
    assert sorted(run.verify()) == [
        "extra.txt was added after sealing",
        "records.jsonl was changed after sealing",
        "stdout.txt is missing",
    ]
    assert everything_stored(checkout) == []


def test_a_run_that_is_going_on_is_refused(checkout: Checkout) -> None:
    run = OpenRun(checkout.prefix / "runs", "20261121-081500-s12-3fa9")
    run.stderr.write_text("TOKEN=abcdefghijk\n", encoding="utf-8")

    said = checkout.isobath("doctor", "--take-out", run.run_id)

    assert said.code == 3
    assert "is going on; wait for its end" in said.err
    assert run.stderr.read_text(encoding="utf-8") == "TOKEN=abcdefghijk\n"


def test_a_run_that_was_cut_off_is_rewritten_and_stays_unsealed(checkout: Checkout) -> None:
    run = OpenRun(checkout.prefix / "runs", "20261121-081500-s12-3fa9")
    run.stderr.write_text("TOKEN=abcdefghijk\n", encoding="utf-8")
    run.records.touch()
    run._let_go()  # as its end does

    said = checkout.isobath("doctor", "--take-out", run.run_id)

    assert said.code == 0, said.err
    assert run.stderr.read_text(encoding="utf-8") == "TOKEN=[left out]\n"
    assert not (run.path / MANIFEST).exists()


@pytest.mark.parametrize("kind", ["race", "bench cg"])
def test_a_study_of_several_launches_is_refused_while_it_is_going_on(
    checkout: Checkout, kind: str
) -> None:
    checkout.isobath(*quick(kind, checkout.prefix, once=True))
    study = the_study(checkout)
    aged(study)
    from isobath.store.lock import locked

    with locked(study.path, "it"):
        said = checkout.isobath("doctor", "--take-out", study.study_id)

    assert said.code == 3
    assert "is going on; wait for its end" in said.err
    assert holdings(study.path).credentials


@pytest.mark.parametrize("call", ["_link_all", "_note_and_seal", "replace_file", "force_to_disk"])
def test_a_full_disk_leaves_the_study_as_it_was(
    checkout: Checkout, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    aged(study)
    before = {path.name: path.read_bytes() for path in StudyFiles(study.path).files()}
    page = checkout.prefix / "reports" / f"{study.study_id}.html"
    page.parent.mkdir()
    page.touch()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", str(study.path))

    monkeypatch.setattr(taking, call, full)
    said = checkout.isobath("doctor", "--take-out", study.study_id)

    assert said.code == 3
    assert "it is as it was: free some space" in said.err
    assert {path.name: path.read_bytes() for path in StudyFiles(study.path).files()} == before
    assert taking.leftovers(study.path.parent) == []
    assert page.exists()


def killed_at(step: int, study: StoredStudy) -> bool:
    """Takes out in a process that is killed at a step of its own; whether it came so far."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    done = 0

    def count(event: str, _: object) -> None:
        nonlocal done
        if event in STEPS:
            done += 1
            if done == step:
                os.kill(os.getpid(), signal.SIGKILL)

    try:
        sys.addaudithook(count)
        taking.take_out(study)
    finally:
        os._exit(0)  # a forked test shall not go on with the tests behind it


STEPS = ("open", "os.rename", "os.link", "os.mkdir", "os.remove", "os.rmdir", "ctypes.dlsym")


def test_killed_at_any_step_the_study_is_old_or_new_and_never_half(checkout: Checkout) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    aged(study)
    old = {path.name: file_digest(path) for path in StudyFiles(study.path).files()}
    states: list[str] = []
    for step in range(1, 1000):
        was_killed = killed_at(step, study)
        assert RunFolder(study.path).verify() == []
        is_old = {path.name: file_digest(path) for path in StudyFiles(study.path).files()} == old
        states.append("old" if is_old else "new")
        if not is_old:
            assert was_killed  # right after the exchange: what was before still lies beside it
            assert (study.path / NOTE).is_file()
            assert holdings(study.path).changes == ()
            assert taking.leftovers(study.path.parent)
            break
    assert states[-1] == "new"
    assert len(states) > 30
    assert "an interrupted rewriting left" in checkout.isobath("doctor", "--studies").out
    assert checkout.isobath("doctor", "--take-out", study.study_id).code == 0
    assert taking.leftovers(study.path.parent) == []
    assert everything_stored(checkout) == []


def test_without_an_exchange_in_one_step_it_is_put_back_where_it_is_missing(
    checkout: Checkout,
) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    aged(study)
    beside = study.path.parent / taking.BESIDE
    beside.mkdir()
    study.path.rename(beside / (study.path.name + ".old"))  # killed between two renames
    (beside / study.path.name).mkdir()

    assert study.study_id in checkout.isobath("doctor", "--studies").out
    said = checkout.isobath("doctor", "--take-out", study.study_id)

    assert said.code == 0, said.err
    assert RunFolder(study.path).verify() == []
    assert everything_stored(checkout) == []
    assert not beside.exists()


def test_where_the_file_system_cannot_exchange_two_renames_do(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    aged(study)
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())

    said = checkout.isobath("doctor", "--take-out", "all")

    assert said.code == 0, said.err
    assert everything_stored(checkout) == []
    assert RunFolder(study.path).verify() == []


def test_what_explains_no_performance_is_no_credential_but_taken_out_too(
    checkout: Checkout,
) -> None:
    checkout.isobath(*RUN)
    study = the_study(checkout)
    path = study.path / "environment.json"
    facts = json.loads(path.read_bytes())
    facts["nodes"][0]["variables"]["SLURM_SUBMIT_DIR"] = OTHER
    path.write_text(json.dumps(facts), encoding="utf-8")
    sealed_again(RunFolder(study.path))

    said = checkout.isobath("doctor", "--studies")
    assert "1 of 1 hold variables" in said.out
    assert "credential: " in said.out
    checkout.isobath("doctor", "--take-out", study.study_id)

    assert everything_stored(checkout) == []


def test_copies_beside_a_page_whose_study_is_gone_are_named(checkout: Checkout) -> None:
    folder = checkout.prefix / "reports" / "20260101-000000-s12-aaaa"
    folder.mkdir(parents=True)
    facts = {"nodes": [{"variables": {"SLURM_JWT": SECRET}}]}
    (folder / "environment.json").write_text(json.dumps(facts), encoding="utf-8")

    said = checkout.isobath("doctor", "--studies")

    assert f"{folder} has copies of a credential" in said.out
    assert SECRET not in said.out


@pytest.mark.parametrize("wanted", ["nothing", "2"])
def test_a_name_of_none_or_of_several_is_refused(checkout: Checkout, wanted: str) -> None:
    checkout.isobath(*RUN)
    checkout.isobath(*RUN)

    assert checkout.isobath("doctor", "--take-out", wanted).code == 2


def test_another_folder_of_studies_is_looked_at_where_it_is_named(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By --store or ISOBATH_STORE, as for every other command; that folder alone."""
    elsewhere = checkout.prefix / "elsewhere"
    checkout.isobath(*RUN)
    checkout.isobath(*RUN, "--store", str(elsewhere))
    (study,) = Shelf((elsewhere,)).studies()
    aged(study)

    assert study.study_id not in checkout.isobath("doctor", "--studies").out
    for words in (("--store", str(elsewhere)), ("--benches", str(elsewhere))):
        assert study.study_id in checkout.isobath("doctor", "--studies", *words).out
    monkeypatch.setenv("ISOBATH_STORE", str(elsewhere))
    named = checkout.isobath("doctor", "--studies")
    assert study.study_id in named.out
    said = checkout.isobath("doctor", "--take-out", "last")
    assert said.code == 0, said.err
    assert holdings(study.path).changes == ()
