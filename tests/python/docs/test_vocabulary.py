# SPDX-License-Identifier: Apache-2.0
"""The vocabulary names what there is in the code, and help speaks no words of the code alone."""

import importlib
import re
from pathlib import Path

import pytest

from command_tree import whole_tree
from example_kind import NAME
from isobath.cli.commands import GROUPS
from isobath.study.kinds import KINDS, KindEntry

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/vocabulary.md"
ROWS = re.findall(r"(?m)^\| ([a-z][^|]*) \| ([^|]+) \| ([^|]*) ?\|$", PAGE.read_text("utf-8"))
TERMS = {word: meaning for word, meaning, _ in ROWS if word != "word"}
PLACES = [place for _, _, places in ROWS for place in re.findall(r"`([\w.]+:\w+)`", places)]
COMMAND = re.compile(r"`([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)`")
INNER = re.compile(r"\b([Aa]rms?|[Ww]ish(es)?|[Ss]pecs?|[Ll]aws?|[Ss]helf)\b")  # ARM is a processor


def test_terms_stand_in_order_and_mean_one_thing_each() -> None:
    assert list(TERMS) == sorted(TERMS)
    assert len(TERMS) == len(ROWS) - 1
    for word, meaning in TERMS.items():
        assert meaning.endswith("."), word
        assert len(re.findall(r"[.;] ", meaning)) <= 2, word


@pytest.mark.parametrize("place", PLACES)
def test_what_the_code_calls_so_is_there(place: str) -> None:
    module, _, name = place.partition(":")

    assert module.startswith("isobath.")
    assert hasattr(importlib.import_module(module), name)


def test_commands_of_kinds_may_have_hyphens() -> None:
    assert COMMAND.findall(f"As `{NAME}`, `run`, `isobath.study`.") == [
        NAME, "run"
    ]  # fmt: skip


def test_the_page_has_the_kinds_and_what_makes_them() -> None:
    assert COMMAND.findall(TERMS["kind"]) == [entry.name for entry in KINDS]
    for name in ("run", "search", "profile"):
        assert name in GROUPS["measure"].commands
        assert name in TERMS


def test_the_page_has_the_plans_of_all_kinds() -> None:
    (places,) = (places for word, _, places in ROWS if word == "plan (of a study)")
    modules = [entry.planner.partition(":")[0] for entry in KINDS if entry.planner]
    plans = [importlib.import_module(module).PLAN.model for module in modules]

    assert sorted(re.findall(r"`([\w.]+:\w+)`", places)) == sorted(
        f"{plan.__module__}:{plan.__name__}" for plan in plans
    ), "name the plan of every kind in the row plan (of a study)"


@pytest.mark.parametrize("command", whole_tree())
def test_help_speaks_no_word_of_the_code_alone(command: str) -> None:
    found = whole_tree()[command]
    texts = [found.help or "", *(getattr(one, "help", None) or "" for one in found.params)]

    assert [text for text in texts if INNER.search(text)] == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_views_speak_no_word_of_the_code_alone(kind: KindEntry) -> None:
    loaded = kind.load()
    texts = [*loaded.views, *loaded.tables]
    texts += [view.words for view in loaded.views.values()]
    texts += [table.words for table in loaded.tables.values()]

    assert [text for text in texts if INNER.search(text)] == []
