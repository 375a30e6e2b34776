# SPDX-License-Identifier: Apache-2.0
"""isobath import: what others measured is kept, marked wherever it stands, compared, never ours."""

import json
from pathlib import Path

import jsonschema
import pytest

from compared.made_studies import copy_of, several
from compared.test_compare_command import Said, Store, store
from interchange import foreign_outputs as made
from isobath.cli.places import front_door
from isobath.study.home import baselines_folder

__all__ = ["store"]

SCHEMAS = Path(__file__).resolve().parents[3] / "schema"
NOISE = (1.0, 1.01, 0.99, 1.02, 0.98)


def files(folder: Path, name: str, texts: list[str]) -> list[Path]:
    paths = [folder / f"{name}-{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def imported(store: Store, *words: object) -> str:
    """The id of what was imported."""
    before = {one.name for one in store.folder.iterdir()}
    said = store.isobath("import", *map(str, words))
    assert said.code == 0, said.err
    (name,) = {one.name for one in store.folder.iterdir()} - before
    return name


def slower(store: Store, tmp_path: Path) -> tuple[str, str]:
    """Outputs of OSU before and after an update that costs a half."""
    texts = [made.osu(2e-6 * one) for one in NOISE]
    before = imported(store, *files(tmp_path, "before", texts), "--ranks", 4, "--mpi", "A 1")
    texts = [made.osu(3e-6 * one) for one in NOISE]
    after = imported(store, *files(tmp_path, "after", texts), "--ranks", 4, "--mpi", "A 2")
    return before, after


def test_outputs_before_and_after_an_update_are_compared(store: Store, tmp_path: Path) -> None:
    before, after = slower(store, tmp_path)

    said = store.isobath("compare", before, after, "--json")

    assert said.code == 0, said.err
    found = json.loads(said.out)
    jsonschema.validate(found, json.loads((SCHEMAS / "comparison-1.json").read_text()))
    assert found["of"] == "import"
    (against,) = found["against"]
    outcomes = {one["cell"]: one["outcome"] for one in against["cells"]}
    assert outcomes == dict.fromkeys(
        (f"{name}, 4 ranks" for name in ("allreduce, 4 B", "allreduce, 8 B", "allreduce, 1 KiB",
                                         "barrier")), "slower")  # fmt: skip
    assert {one["taken_as"] for one in against["cells"]} != {"pairs"}
    assert ("MPI library", "A 1", "A 2") in [
        (one["name"], one["before"], one["after"]) for one in against["changes"]
    ]
    assert [side["began"] for side in found["sides"]] == [None, None]
    assert all("IMPORTED from" in side["problems"][0] for side in found["sides"])
    text = " ".join(store.isobath("compare", before, after).out.split())
    assert "A: IMPORTED from before-0.txt" in text


def test_it_is_marked_wherever_it_stands(store: Store, tmp_path: Path) -> None:
    name = imported(store, *files(tmp_path, "osu", [made.osu()]))

    shown = store.isobath("show", name)
    assert "IMPORTED from osu-0.txt: OSU micro-benchmarks 7.5 measured it, not Isobath" in (
        " ".join(shown.out.split())
    )
    assert "Values IMPORTED" in shown.out
    found = json.loads(store.isobath("show", name, "--json").out)
    jsonschema.validate(found, json.loads((SCHEMAS / "findings-1.json").read_text()))
    assert (found["kind"], found["measured_here"]) == ("import", False)
    listed = json.loads(store.isobath("list", "--json").out)
    assert "IMPORTED: OSU" in json.dumps(listed[0])
    page = tmp_path / "reports" / name / "report.html"
    assert store.isobath("report", name).code == 0
    assert "IMPORTED" in page.read_text(encoding="utf-8")
    environment = json.loads((store.folder / name / "environment.json").read_text())
    assert environment["nodes"] == []  # this machine measured nothing of it
    rows = store.isobath("show", name, "--view", "values", "--format", "csv").out
    assert "allreduce, 8 B,allreduce,OSU,s" in rows.replace('"', "")


def test_it_is_held_against_ours_only_where_that_is_asked_for(store: Store, tmp_path: Path) -> None:
    ours = several(store.folder, "run-whole", "run", list(NOISE))
    texts = [made.graph500(2.5e7 * one) for one in NOISE]
    theirs = imported(store, *files(tmp_path, "reference", texts))

    refused = store.isobath("compare", ours, theirs)
    assert refused.code == 2
    assert "program: Isobath and Graph500 reference (imported)" in refused.err
    assert "--across keys,program compares them all the same" in refused.err

    said = store.isobath("compare", ours, theirs, "--across", "keys,program,plan", "--json")
    assert said.code == 0, said.err
    (against,) = json.loads(said.out)["against"]
    assert against["across"]["program"] == ["Isobath", "Graph500 reference (imported)"]
    cells = {one["cell"].split(",")[0]: one for one in against["cells"]}
    assert set(cells) == {"search", "construction"}
    assert cells["search"]["after"] == pytest.approx(2.5e7, rel=0.02)
    assert cells["search"]["outcome"] in ("slower", "faster", "same", "cannot tell")


def test_it_is_never_counted_with_ours(store: Store, tmp_path: Path) -> None:
    ours = copy_of(store.folder, "run-whole", "20261201-000000-run-0001").name
    theirs = imported(store, *files(tmp_path, "reference", [made.graph500()]))

    together = store.isobath("compare", f"{ours},{theirs}", ours)
    assert (together.code, "only studies of one kind" in together.err) == (2, True)
    mixed = store.isobath("model", "fit", ours, theirs, "--no-report")
    assert (mixed.code, "only studies of one kind" in mixed.err) == (2, True)
    kept = store.isobath("baseline", "set", "theirs", theirs)
    assert (kept.code, "was imported: others measured it" in kept.err) == (2, True)
    mixed = store.isobath("baseline", "set", "theirs", ours, theirs)
    assert (mixed.code, "was imported: others measured it" in mixed.err) == (2, True)
    assert not baselines_folder(store.folder).exists()


def test_two_programs_are_compared_where_that_is_asked_for(store: Store, tmp_path: Path) -> None:
    osu = imported(store, *files(tmp_path, "osu", [made.osu()]), "--ranks", 4)
    imb = imported(store, *files(tmp_path, "imb", [made.IMB]))

    assert "program: OSU (imported) and IMB (imported)" in store.isobath("compare", osu, imb).err
    said = store.isobath("compare", osu, imb, "--across", "program", "--json")
    (against,) = json.loads(said.out)["against"]
    assert {one["cell"] for one in against["cells"]} >= {"allreduce, 8 B, 4 ranks"}


def refused(store: Store, *words: object) -> Said:
    before = list(store.folder.iterdir())
    said = store.isobath("import", *map(str, words))
    assert list(store.folder.iterdir()) == before
    assert len(said.err.splitlines()) == 1
    return said


def test_what_cannot_be_imported_leaves_nothing(store: Store, tmp_path: Path) -> None:
    first, second = files(tmp_path, "osu", [made.osu(), made.osu()])

    assert "hold the same, letter for letter" in refused(store, first, second).err
    assert refused(store, tmp_path / "none").code == 3
    assert refused(store).code == 2
    assert refused(store, first, "--ranks", 0).code == 2
    baseline = tmp_path / "baseline.jsonl"
    baseline.write_text('{"entries":1,"head":"","isobath_baseline":1}\n', encoding="utf-8")
    assert f"{front_door()} baseline import" in refused(store, baseline).err
    other_way = store.isobath("baseline", "import", str(first))
    assert f"{front_door()} import FILE" in other_way.err


def test_what_was_changed_after_importing_is_not_shown(store: Store, tmp_path: Path) -> None:
    name = imported(store, *files(tmp_path, "osu", [made.osu()]))
    file = store.folder / name / "imported.json"
    file.write_text(file.read_text().replace("allreduce", "alltoall"), encoding="utf-8")

    said = store.isobath("show", name)
    assert said.code == 3
    assert "import the file again" in said.err
    assert "allreduce" not in said.out


def test_wrong_contents_of_others_are_no_result(store: Store, tmp_path: Path) -> None:
    texts = [made.osu(validation="Fail"), made.osu(2.1e-6)]
    name = imported(store, *files(tmp_path, "osu", texts))

    found = json.loads(store.isobath("show", name, "--json").out)
    wrong = {one["cell"]: one["trouble"] for one in found["cells"]}
    assert wrong["allreduce, 8 B"].startswith("WRONG DATA")
    assert wrong["barrier"] == ""
    assert store.isobath("baseline", "set", "wrong", name).code == 2


def test_a_dry_run_says_what_would_be_read_and_writes_nothing(store: Store, tmp_path: Path) -> None:
    there = [str(file) for file in files(tmp_path, "osu", [made.osu()])]

    said = store.isobath("import", *there, "--dry-run")
    told = store.isobath("import", *there, "--ranks", "4", "--dry-run", "--json")

    assert (said.code, said.err) == (0, "")
    first, last = said.out.splitlines()
    assert first.startswith("reads osu-0.txt: OSU micro-benchmarks 7.5, ")
    assert last.startswith("starts no program; study folder: ")
    facts = json.loads(told.out)
    assert (facts["kind"], facts["launches"], facts["settings"]["ranks"]) == ("import", [], 4)
    assert facts["reads"] == [first.removeprefix("reads ")]
    assert not Path(facts["folder"]).exists()
    assert list(store.folder.iterdir()) == []
    assert store.isobath("import", str(tmp_path / "none.txt"), "--dry-run").code == 3
