# SPDX-License-Identifier: Apache-2.0
"""The registry of kinds: what it names is there, and what it says is so."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.cli.commands import BENCH, COMMANDS, GROUPS
from isobath.errors import UsageError
from isobath.kinds.one_mpi import one_mpi
from isobath.study import kinds
from isobath.study.ids import looks_like_id, make_id
from isobath.study.kind import Kind
from isobath.study.kinds import KINDS, KindEntry, declaration_of, entry_of, imported, is_of_others


@pytest.fixture(params=KINDS, ids=lambda entry: entry.name)
def entry(request: pytest.FixtureRequest) -> KindEntry:
    """Each kind."""
    found: KindEntry = request.param
    return found


def test_what_an_entry_names_is_there(entry: KindEntry) -> None:
    assert isinstance(entry.load(), Kind)
    assert entry.declaration().kind == entry.name
    assert declaration_of(entry.name) is entry.declaration()
    for place in (entry.planner, entry.doctor, entry.older_settings):
        assert not place or callable(imported(place))


def test_a_kind_compares_mpi_libraries_where_its_setting_takes_several(entry: KindEntry) -> None:
    mpi = entry.declaration().by_name.get("mpi")

    assert entry.compares_mpi == (mpi is not None and mpi.several)


def test_every_kind_has_its_command_and_every_benchmark_its_kind() -> None:
    named = {entry.name for entry in KINDS}

    assert {f"bench {name}" for name in BENCH} == {one for one in named if one[:6] == "bench "}
    assert {one for one in named if " " not in one} <= set(COMMANDS)


def test_names_words_and_programs_are_those_of_one_kind() -> None:
    for words in (
        [entry.name for entry in KINDS],
        [entry.word for entry in KINDS],
        [entry.program for entry in KINDS if entry.program],
    ):
        assert len(set(words)) == len(words)
    assert [entry.name for entry in KINDS if entry.has_one_launch] == [
        "run",
        "search",
        "profile",
        "model fit",
        "simulate",
        "import",
    ]


@pytest.mark.parametrize("word", ["sand-castle", "SandCastle", "", "sand castle", "sand_castle"])
def test_a_word_that_names_of_studies_cannot_hold_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="of the kind run cannot stand in the names") as caught:
        replace(entry_of("run"), word=word)

    assert repr(word) in str(caught.value)
    assert all(looks_like_id(make_id(entry.word)) for entry in KINDS)


def test_listing_kinds_imports_none() -> None:
    code = "import sys, isobath.study.kinds; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith(("isobath.kinds", "isobath.settings"))] == []


def test_names_stand_in_the_registry_as_they_are_so_that_it_can_be_read_as_text() -> None:
    tree = ast.parse(Path(kinds.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    entries = [call for call in calls if ast.unparse(call.func) == "KindEntry"]

    assert len(entries) == len(KINDS)
    for call in entries:
        words = {word.arg: word.value for word in call.keywords}
        assert isinstance(words["name"], ast.Constant)
        assert isinstance(words.get("compares_mpi", ast.Constant(value=False)), ast.Constant)


def test_a_variable_of_any_kind_is_known() -> None:
    assert is_of_others("ISOBATH_CG_ELEMENTS")
    assert not is_of_others("ISOBATH_COLOUR")


def test_several_libraries_are_refused_with_the_kinds_that_compare_them() -> None:
    several = [entry.name for entry in KINDS
               if "mpi" in entry.declaration().by_name
               and entry.declaration().by_name["mpi"].several]  # fmt: skip
    with pytest.raises(UsageError) as caught:
        one_mpi("--mpi", "wheel,system")

    assert several[:2] == ["race", "bench replay"]
    assert str(caught.value) == (
        "--mpi wheel,system: this runs under one MPI library; name one "
        f"({', '.join(several[:-1])} and {several[-1]} compare several)"
    )
    assert one_mpi("--mpi", "/opt/a,b") == "/opt/a,b"
    assert entry_of("cg").compares_mpi


SOURCES = Path(kinds.__file__).resolve().parents[1]
OF_A_KIND = (
    "kinds/", "api/", "study/kinds.py", "cli/commands.py", "bench/", "overlap/", "race/",
    "predicted/", "reproduce/", "doctor/laboratory_findings.py", "cli/bench_views.py",
    "cli/run_output.py",
)  # fmt: skip
"""Packages of kinds and of what they measure, what the registry names, what predictions and
publications rest on, and parts of commands that measure."""

OF_ALL_KINDS = {*GROUPS["studies"].commands, "compare", "factors", "doctor"}
"""Commands that serve every kind; the others may know what they measure."""


def shared_modules() -> list[Path]:
    """All that serves every kind."""
    own = [entry for name, entry in COMMANDS.items() if name not in OF_ALL_KINDS]
    places = {one.place for entry in own for one in (entry, *entry.inner.values())}
    commands = {place.partition(":")[0].replace(".", "/") + ".py" for place in places}
    paths = {path.relative_to(SOURCES).as_posix(): path for path in sorted(SOURCES.rglob("*.py"))}
    return [
        path
        for place, path in paths.items()
        if not place.startswith(OF_A_KIND) and f"isobath/{place}" not in commands
    ]


def test_shared_modules_know_no_kind_by_name() -> None:
    """What has to be known of a kind stands in its package and in the registry alone."""
    named = {entry.name for entry in KINDS if " " in entry.name}
    found = []
    for path in shared_modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in named:
                found.append((path.name, node.value))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "isobath.kinds."
            ):
                package = (node.module or "").split(".")[2]
                if (SOURCES / "kinds" / package).is_dir():
                    found.append((path.name, package))

    assert found == []
