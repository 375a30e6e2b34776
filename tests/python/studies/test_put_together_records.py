# SPDX-License-Identifier: Apache-2.0
"""Stored studies whose files were changed and sealed again: no number of them is shown, and what is
wrong is one sentence with its line, never a defect of ours.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isobath.cli.main import main
from isobath.store.folders import MANIFEST, RunFolder
from kind_table import BENCHES, whole
from studies.stored import studies

Change = Callable[[str], str]


def reseal(folder: Path) -> None:
    """As sha256sum would."""
    files = sorted(path for path in folder.iterdir() if path.name != MANIFEST)
    lines = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in files]
    (folder / MANIFEST).write_text("".join(lines), encoding="utf-8")


def records_changed(folder: Path, change: Change) -> None:
    path = folder / "records.jsonl"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    reseal(folder)


def edited(kind: str, change: Callable[[dict[str, Any]], None], *, once: bool = False) -> Change:
    """Changes the fields of the records of one kind, of timed searches where they are searches."""

    def change_all(text: str) -> str:
        lines, is_done = [], False
        for line in text.splitlines():
            fields = json.loads(line)
            if fields["kind"] == kind and not fields.get("warmup") and not (once and is_done):
                change(fields)
                is_done = True
            lines.append(json.dumps(fields))
        assert is_done
        return "\n".join(lines) + "\n"

    return change_all


def field(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields.update({name: value})


def every_line_twice(text: str) -> str:
    return "".join(f"{line}\n{line}\n" for line in text.splitlines())


def best_search_again(text: str) -> str:
    """Under the index of the other one, as if every search had been the best."""
    searches = [one for one in map(json.loads, text.splitlines()) if one["kind"] == "search"]
    best = min((one for one in searches if not one["warmup"]), key=lambda one: one["seconds"])
    return edited("search", lambda one: one.update({**best, "index": one["index"]}))(text)


def faster(fields: dict[str, Any]) -> None:
    for name in ("seconds", "seconds_min", "seconds_mean"):
        fields[name] /= 10
    fields["seconds_per_rank"] = [one / 10 for one in fields["seconds_per_rank"]]


def faster_with_its_rate(fields: dict[str, Any]) -> None:
    faster(fields)
    fields["teps"] *= 10


def with_another_root(index: int) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields.update(root=40 if fields["index"] == index else fields["root"])


def with_a_thousand_more(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields.update({name: fields[name] + 1000})


def with_9000_edges(fields: dict[str, Any]) -> None:
    fields["traversed_edges"] = fields["traversed_edges_with_self_loops"] = 9000
    fields["teps"] = 9000 / fields["seconds"]


def one_level_again(text: str) -> str:
    lines = text.splitlines()
    place = next(at for at, line in enumerate(lines) if '"kind":"level"' in line)
    again = {**json.loads(lines[place]), "seconds": 0.5}
    return "\n".join([*lines[: place + 1], json.dumps(again), *lines[place + 1 :]]) + "\n"


def without_the_slower(text: str) -> str:
    """The faster of two searches, as if it were all of them."""
    records = list(map(json.loads, text.splitlines()))
    timed = [one for one in records if one["kind"] == "search" and not one["warmup"]]
    slower = max(timed, key=lambda one: one["seconds"])["index"]
    names = {"search": "index", "level": "search", "calls": "search"}
    kept = []
    for one in records:
        of_search = names.get(one["kind"])
        if of_search and one[of_search] == slower and not one.get("warmup"):
            continue
        if of_search:
            one[of_search] = 0
        if one["kind"] == "construction":
            one["isolated_vertices"] = one["num_vertices"] - 32
        if one["kind"] == "finish":
            one["searches_completed"] = 1
        kept.append(json.dumps(one))
    return "\n".join(kept) + "\n"


PUT_TOGETHER: dict[str, tuple[Change, str]] = {
    "every line twice": (every_line_twice, "line 2: it is line 1 again"),
    "the best search in the place of all": (best_search_again, "no key is drawn twice"),
    "a search under another's index": (
        edited("search", field("index", 0)),
        "it stands for the same as line",
    ),
    "an index beyond the keys": (
        edited("search", field("index", 7), once=True),
        "its index is 7, of 2 keys asked for",
    ),
    "a root that is no vertex": (
        edited("search", field("root", 64), once=True),
        "its root is 64, of 64 vertices",
    ),
    "roots asked for in both ways": (
        edited("run", lambda one: one["argv"].extend(["--root=9", "--root", "10"])),
        "asked for was 9",
    ),
    "a root that is another vertex": (
        edited("search", with_another_root(1)),
        "its root is 40, not key 1 as the seeds of the run draw it",
    ),
    "a root that is another vertex, in its warm-up too": (
        lambda text: text.replace('"root":28', '"root":40'),
        "its root is 40, not key 0 as the seeds of the run draw it",
    ),
    "a root that is another vertex than in its warm-up": (
        edited("search", with_another_root(0)),
        "its root is 40; line 3 has 28 for the same key",
    ),
    "seeds of other keys": (edited("run", field("seeds", [2, 4])), "not key 0 as the seeds"),
    "an official run of another root": (
        lambda text: edited("run", field("official", True))(text.replace('"root":13', '"root":9')),
        "its root is 9, not key 1 as the seeds of the run draw it",
    ),
    "seconds without their rate": (edited("search", faster), "teps are not"),
    "a time that no rank took": (
        edited("search", lambda one: one.update(seconds=one["seconds"] * 2, teps=one["teps"] / 2)),
        "its seconds are not those of its ranks",
    ),
    "a time in which its phases do not fit": (
        edited("search", faster_with_its_rate),
        "its phases take longer than it did",
    ),
    "a rank longer in calls than in the search": (
        edited("search", lambda one: one.update(mpi_seconds_per_rank=[one["seconds"] * 2] * 2)),
        "a rank was longer in calls of MPI than in the search",
    ),
    "fewer bytes than its calls": (edited("search", field("bytes_sent", 600)), "of its calls"),
    "messages": (edited("search", with_a_thousand_more("messages")), "of its calls"),
    "a level's bytes": (
        edited("level", field("bytes_sent", {"fold": 10_000})),
        "its levels sent more bytes than it did",
    ),
    "a level twice": (one_level_again, "level 0 of search 0 is there twice"),
    "edges": (edited("construction", with_a_thousand_more("num_edges")), "64 and 1024, as asked"),
    "more edges than there are": (
        edited("search", with_9000_edges),
        "more than the 1024 edges that there are",
    ),
    "number of searches": (edited("finish", field("searches_completed", 64)), "there are 2"),
    "searches left out": (
        without_the_slower,
        "it is complete with 1 searches of 2 keys asked for",
    ),
    "memory": (edited("finish", with_a_thousand_more("peak_bytes")), "not the sum over ranks"),
    "memory of fewer ranks": (
        edited("finish", field("peak_bytes_per_rank", [71274496])),
        "memory of 1 ranks of 2",
    ),
    "whole time": (edited("finish", field("seconds", 1e-6)), "fewer than those of its searches"),
    "violations": (edited("finish", field("violations", 3)), "violations are not those of"),
    "two runs in one": (
        edited("search", field("run_id", "20260101-000000-s6-0000"), once=True),
        "its run_id is another",
    ),
    "a key twice": (
        lambda text: text.replace('"teps":', '"teps":1.0,"teps":', 1),
        r"line 3: the line is not JSON \(the key 'teps' stands twice in one object\)",
    ),
    "nested": (lambda text: text + "[" * 200_000 + "\n", "line 80: .*nested too deeply"),
    "nested to its end": (
        lambda text: text[:-2] + ',"x":' + "[" * 200_000 + "]" * 200_000 + "}\n",
        "line 79: .*nested too deeply",
    ),
    "nested less": (
        lambda text: text[:-2] + ',"x":' + "[" * 400 + "]" * 400 + "}\n",
        "line 79: .*nested too deeply",
    ),
    "bytes without end": (
        edited("finish", field("peak_bytes", 10**29)),
        "line 79: finish.peak_bytes has 30 digits",
    ),
    "bytes with a point": (
        edited("finish", field("peak_bytes", 1e29)),
        "line 79: finish.peak_bytes: Input should be a valid integer",
    ),
    "vertices without end": (
        edited("construction", field("num_vertices", 10**308)),
        "line 2: construction.num_vertices has 309 digits",
    ),
    "a time without end": (
        edited("finish", field("seconds", 1e308)),
        r"line 79: finish.seconds is 1.000e\+308, which nobody measured",
    ),
}


@pytest.fixture
def laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    monkeypatch.delenv("ISOBATH_STORE", raising=False)
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path / "checkout"))
    monkeypatch.chdir(tmp_path)
    return lambda name: studies()[name].lay_out(tmp_path / "checkout")


@pytest.mark.parametrize("how", PUT_TOGETHER)
def test_of_records_that_were_put_together_no_number_is_shown(
    laid_out: Callable[[str], Path], capsys: pytest.CaptureFixture[str], how: str
) -> None:
    folder = laid_out("run-whole")
    change, sentence = PUT_TOGETHER[how]
    records_changed(folder, change)

    code = main(["show", folder.name])

    said = capsys.readouterr()
    assert (code, said.out) == (3, ""), how
    assert re.search(
        rf"records.jsonl, {sentence}" if sentence[:4] == "line" else sentence, said.err
    )
    assert re.search(r"records.jsonl, line \d+: ", said.err)
    assert "defect" not in said.err


def test_a_key_of_a_file_that_was_not_drawn_is_named(
    laid_out: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    study = laid_out("search-whole")
    records_changed(study, lambda text: text.replace('"root":27', '"root":26'))

    assert main(["show", study.name]) == 3
    said = capsys.readouterr()
    assert "its root is 26, not key 1 as the seeds of the run draw it" in said.out + said.err


@pytest.mark.parametrize("name", [whole(kind) for kind in BENCHES])
def test_a_launch_with_a_cell_twice_is_left_out(
    laid_out: Callable[[str], Path], capsys: pytest.CaptureFixture[str], name: str
) -> None:
    study = laid_out(name)
    launch = sorted((study / "runs").iterdir())[-1]
    records_changed(launch, every_line_twice)

    code = main(["show", study.name])

    assert code == 3
    assert "it is line 1 again" in capsys.readouterr().err


def test_a_cell_that_was_copied_with_other_times_is_named(laid_out: Callable[[str], Path]) -> None:
    study = laid_out("collectives-whole")
    launch = sorted((study / "runs").iterdir())[0]

    def copied(text: str) -> str:
        last = json.loads(text.splitlines()[-1])
        return text + json.dumps({**last, "needed_bytes": last["needed_bytes"] + 1}) + "\n"

    records_changed(launch, copied)

    assert main(["show", study.name]) == 3


@pytest.mark.parametrize("name", ["../../../../../etc/passwd", "/etc/passwd", "..", "sub/file", ""])
def test_a_list_of_hashes_never_leads_out_of_its_folder(
    laid_out: Callable[[str], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    folder = laid_out("run-whole")
    opened: list[Path] = []

    def digest(path: Path) -> str:
        opened.append(path)
        return "0" * 64

    monkeypatch.setattr("isobath.store.folders.file_digest", digest)
    with (folder / MANIFEST).open("a", encoding="utf-8") as out:
        out.write(f"{'0' * 64}  {name}\n")

    code = main(["show", folder.name])

    assert code == 3
    assert f"MANIFEST.sha256 names {name!r}, which is no file of this" in capsys.readouterr().err
    assert {path.parent for path in opened} <= {folder}


def test_run_json_of_another_run_is_told(
    laid_out: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = laid_out("run-whole")
    path = folder / "run.json"
    told = path.read_text(encoding="utf-8")
    path.write_text(told.replace(folder.name, "20991231-000000-s6-ffff"), encoding="utf-8")
    reseal(folder)

    assert main(["show", "last"]) == 3
    assert "run.json is that of 20991231-000000-s6-ffff" in capsys.readouterr().err


def test_an_id_is_echoed_without_what_a_terminal_obeys(
    laid_out: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = laid_out("run-whole")
    path = folder / "run.json"
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps({**told, "run_id": "2099-\x1b[31mred"}), encoding="utf-8")
    folder = folder.rename(folder.with_name("\x1b[31mfolder"))
    reseal(folder)

    for words in (["show", "nothing"], ["show", "last"], ["list"], ["tag", "last", "mine"],
                  ["list", "--json"], ["show", str(folder)], ["report", "last"]):  # fmt: skip
        main(words)
        said = capsys.readouterr()
        assert "\x1b" not in said.out + said.err, words


def test_a_run_without_a_record_is_told_as_that(
    laid_out: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = laid_out("run-whole")
    for word in ("s6", "profile"):
        (whole.parent / f"20991231-000000-{word}-ffff.partial").mkdir()

    assert main(["show", "last"]) == 0
    capsys.readouterr()
    for word in ("s6", "profile"):
        assert main(["show", f"20991231-000000-{word}"]) == 3
        said = capsys.readouterr()
        assert "it was cut off before its first record" in said.out + said.err
        assert "No such file" not in said.out + said.err
    assert RunFolder(whole).verify() == []
