# SPDX-License-Identifier: Apache-2.0
"""What a new kind costs: three lines in three files of the laboratory, beside its own.

In a copy of the sources a kind is made of cg's package and records under other names, wired as
docs/how-to/add-a-kind.md says, and driven by every command that serves all kinds.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from compared.made_studies import seal_again
from example_kind import (
    CAPITALS,
    CLASS,
    HYPHEN,
    NAME,
    PLAIN,
    UNDERSCORE,
    refuse_a_kind_of_that_name,
)
from kind_table import STORED

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "src" / "isobath"
HOW_TO = (ROOT / "docs/how-to/add-a-kind.md").read_text(encoding="utf-8")
ADR = (ROOT / "docs/adr/0034-one-life-of-all-studies.md").read_text(encoding="utf-8")

WIRED = ("study/kinds.py", "cli/commands.py", "records/codec.py")
"""Existing files of the laboratory that a new kind changes."""

TESTS_AND_TOOLS = (
    "tests/python/kind_table.py", "tests/python/records/examples.py", "tests/data/studies/",
    "tools/study_numbers.py",
)  # fmt: skip
PAGES = ("docs/reference/options.md", "docs/reference/vocabulary.md", "CHANGELOG")

RENAMED = (
    ("isobath.kinds.cg", f"isobath.kinds.{PLAIN}"),
    ("isobath.records.krylov", f"isobath.records.{UNDERSCORE}"),
    ("isobath-krylov", f"isobath-{HYPHEN}"),
    ("isobath.cli.bench_cg:cg", f"isobath.cli.bench_{UNDERSCORE}:{UNDERSCORE}"),
    (', older="cg.json"', ""),
    ("bench cg", NAME),
    ("Krylov", CLASS),
    ('"krylov"', f'"{UNDERSCORE}"'),
    ('"CG"', f'"{CAPITALS}"'),
    ("def cg(", f"def {UNDERSCORE}("),
)
ID = f"20261123-132802-{PLAIN}-4de8"


def renamed(text: str) -> str:
    """A text of cg's as the new kind has it."""
    for before, after in RENAMED:
        text = text.replace(before, after)
    return text


def replaced(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, (path.name, before)
    path.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sources with one kind more."""
    refuse_a_kind_of_that_name()
    copy = tmp_path_factory.mktemp("copy") / "src" / "isobath"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    own = copy / "kinds" / PLAIN
    shutil.copytree(copy / "kinds" / "cg", own)
    shutil.copy(copy / "records" / "krylov.py", copy / "records" / f"{UNDERSCORE}.py")
    shutil.copy(copy / "cli" / "bench_cg.py", copy / "cli" / f"bench_{UNDERSCORE}.py")
    for path in (
        *own.glob("*.py"),
        copy / f"records/{UNDERSCORE}.py",
        copy / f"cli/bench_{UNDERSCORE}.py",
    ):
        path.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
    registry, commands = copy / "study" / "kinds.py", copy / "cli" / "commands.py"
    (entry,) = re.findall(
        r'(?s)    KindEntry\(\n        name="bench cg".*?\n    \),\n', registry.read_text("utf-8")
    )
    new = renamed(re.sub(r"        (older|doctor)\w*=.*\n", "", entry))
    new = new.replace('word="cg"', f'word="{PLAIN}"')
    replaced(registry, entry, entry + new)
    (line,) = re.findall(r'(?s)    "cg": Entry\(.*?\n    \),\n', commands.read_text("utf-8"))
    replaced(commands, line, line + renamed(line).replace('"cg"', f'"{HYPHEN}"'))
    codec = copy / "records" / "codec.py"
    replaced(codec, "from isobath.records.krylov import KrylovRecord\n",
             "from isobath.records.krylov import KrylovRecord\n"
             f"from isobath.records.{UNDERSCORE} import {CLASS}Record\n")  # fmt: skip
    replaced(codec, "    | KrylovRecord\n", f"    | KrylovRecord\n    | {CLASS}Record\n")
    return copy.parent


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    """A checkout with a study of the new kind."""
    folder = tmp_path / "prefix" / "studies" / ID
    (of_cg,) = (STORED / "cg-whole" / "benches").iterdir()
    shutil.copytree(of_cg, folder)
    plan = json.loads((folder / "cg.json").read_text(encoding="utf-8"))
    (folder / "cg.json").unlink()
    header = {
        "schema": 1, "kind": NAME, "study_id": ID, "isobath_version": "0",
        "created": "2026-11-23T13:28:02Z", "command": [], "settings": {"preset": "small"},
        "plan": plan,
    }  # fmt: skip
    (folder / "study.json").write_text(json.dumps(header), encoding="utf-8")
    for records in folder.rglob("records.jsonl"):
        records.write_text(renamed(records.read_text(encoding="utf-8")), encoding="utf-8")
    seal_again(folder)
    return folder.parents[1]


def test_every_command_serves_a_kind_that_three_files_know(source: Path, prefix: Path) -> None:
    asked = [
        ["list", "--kind", HYPHEN],
        ["show", f"last:{PLAIN}"],
        ["show", "last", "--json"],
        ["show", "last", "--format", "csv", "--view", "rows"],
        ["show", "last", "--settings"],
        ["report", "last"],
        ["tag", "last", "mine"],
        ["query", f"SELECT count(*) FROM {UNDERSCORE}"],
        ["resume", "mine", "--dry-run"],
        ["help", HYPHEN],
        ["bench", HYPHEN, "--of", "last"],
        ["tag", "last", "--remove", "mine"],
        ["remove", ID, "--yes"],
    ]
    program = (
        "import json, sys; from isobath.cli.main import main\n"
        "for words in json.loads(sys.argv[1]):\n"
        "    code = main(words); print(json.dumps([words, code]), file=sys.stderr)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(asked)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(source), "ISOBATH_PREFIX": str(prefix)},
    )  # fmt: skip

    ended = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("[")]
    assert ended == [[words, 0] for words in asked], done.stderr
    assert f'"kind": "{NAME}"' in done.stdout
    assert not (prefix / "studies" / ID).exists()


def test_a_kind_touches_so_many_files(source: Path) -> None:
    copy = source / "isobath"
    there = {path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py")}

    changed = [name for name in sorted(there)
               if (copy / name).read_bytes() != (SOURCES / name).read_bytes()]  # fmt: skip

    assert changed == sorted(WIRED)
    for name in (*WIRED, *TESTS_AND_TOOLS, *PAGES):
        assert name in HOW_TO, f"the how-to does not name {name}"
    told = f"today {len(WIRED)} of `src`"
    assert told in " ".join(ADR.split()), f"ADR 0034 does not say: {told}"
    counted = len(WIRED) + len(TESTS_AND_TOOLS) + len(PAGES)
    assert f"{counted} in all" in " ".join(ADR.split())
